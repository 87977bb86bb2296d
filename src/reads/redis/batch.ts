/** How often an item was read, and the floor of its count. */
export interface Delta {
  id: number;
  reads: number;
  floor: number;
}

/** Reads that are applied once and only once, each after the batches of its instance that come before it. */
export interface Batch {
  /** Who has counted them: a process, from its start to its end. */
  instance: string;
  /** From 1. */
  sequence: number;
  deltas: Delta[];
}

/** What a process leaves to the next one: batches that Redis may lose after all, and those that it has not taken yet. */
export interface Outstanding {
  kept: Batch[];
  unsent: Batch[];
}
