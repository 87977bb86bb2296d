import { catalogNames } from '../../contract/columns.ts';
import type { SetContent } from '../changes/walk.ts';
import { type Entry, isReadAs, type KeptFile, type Reading } from '../history/entry.ts';
import type { HistoryBounds } from '../history/prune.ts';
import { collectProblems, type ProblemSummary } from '../problems/collector.ts';
import { hasImage, imageNames } from '../read/directory/images.ts';
import {
  type CatalogFile,
  type DirectoryContent,
  type FileDigest,
  isSameFiles,
  readFiles,
} from '../read/files.ts';
import type { LoadedFile } from '../read/table.ts';
import { type CatalogRows, sortRows } from '../snapshot/sort.ts';
import { versionOf } from '../snapshot/version.ts';
import { type AmbiguousNumber, numberKey } from '../validate/cells/decimal-style.ts';
import { checkLastRow, checkShrinkage } from '../validate/truncation.ts';
import { type CellOptions, type ValidatedSet, validateSet } from '../validate/validate-set.ts';
import type { ValidatedTables } from '../validate/validate-table.ts';
import { fingerprint } from '../watch/fingerprint.ts';
import { requiredStillMs } from '../watch/stability.ts';
import { setContent } from './catalog-content.ts';
import type { Limits } from './limits.ts';

/** Where the files of a set are, and how to read them. */
export interface CatalogSource extends CellOptions, Limits, HistoryBounds {
  catalogDir: string;
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
  /** All files that could be read. */
  digests: FileDigest[];
  /** The names of the files that look like catalogs and are not read. */
  notRead: string[];
  /** The images that are missing from their directory, at most 1,000. */
  awaitedImages: string[];
  /** How the files were read. */
  reading: Reading;
  /** What it changes; undefined if it has errors, or that is not known. */
  changes?: SetChanges | undefined;
}

/** What a set changes, as the history keeps it. */
export interface SetChanges extends Required<Pick<Entry, 'summary' | 'report'>> {
  /** Whether it changes that now, rather than when it was first served, before the start. */
  isNew: boolean;
}

/** What a changed set is compared with. */
export interface Expectation {
  /** The fingerprint of the files to read. */
  fingerprint: string;
  /** For how many milliseconds they have not changed. */
  stillMs: number;
  /** The set that is served. */
  served: SetReport | undefined;
  /** The set that was served before the start, until one is served. */
  kept: Entry | undefined;
  /** The set that was read last, if it had errors. */
  refused: SetReport | undefined;
  /** The {@link numberKey} of each ambiguous number that is served as this decimal; undefined before a look. */
  servedNumbers: ReadonlySet<string> | undefined;
  /** Whether catalogs may lose more than half of their rows. */
  allowShrink: boolean;
}

/** A set that was read. */
export interface ReadSet {
  report: SetReport;
  /** The rows to serve, in their order; undefined if the set has errors. */
  rows: CatalogRows | undefined;
}

/**
 * The outcome of reading a changed set. `moved`: the files changed again in the meantime. `unchanged`: they have the
 * content that is served; with a `report` if something around them has changed. `unstable`: they may be incomplete,
 * unless they do not change for `quietMs` milliseconds. `ambiguous`: the served set has to show what these numbers mean.
 */
export type ChangedSet =
  | { outcome: 'moved' }
  | { outcome: 'unchanged'; report?: SetReport }
  | { outcome: 'unstable'; quietMs: number }
  | { outcome: 'ambiguous'; numbers: AmbiguousNumber[] }
  | ({ outcome: 'read' } & ReadSet);

/** Sees a changed set while it is read. */
export interface SetObserver {
  /** Called with the files before they are read. */
  onFiles?(files: readonly CatalogFile[]): Promise<void>;
  /** Called with all rows of a set without errors, hidden ones included. */
  onRows?(set: SetContent, version: string): void;
}

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
  { onRows }: Pick<SetObserver, 'onRows'> = {},
): Promise<ReadSet> {
  const problems = collectProblems(listAll);
  const content = await readFiles(source.catalogDir, source.maxFileMb, problems.report);
  const validated = await validateSet(content.files, source, problems.report, onRow);
  const result = finish(content, validated, source, problems);
  if (result.rows) onRows?.(setContent(validated.tables), String(result.report.version));
  return result;
}

