import type { Health } from '../contract/health.ts';

/** Counts in memory that threads share. */
export interface SharedCounts {
  /** The count of each item as a 64-bit integer. It grows. */
  counts: SharedArrayBuffer;
  /** How often counts changed, and how many reads were counted, as 64-bit integers. */
  totals: SharedArrayBuffer;
}

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
  /** Undefined if no other thread counts. */
  sharedReads?: SharedReads | undefined;
  health(): ReadHealth;
  /** Saves all reads. Never rejects: the log and `health` report a failure, and every interval retries. */
  flush(): Promise<void>;
  /** Flushes and stops; later reads are lost. @throws Error if reads could not be saved. */
  close(): Promise<void>;
}

/** Read counts that other threads of the process raise, too. */
export interface SharedReads {
  memory: SharedCounts;
  /** Shares the counts of these news items. */
  share(ids: Iterable<number>): void;
  /** The ids of the shared counts from the one of this number on, in the order in which they were shared. */
  shared(from: number): number[];
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
