import { catalogNames } from '../../contract/columns.ts';
import type { HoldReason } from '../changes/hold-back/hold-back.ts';
import type { SetContent } from '../changes/walk.ts';
import { type Entry, type KeptFile, type Reading, readingOf } from '../history/entry.ts';
import type { HistoryBounds } from '../history/prune.ts';
import { collectProblems, type ProblemSummary } from '../problems/collector.ts';
import {
  type CatalogFile,
  type DirectoryContent,
  digestOf,
  type FileDigest,
  readFiles,
} from '../read/files.ts';
import type { LoadedFile } from '../read/table.ts';
import { type CatalogRows, sortRows } from '../snapshot/sort.ts';
import type { RowSources } from '../snapshot/sources/row-sources.ts';
import { versionOf } from '../snapshot/version.ts';
import type { ValidatedCatalogs } from '../validate/validate-catalog.ts';
import { type CellOptions, type ValidatedSet, validateSet } from '../validate/validate-set.ts';
import { setContent } from './catalog-content.ts';
import type { Limits } from './limits.ts';
import { type RowProblems, rowProblems } from './sources/row-problems.ts';
import { rowSources } from './sources/row-sources.ts';

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
  const problems = collectProblems(listAll);
  const content = await readFiles(source.catalogDir, source.maxFileMb, problems.report);
  const validated = await validateSet(content.files, source, problems.report, onRow);
  const result = finish(content, validated, source, problems);
  if (result.rows) onRows?.(setContent(validated.catalogs), String(result.report.version));
  return result;
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
  const validated = await validateSet(files, { ...source, ...reading }, problems.report, onRow, () => true);
  const result = finish({ files, markdown: [], damaged: [], lookAlikes: [] }, validated, reading, problems);
  if (result.rows) onRows?.(setContent(validated.catalogs), String(result.report.version));
  return result;
}

/** Sorts the rows for serving, if there is no error. */
export function finish(
  { files, markdown, damaged, lookAlikes }: DirectoryContent,
  { catalogs, awaitedImages }: ValidatedSet,
  reading: Reading,
  problems: ReturnType<typeof collectProblems>,
): ReadSet {
  const rows = problems.hasErrors() ? undefined : rowsOf(catalogs);
  const loaded = filesOf(catalogs);
  const digests = [...[...files, ...damaged].map(digestOf), ...markdown];
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
      rowProblems: sorted && rowProblems(catalogs, problems.byRow),
      reading: readingOf(reading),
    },
    rows: sorted,
    sources: sorted && rowSources(catalogs, sorted),
  };
}

/** The files of a set as the history keeps them. */
export function keptFiles({ files, digests }: Pick<SetReport, 'files' | 'digests'>): KeptFile[] {
  return files.flatMap(file => {
    const digest = digests.find(({ file: name }) => name === file.file);
    return digest ? [{ ...file, ...digest }] : [];
  });
}

function rowsOf(catalogs: ValidatedCatalogs): CatalogRows {
  // Each one has the rows of its own catalog.
  return Object.fromEntries(catalogNames.map(name => [name, catalogs[name]?.rows])) as CatalogRows;
}

function filesOf(catalogs: ValidatedCatalogs): LoadedFile[] {
  return catalogNames.flatMap(catalog => {
    const tables = catalogs[catalog]?.tables ?? [];
    return tables.map(({ table, hasDecimalComma, refersTo }) => {
      const { file, sheet, rows, encoding, delimiter, lastRow } = table;
      return {
        ...{ catalog, file, sheet, rows: rows.length, encoding, delimiter, lastRow },
        decimal: hasDecimalComma ? ',' : undefined,
        refersTo: refersTo.length > 0 ? refersTo : undefined,
      } as const;
    });
  });
}
