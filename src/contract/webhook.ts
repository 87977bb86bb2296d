import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { HoldReasonsSchema, ProblemSchema } from './health.ts';

/**
 * The names of the answers that change together. Caches get them with each answer (`Cache-Tag`, `Surrogate-Key`), and a
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

/** The answers of one kind. */
export type KindTag = (typeof kindTags)[number];

/** The news lists and feeds that are not limited to one category. */
export const ALL_NEWS = 'news-all';

/** The configurations and prices of a product. */
export function productTag(id: number): string {
  return `product-${id}`;
}

/** The news lists and feeds of a category; without one, {@link ALL_NEWS}. */
export function newsTag(type: number | undefined): string {
  return type === undefined ? ALL_NEWS : `news-type-${type}`;
}

/** What a webhook can report, each with when it is sent. */
const webhookEvents = {
  'catalog.live': 'another set is served, or the refused or held files are replaced by good ones',
  'catalog.refused': 'the changed files have errors, and no more files have come for ten seconds',
  'catalog.held': 'the changed files wait until somebody confirms them',
  'catalog.rolled_back': 'a version is pinned, as by a rollback',
  'catalog.scheduled': 'a `publish_time` or `unpublish_time` has come',
  'catalog.test': '`vitrine notify` was run; nothing has happened',
} as const;

const WebhookDataSchema = Type.Object({
  version: Type.Union([Type.Null(), Type.String()], {
    description: 'the version that is served, as in `Catalog-Version`; null if nothing is served yet',
  }),
  tags: Type.Unsafe<readonly string[]>(
    Type.Array(Type.String(), {
      description: 'the cache tags to purge; of `catalog.refused` and `catalog.held`, none',
    }),
  ),
  changes: Type.Optional(
    Type.String({
      description: 'of `catalog.live`: what changed in one line, such as `3 prices changed`, if known',
    }),
  ),
  problems: Type.Optional(
    Type.Array(ProblemSchema, { description: 'of `catalog.refused`: the first problems, as in `/health`' }),
  ),
  held: Type.Optional(
    Type.Object(
      { version: Type.String(), reasons: HoldReasonsSchema },
      { description: 'of `catalog.held`: the version that waits, and why' },
    ),
  ),
});

/** The body of a webhook. */
export const WebhookSchema = Type.Object({
  type: Type.Union(
    (Object.keys(webhookEvents) as (keyof typeof webhookEvents)[]).map(type => Type.Literal(type)),
  ),
  timestamp: Type.String({ description: 'when it became true, in UTC' }),
  data: WebhookDataSchema,
});
export type WebhookPayload = Static<typeof WebhookSchema>;
