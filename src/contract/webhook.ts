import type { Static } from '@sinclair/typebox';
import type { HoldReasonsSchema, ProblemSchema } from './health.ts';

/**
 * The kinds of answers that change together. Caches get their names with each answer (`Cache-Tag`, `Surrogate-Key`), and a
 * webhook names those to purge. A name has only lower-case letters, digits and hyphens.
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

/** The news lists and feeds that are not limited to one category. */
export const ALL_NEWS = 'news-all';

/** The configurations and prices of a product. */
export function productTag(id: number): string {
  return `product-${id}`;
}

/** Of more products or categories, a message has the tag of their kind. */
export const MAX_NARROW = 50;

/** The news lists and feeds of a category; without one, those that are not limited to one. */
export function newsTag(type: number | undefined): string {
  return type === undefined ? ALL_NEWS : `news-type-${type}`;
}

/** The body of a webhook. */
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
  /** When it became true, in UTC. */
  timestamp: string;
  data: {
    /** The version that is served, as in `Catalog-Version`; null if nothing is served yet. */
    version: string | null;
    /** The cache tags to purge; of `refused` and `held`, none. */
    tags: readonly string[];
    /** Of `live`: what changed in one line, if known. */
    changes?: string;
    /** Of `refused`: the first problems, as in `/health`. */
    problems?: Static<typeof ProblemSchema>[];
    /** Of `held`: the version that waits, and why. */
    held?: { version: string; reasons: Static<typeof HoldReasonsSchema> };
  };
}
