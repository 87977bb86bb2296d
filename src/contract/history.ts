import type { Changes } from './changes.ts';
import type { Page } from './envelope.ts';
import type { Health } from './health.ts';

/** A set that was served, or is held back. */
interface Version {
  version: string;
  /** RFC 3339 in UTC. */
  since: string;
  /** Those of all files, hidden ones included. */
  rows: number;
  files: { catalog: string; file: string; sheet?: string; rows: number; bytes: number }[];
  /** What it changed, or would change, in one line; null if that is not known. */
  changes: string | null;
}

/** `pinned`: it is served, and changed files are not loaded. Without a state, it is not served now. */
export type HistoryVersion = Version & { state?: 'served' | 'pinned' };

/** The `data` of `GET /history`. */
export interface History extends Page<HistoryVersion> {
  /** The set that waits until somebody confirms it. */
  held: (Version & Pick<NonNullable<Health['held']>, 'reasons'>) | null;
}

/** What people can do with versions. */
export type Action = 'pin' | 'unpin' | 'publish';

/** The `data` of what changes what is served. The service follows within a second. */
export interface Control {
  action: Action;
  /** The version that is pinned, no longer pinned, or confirmed; null if none was pinned. */
  version: string | null;
}

/** How many changes and problems the answer to a check lists at most. */
export const MAX_LISTED = 100;

/**
 * What would become of files: they would go live, hold what is live, wait until somebody confirms them, be refused, or
 * wait since a version is pinned.
 */
export type CheckOutcome = 'loaded' | 'unchanged' | 'held' | 'failed' | 'pinned';

/** The `data` of `POST /check`. */
export interface CheckAnswer
  extends Pick<NonNullable<Health['last_attempt']>, 'errors' | 'warnings' | 'problems'>,
    Pick<NonNullable<Health['held']>, 'reasons'> {
  outcome: CheckOutcome;
  verdict: string;
  /** Whether they were compared as all files of the catalog folder; null if the form was too much to read. */
  complete: boolean | null;
  /** The first {@link MAX_LISTED} of those that are not read, by the paths that they were sent with. */
  not_read: { file: string; message: string }[];
  /** The version that they would be; null with errors. */
  version: string | null;
  /** What they would change for visitors; null if that is nothing, or not known. */
  changes: Changes | null;
}
