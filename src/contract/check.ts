import type { Changes } from './changes.ts';
import type { Health } from './health.ts';

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
  /** The outcome in a sentence. */
  verdict: string;
  /** The version that they would be; null with errors. */
  version: string | null;
  /** What they would change for visitors; null if that is nothing, or not known. */
  changes: Changes | null;
}
