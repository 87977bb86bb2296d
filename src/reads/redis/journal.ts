import { join } from 'node:path';
import type { Log } from '../../messages.ts';
import { type Counts, isPositive, parseCounts } from '../counts.ts';
import { systemFs } from '../file/atomic-write.ts';
import { openStateFile, type StateFile } from '../file/state-file.ts';
import type { StateFormat } from '../file/state-format.ts';
import type { Batch, Delta, Outstanding } from './batch.ts';

/** What a process that counts in Redis saves in a file of its own: its batches, and the counts that it last knew. */
export interface Journal extends Outstanding {
  counts: Counts;
}

/** Without `merge`: a batch that somebody edited must not be sent. */
export const journalFormat: StateFormat<Journal> = {
  toJson: ({ counts, kept, unsent }) => ({
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

export function openJournal(stateDir: string, log: Log): StateFile<Journal> {
  return openStateFile(join(stateDir, 'redis-leftover.json'), journalFormat, log, systemFs);
}

function writeBatch({ instance, sequence, deltas }: Batch): object {
  return { instance, sequence, deltas: deltas.map(({ id, reads, floor }) => [id, reads, floor]) };
}

function parseBatch(value: unknown): Batch {
  const { instance, sequence, deltas } = Object(value);
  if (typeof instance !== 'string' || !isPositive(sequence))
    throw new Error('a batch has no instance or sequence');
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
