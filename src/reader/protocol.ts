import type { Entry } from '../history/entry.ts';
import type { SnapshotChunk } from '../snapshot/chunks.ts';
import type { ChangedSet, Expectation } from './changed-set.ts';
import type { Progress } from './progress.ts';
import type { CatalogSource, SetReport } from './read-set.ts';
import type { WantedSet } from './restore-set.ts';

// The program of the reader process; see reader-process.ts for the other end.

/** Asks for the set of the directory. */
export interface ReadRequest {
  task: 'read';
  source: CatalogSource;
  /** Undefined for a set that replaces no other. */
  expected: Expectation | undefined;
  /** Whether the report lists each problem, for a set that replaces no other. */
  listAll: boolean;
  /** How much memory the set may take in the process that serves it, in MB. */
  resultMb: number;
}

/** Asks what the set of the directory would be if it had the files of the form on standard input. */
export interface CheckRequest extends Omit<ReadRequest, 'task' | 'listAll'> {
  task: 'check';
  expected: Expectation;
  /** The content type of the form. */
  contentType: string;
}

/** Asks for a set of the history. */
export interface RestoreRequest {
  task: 'restore';
  source: CatalogSource;
  wanted: WantedSet;
  resultMb: number;
}

/** Asks to add a set to the history that is about to be served. */
export interface KeepRequest {
  task: 'keep';
  source: CatalogSource;
  entry: Entry;
  /** Another state directory for it; undefined for that of the source. */
  aside: string | undefined;
}

/** Asks to delete what the history has no room for. */
export interface TidyRequest {
  task: 'tidy';
  source: CatalogSource;
  /** What has been added to the history since it was added up, in bytes. */
  addedBytes: number;
}

/** Asks whether all files of a set of the history can be read. */
export interface VerifyRequest {
  task: 'verify';
  source: CatalogSource;
  entry: Entry;
}

/** The process takes any number of requests, one after the other. */
export type ReaderTask =
  | ReadRequest
  | CheckRequest
  | RestoreRequest
  | KeepRequest
  | TidyRequest
  | VerifyRequest;

/** `next` asks for the message after a chunk, so that no more than one chunk is under way. */
export type ReaderRequest = ReaderTask | 'next';

/** The end of each task. The chunks of a set come before it. `damage` has a sentence for each damaged file. */
export interface ReaderResults {
  read: (Exclude<ChangedSet, { outcome: 'read' }> | { outcome: 'read'; report: SetReport }) & {
    damage?: string[];
  };
  /** Only the changes are sent as chunks. `nothing`: there is no form with files. */
  check: ReaderResults['read'] | { outcome: 'nothing' };
  restore:
    | { outcome: 'restored'; report: SetReport; since: number; damage: string[] }
    | { outcome: 'nothing'; damage: string[] };
  keep: { outcome: 'kept'; bytes: number };
  tidy: { outcome: 'tidied'; isAddedUp: boolean; damage: string[] };
  verify: { outcome: 'verified'; isWhole: boolean; damage: string[] };
}

/** Progress is sent before the first chunk. */
export type ReaderMessage =
  | Progress
  | SnapshotChunk
  | ReaderResults[keyof ReaderResults]
  | { outcome: 'failed'; reason: string };
