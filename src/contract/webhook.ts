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

/** How the answers came to change: changed files, a rollback, or a `publish_time` or `unpublish_time` that has come. */
export type ChangeKind = 'reload' | 'rollback' | 'scheduled';

/** The body of a webhook. */
export interface WebhookPayload {
  type: 'catalog.changed';
  /** When the answers changed, RFC 3339 in UTC. */
  timestamp: string;
  data: {
    /** The version that is served since then, as in `Catalog-Version`. */
    version: string;
    /** The version of the webhook before; the same if the change was scheduled, null in the first webhook ever. */
    former_version: string | null;
    kind: ChangeKind;
    /** The cache tags to purge. */
    tags: readonly string[];
  };
}
