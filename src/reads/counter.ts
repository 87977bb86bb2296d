/**
 * Counts the reads of news items, exactly. The `floor` of an item is the count that its catalog row gives: the count
 * is never below it.
 */
export interface ReadCounter {
  /** Counts one read and says the count after it. It never fails: what cannot be saved yet is counted all the same. */
  raise(id: number, floor: number): number | Promise<number>;
  /** The count, without counting. */
  shown(id: number, floor: number): number;
  /** Another number after every change of what is shown. */
  revision(): number;
  health(): ReadHealth;
  /** Saves what was counted. Where that cannot be done, log and health say so, and it is tried again every interval. */
  flush(): Promise<void>;
  /** Flushes and stops; counts that come later are lost. @throws Error where counts could not be saved. */
  close(): Promise<void>;
}

/** Where counts can be kept. */
export const stores = ['file', 'redis'] as const;

export interface ReadHealth {
  store: (typeof stores)[number];
  /** Reads that were counted since the start. */
  counted: number;
  /** Those of them, and of runs before, that are not saved yet. */
  unsaved: number;
  /** When all was saved that was to be, in Unix seconds; undefined where that was not tried yet or never went well. */
  lastFlush: number | undefined;
  /** Why counting is degraded, in a sentence each; none where all is well. */
  reasons: string[];
}
