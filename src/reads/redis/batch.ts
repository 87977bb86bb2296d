import type { Counts } from '../counts.ts';

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

/** More items in a batch would keep Redis from others for too long. */
const MAX_DELTAS = 1000;

/** Batches that raise counts to at least these, without a read. */
export function floorsOf(counts: Counts, instance: string, sequence: number): Batch[] {
  const deltas = [...counts].map(([id, floor]) => ({ id, reads: 0, floor }));
  return inPieces(deltas).map(deltas => ({ instance, sequence, deltas }));
}

/** Deltas in pieces of the size of a batch. */
export function inPieces<Item>(items: Item[]): Item[][] {
  const pieces: Item[][] = [];
  for (let start = 0; start < items.length; start += MAX_DELTAS) {
    pieces.push(items.slice(start, start + MAX_DELTAS));
  }
  return pieces;
}
