import type { Counts } from '../counts.ts';

/** New reads of an item, and the floor of its count. */
export interface Delta {
  id: number;
  reads: number;
  floor: number;
}

/** Reads that Redis applies exactly once, in the order of their sequence numbers. */
export interface Batch {
  /** The process that counted them, from its start to its end. */
  instance: string;
  /** From 1. */
  sequence: number;
  deltas: Delta[];
}

/** The batches that a process passes on to the next: those that Redis acknowledged but may still lose, and the others. */
export interface Outstanding {
  kept: Batch[];
  unsent: Batch[];
}

/** A larger batch would block Redis for too long. */
const MAX_DELTAS = 1000;

/** Batches without reads that raise counts to at least these. */
export function floorBatches(counts: Counts, instance: string, sequence: number): Batch[] {
  const deltas = [...counts].map(([id, floor]) => ({ id, reads: 0, floor }));
  return chunks(deltas).map(deltas => ({ instance, sequence, deltas }));
}

/** Divides deltas into the sizes of batches. */
export function chunks<Item>(items: Item[]): Item[][] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += MAX_DELTAS)
    chunks.push(items.slice(start, start + MAX_DELTAS));
  return chunks;
}