/** Reads a set that is to replace the served one, or the one that was served before the start. Checks that it is complete. */
export async function readChangedSet(
  source: CatalogSource,
  expected: Expectation,
  onRow?: OnRow,
  observer: SetObserver = {},
): Promise<ChangedSet> {
  const problems = collectProblems();
  const { report } = problems;
  const { served, kept, refused } = expected;
  const before = served?.files ?? kept?.files;
  const content = await readFiles(source.catalogDir, source.maxFileMb, report, before);
  const { files, lookAlikes } = content;
  const { key } = await fingerprint(source.catalogDir);
  if (key !== expected.fingerprint) return { outcome: 'moved' };
  const isServed = served !== undefined && !problems.hasErrors() && isSameFiles(files, served.digests);
  if (isServed && (await isSameAround(source, content, served))) return { outcome: 'unchanged' };
  const quietMs = requiredStillMs(files, refused?.digests ?? []);
  const isKept =
    !served && kept !== undefined && isSameFiles(files, kept.files) && isReadAs(source, kept.reading);
  if (quietMs > expected.stillMs && !isKept) return { outcome: 'unstable', quietMs };
  await observer.onFiles?.(files);

  const ambiguous: AmbiguousNumber[] = [];
  const accepts = (number: AmbiguousNumber) => {
    ambiguous.push(number);
    return isKept || expected.servedNumbers?.has(numberKey(number)) === true;
  };
  const validated = await validateSet(files, source, report, onRow, accepts);
  if (before && !isKept && !expected.servedNumbers && ambiguous.length > 0) {
    return { outcome: 'ambiguous', numbers: ambiguous };
  }
  const { tables } = validated;
  if (before) checkLastRow(tables, before, report);
  // An error explains why rows are missing.
  if (before && !expected.allowShrink && !problems.hasErrors()) {
    checkShrinkage(tables, before, lookAlikes, report);
  }
  const result = finish(content, validated, source, problems);
  if (result.rows && isServed)
    return { outcome: 'unchanged', report: { ...result.report, changes: served.changes } };
  if (result.rows) observer.onRows?.(setContent(tables), String(result.report.version));
  return { outcome: 'read', ...result };
}

/** Reads the files of a set that was served before, which has no ambiguous numbers: all were decided then. */
export async function readKeptSet(
  files: CatalogFile[],
  source: CatalogSource,
  reading: Reading,
  onRow?: OnRow,
  { onRows }: Pick<SetObserver, 'onRows'> = {},
): Promise<ReadSet> {
  const problems = collectProblems();
  const validated = await validateSet(files, { ...source, ...reading }, problems.report, onRow, () => true);
  const result = finish({ files, lookAlikes: [] }, validated, reading, problems);
  if (result.rows) onRows?.(setContent(validated.tables), String(result.report.version));
  return result;
}

/** Sorts the rows for serving, if there is no error. */
function finish(
  { files, lookAlikes }: DirectoryContent,
  { tables, awaitedImages }: ValidatedSet,
  { csvEncoding, csvDecimal, timeZone }: Reading,
  problems: ReturnType<typeof collectProblems>,
): ReadSet {
  const rows = problems.hasErrors() ? undefined : rowsOf(tables);
  const loaded = filesOf(tables);
  const digests = files.map(({ file, bytes, sha256 }) => ({ file, bytes, sha256 }));
  const sorted = rows && sortRows(rows);
  const version = sorted && versionOf(sorted);
  return {
    report: {
      version,
      ...problems.summarize(loaded.map(({ file }) => file)),
      files: loaded,
      digests,
      notRead: lookAlikes.map(({ file }) => file),
      awaitedImages,
      reading: { csvEncoding, csvDecimal, timeZone },
    },
    rows: sorted,
  };
}

/** The files of a set as the history keeps them. */
export function keptFiles({ files, digests }: Pick<SetReport, 'files' | 'digests'>): KeptFile[] {
  return files.flatMap(file => {
    const digest = digests.find(({ file: name }) => name === file.file);
    return digest ? [{ ...file, ...digest }] : [];
  });
}

/** Whether what is not in the catalog files, but leads to warnings, is as it was for the served report. */
async function isSameAround(
  { imagesDir }: CatalogSource,
  { lookAlikes }: DirectoryContent,
  { notRead, awaitedImages }: SetReport,
): Promise<boolean> {
  if (lookAlikes.map(({ file }) => file).join('/') !== notRead.join('/')) return false;
  if (awaitedImages.length === 0) return true;
  const names = (await imageNames(imagesDir)) ?? new Set();
  return !awaitedImages.some(image => hasImage(names, image));
}

function rowsOf(tables: ValidatedTables): CatalogRows {
  // Each table has the rows of its own catalog.
  return Object.fromEntries(catalogNames.map(name => [name, tables[name]?.rows])) as CatalogRows;
}

function filesOf(tables: ValidatedTables): LoadedFile[] {
  return catalogNames.flatMap(catalog => {
    const validated = tables[catalog];
    if (!validated) return [];
    const { file, rows, encoding, delimiter, lastRow } = validated.table;
    const decimal = validated.hasDecimalComma ? ',' : undefined;
    return [{ catalog, file, rows: rows.length, encoding, delimiter, decimal, lastRow }];
  });
}
