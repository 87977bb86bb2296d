import type { Entry } from '../history/entry.ts';
import type { SnapshotChunk } from '../snapshot/chunks.ts';
import type { ChangedSet, Expectation, WantedSet } from './changed-set.ts';
import type { CatalogSource, SetReport } from './read-set.ts';

// What the reader process and the one that serves say to each other; see reader-process.ts for the serving end.

/** What the reader process does with its source: any number of tasks, one after the other. */
export type ReaderTask =
  /** Reads the set of the directory. Without `expected` it replaces no other, and `listAll` lists each problem. */
  | { task: 'read'; expected: Expectation | undefined; listAll: boolean }
  /** Reads what that set would be with the files of the form on standard input, and sends no chunks but the changes. */
  | { task: 'check'; expected: Expectation; contentType: string }
  /** Reads a set of the history. */
  | { task: 'restore'; wanted: WantedSet }
  /** Adds a set to the history that is about to be served, or to that of another state directory. */
  | { task: 'keep'; entry: Entry; aside: string | undefined }
  /** Deletes what the history has no room for. */
  | { task: 'tidy' }
  /** Finds out whether all files of a set of the history can be read. */
  | { task: 'verify'; entry: Entry };

/** `next` asks for the message after a chunk, so that no more than one chunk is under way. */
export type ReaderRequest = (ReaderTask & { source: CatalogSource }) | 'next';

/** The end of each task. The chunks of a set come before it. */
export interface ReaderResults {
  read: Exclude<ChangedSet, { outcome: 'read' }> | { outcome: 'read'; report: SetReport };
  /** `nothing`: there is no form with files. */
  check: ReaderResults['read'] | { outcome: 'nothing' };
  /** `nothing`: no version was wanted, and no set can be read. */
  restore: { outcome: 'read'; report: SetReport; since: number } | { outcome: 'nothing' };
  keep: { outcome: 'kept' };
  tidy: { outcome: 'tidied' };
  verify: { outcome: 'verified'; isWhole: boolean };
}

/** How far the reading of a set is; sent before the first chunk. */
export interface Progress {
  /** The rows read so far. */
  rows: number;
  /** How much of the bytes of all files has been read, from 0 to 100; also 100 while the indexes are built. */
  percent: number;
  /** For how many seconds there has been no progress; undefined while there is some. */
  stalledSeconds?: number | undefined;
}

/** `damage` is a sentence about a damaged file of the history. */
export type ReaderMessage =
  | Progress
  | SnapshotChunk
  | { damage: string }
  | ReaderResults[keyof ReaderResults]
  | { outcome: 'failed'; reason: string };

/** `60 %, 40,000 rows` */
export function formatProgress({ rows, percent, stalledSeconds }: Progress): string {
  const done = `${percent} %, ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
  return stalledSeconds === undefined ? done : `${done}, no progress for ${stalledSeconds} s`;
}
