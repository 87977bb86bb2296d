import type { Static } from '@sinclair/typebox';
import type { HoldReasonsSchema, ProblemSchema } from './health.ts';

/**
 * The kinds of answers that change together. Their names are cache tags (`Cache-Tag`, `Surrogate-Key`), and a webhook names
 * those to purge. They have only lower-case letters, digits and hyphens.
 */
export const kindTags = [
  'products',
  'configurations',
  'prices',
  'news-types',
  'news',
  'feeds',
  'images',
] as const;
export type KindTag = (typeof kindTags)[number];

/** News lists and feeds of all categories. */
export const ALL_NEWS = 'news-all';

export function productTag(id: number): string {
  return `product-${id}`;
}

/** For more products or categories, a message has the tag of their kind. */
export const MAX_NARROW = 50;

/** News lists and feeds of a category; without one, those of all categories. */
export function newsTag(type: number | undefined): string {
  return type === undefined ? ALL_NEWS : `news-type-${type}`;
}

export interface WebhookPayload {
  /**
   * - `live`: another set is served, or the refused or held files are replaced by good ones
   * - `refused`: the changed files have errors, and no more files have come for ten seconds
   * - `held`: the changed files wait until somebody confirms them
   * - `rolled_back`: a version is pinned, as by a rollback
   * - `scheduled`: a `publish_time`, `unpublish_time` or `valid_from` has come
   * - `test`: `vitrine notify` was run
   */
  type: `catalog.${'live' | 'refused' | 'held' | 'rolled_back' | 'scheduled' | 'test'}`;
  /** When the event happened, in UTC. */
  timestamp: string;
  data: {
    /** The served version, as in `Catalog-Version`; null if nothing is served yet. */
    version: string | null;
    /** The cache tags to purge; none for `refused` and `held`. */
    tags: readonly string[];
    /** Of `live`: what changed in one line, if known. */
    changes?: string;
    /** Of `refused`: the first problems, as in `/health`. */
    problems?: Static<typeof ProblemSchema>[];
    /** Of `held`: the version that waits, and why. */
    held?: { version: string; reasons: Static<typeof HoldReasonsSchema> };
  };
}
