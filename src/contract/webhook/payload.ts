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
