import type { HoldReason } from '../changes/hold-back/hold-back.ts';
import type { SetContent } from '../changes/walk.ts';
import type { Entry, KeptFile, Reading } from '../history/entry.ts';
import type { HistoryBounds } from '../history/prune.ts';
import { collectProblems, type ProblemSummary } from '../problems/collector.ts';
import { imageNames } from '../read/directory/images.ts';
import { systemDirectory } from '../read/directory/system-directory.ts';
import type { CatalogFile, FileDigest } from '../read/files.ts';
import type { LoadedFile } from '../read/table.ts';
import type { CatalogRows } from '../snapshot/sort.ts';
import type { RowSources } from '../snapshot/sources/row-sources.ts';
import { type CellOptions, validateSet } from '../validate/validate-set.ts';
import type { CacheKeys } from './cache/cache-keys.ts';
import type { Limits } from './limits.ts';
import { setContent } from './set/catalog-content.ts';
import { finish } from './set/finish.ts';
import { readDirectory } from './set/read-directory.ts';
import type { RowProblems } from './sources/row-problems.ts';

/** Where the files of a set are, and how to read them. */
export interface CatalogSource extends CellOptions, Limits, HistoryBounds {
  catalogDir: string;
  imagesDir: string;
  /** Where the history is. */
  stateDir: string;
  /** Larger files are refused. */
  maxFileMb: number;
}

/** The problems and files of a set. */
export interface SetReport extends ProblemSummary {
  /** Undefined if the set has errors: it is served as a whole or not at all. */
  version: string | undefined;
  /** The files that could be parsed. */
  files: LoadedFile[];
  /** All files that could be read, and each Markdown file. */
  digests: FileDigest[];
  /** The names of the files that look like catalogs and are not read. */
  notRead: string[];
  /** The images that are missing from their directory, at most 1,000. */
  awaitedImages: string[];
  /** The rows with problems; undefined if the set has errors. */
  rowProblems?: RowProblems | undefined;
  /** How the files were read. */
  reading: Reading;
  /** Identifies its catalogs in the cache; undefined if it has errors, or replaces no other set. */
  cacheKeys?: CacheKeys | undefined;
  /** What it changes; undefined if it has errors, or that is not known. */
  changes?: SetChanges | undefined;
  /** Why it waits until somebody confirms it; empty or undefined if it does not. */
  holds?: HoldReason[] | undefined;
}

/** What a set changes, as the history keeps it. */
export interface SetChanges extends Required<Pick<Entry, 'summary' | 'report'>> {
  /** Whether it changes that now, rather than when it was first served, before the start. */
  isNew: boolean;
}

/** A set that was read. */
export interface ReadSet {
  report: SetReport;
  /** The rows to serve, in their order; undefined if the set has errors. */
  rows: CatalogRows | undefined;
  /** Where these and the other rows are. */
  sources: RowSources | undefined;
}

/** Called with all rows of a set without errors, hidden ones included. */
export type OnRows = (set: SetContent, version: string) => void;

/** Called for each row that is read, with the part of all bytes up to its end, from 0 to 1. */
export type OnRow = (part: number) => void;

/**
 * Reads and validates a whole set. Reports problems of the files, and does not throw because of them. Lists each of them
 * if `listAll`, or else groups equal ones.
 */
export async function readSet(
  source: CatalogSource,
  listAll = false,
  onRow?: OnRow,
  onRows?: OnRows,
): Promise<ReadSet> {
  const directory = systemDirectory(source.catalogDir, source.maxFileMb);
  const images = await imageNames(source.imagesDir);
  return readDirectory(directory, source, { images }, listAll, onRow, onRows);
}

/** Reads the files of a set that was served before, which has no ambiguous numbers: all were decided then. */
export async function readKeptSet(
  files: CatalogFile[],
  source: CatalogSource,
  reading: Reading,
  onRow?: OnRow,
  onRows?: OnRows,
): Promise<ReadSet> {
  const problems = collectProblems();
  const images = await imageNames(source.imagesDir);
  const validated = await validateSet(files, reading, { images }, problems.report, onRow, () => true);
  const result = finish({ files, markdown: [], damaged: [], lookAlikes: [] }, validated, reading, problems);
  if (result.rows) onRows?.(setContent(validated.catalogs), String(result.report.version));
  return result;
}

/** The files of a set as the history keeps them. */
export function keptFiles({ files, digests }: Pick<SetReport, 'files' | 'digests'>): KeptFile[] {
  return files.flatMap(file => {
    const digest = digests.find(({ file: name }) => name === file.file);
    return digest ? [{ ...file, ...digest }] : [];
  });
}
