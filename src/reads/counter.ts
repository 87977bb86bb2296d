import type { Health } from '../contract/health.ts';

/**
 * Counts the reads of news items exactly. The `floor` of an item is the `read` of its catalog row; its count is never
 * lower.
 */
export interface ReadCounter {
  /** Counts one read and returns the new count. Never fails: a read that cannot be saved yet counts too. */
  raise(id: number, floor: number): number | Promise<number>;
  /** The count, without counting. */
  shown(id: number, floor: number): number;
  /** A number that differs after every change of a count. */
  revision(): number;
  health(): ReadHealth;
  /** Saves all reads. Never rejects: the log and `health` report a failure, and every interval retries. */
  flush(): Promise<void>;
  /** Flushes and stops; later reads are lost. @throws Error if reads could not be saved. */
  close(): Promise<void>;
}

export interface ReadHealth {
  store: Health['reads']['store'];
  /** Reads counted since the start. */
  counted: number;
  /** Reads not saved yet, including those of earlier processes. */
  unsaved: number;
  /** When all reads were last saved, in Unix seconds; undefined before the first time. */
  lastFlush: number | undefined;
  /** Why counting is degraded, one sentence each; empty if it is not. */
  reasons: string[];
}
