import { type Counts, isPositive, parseCounts } from '../counts.ts';
import type { StateForm } from '../state/file.ts';
import type { Batch, Delta, Outstanding } from './batch.ts';

/** What a process that counts in Redis keeps of its own: what it has to send, and the counts as it knew them. */
export interface Leftover extends Outstanding {
  counts: Counts;
}

/** A leftover in a file. Its batches have to be what they were, hence an edited file is a broken one. */
export const leftoverForm: StateForm<Leftover> = {
  write: ({ counts, kept, unsent }) => ({
    counts: Object.fromEntries(counts),
    kept: kept.map(writeBatch),
    unsent: unsent.map(writeBatch),
  }),
  parse: ({ counts, kept, unsent }) => ({
    counts: parseCounts(counts),
    kept: parseList(kept).map(parseBatch),
    unsent: parseList(unsent).map(parseBatch),
  }),
  indent: 0,
};

function writeBatch({ instance, sequence, deltas }: Batch): object {
  return { instance, sequence, deltas: deltas.map(({ id, reads, floor }) => [id, reads, floor]) };
}

function parseBatch(value: unknown): Batch {
  const { instance, sequence, deltas } = Object(value);
  if (typeof instance !== 'string' || !isPositive(sequence)) throw new Error('a batch has no name');
  return { instance, sequence, deltas: parseList(deltas).map(parseDelta) };
}

function parseDelta(value: unknown): Delta {
  const [id, reads, floor] = parseList(value);
  if (!isPositive(id) || !isPositive(reads) || typeof floor !== 'number')
    throw new Error('a batch has no reads');
  return { id, reads, floor };
}

function parseList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('a list is missing');
  return value;
}
