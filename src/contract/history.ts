import type { Changes } from './changes.ts';
import type { Page } from './envelope.ts';
import type { Attempt, Health } from './health.ts';

interface Version {
  version: string;
  /** RFC 3339 in UTC. */
  since: string;
  /** Of all files, including hidden rows. */
  rows: number;
  files: { catalog: string; file: string; sheet?: string; rows: number; bytes: number }[];
  /** What it changed, or would change, in one line; null if unknown. */
  changes: string | null;
}

/** `pinned`: served, and changed files are not loaded. Without a state, it is not served now. */
export type HistoryVersion = Version & { state?: 'served' | 'pinned' };

export interface History extends Page<HistoryVersion> {
  /** The set that waits for confirmation. */
  held: (Version & Pick<NonNullable<Health['held']>, 'reasons'>) | null;
}

export type Action = 'pin' | 'unpin' | 'publish';

/** The `data` of the actions. The service follows within a second. */
export interface Control {
  action: Action;
  /** The version that is pinned, no longer pinned, or confirmed; null if none was pinned. */
  version: string | null;
}

/** The maximum number of changes and of problems in the answer to a check. */
export const MAX_LISTED = 100;

/** What would happen: the files go live, change nothing, wait for confirmation or the end of a pin, or are refused. */
export type CheckOutcome = 'loaded' | 'unchanged' | 'held' | 'failed' | 'pinned';

export interface CheckAnswer
  extends Pick<Attempt, 'errors' | 'warnings' | 'problems'>,
    Pick<NonNullable<Health['held']>, 'reasons'> {
  outcome: CheckOutcome;
  verdict: string;
  /** Whether the form had all files of the catalog folder; null if it was too much to read. */
  complete: boolean | null;
  /** The first {@link MAX_LISTED} files that are not read, by their paths in the form. */
  not_read: { file: string; message: string }[];
  /** Null if there are errors. */
  version: string | null;
  /** What visitors would see change; null if nothing, or unknown. */
  changes: Changes | null;
}
