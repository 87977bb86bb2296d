import { type CatalogName, catalogNames } from '../contract/columns.ts';
import type { CatalogFile, FileDigest } from '../formats/formats.ts';
import { type Entry, type KeptFile, readingOf } from '../history/entries.ts';
import type { HistoryBounds } from '../history/keep.ts';
import { collectProblems, type ProblemSummary } from '../set/collect-problems.ts';
import type { SetContent } from '../set/compare/differences.ts';
import type { NamedImages } from '../set/contents.ts';
import type { Directory, SystemPaths } from '../set/directory.ts';
import { type DirectoryContent, digestOf, readFiles } from '../set/files.ts';
import type { HoldReason } from '../set/hold-back/hold-back.ts';
import type { ValidatedCatalogs } from '../set/validate-catalog.ts';
import { type Follower, type Reading, type ValidatedSet, validateSet } from '../set/validate-set.ts';
import type { Settings } from '../settings/settings.ts';
import { type CatalogRows, sortRows, versionOf } from '../snapshot/sort.ts';
import { type RowProblems, type RowSources, rowProblems, rowSources } from '../snapshot/sources.ts';
import type { Limits } from './limits.ts';

export type CatalogSource = Reading & Limits & HistoryBounds & SystemPaths & Pick<Settings, 'stateDir'>;

/** Reads and validates a set. The report groups equal problems, unless `listAll`. */
export async function readSet(
  directory: Directory,
  reading: Reading,
  { listAll = false, ...follower }: { listAll?: boolean } & Follower = {},
): Promise<ReadSet> {
  const problems = collectProblems({ listAll });
  const content = await readFiles(directory, problems.report);
  const images = await directory.images();
  const validated = await validateSet(content.files, reading, images, problems.report, follower);
  return finishReading(content, validated, reading, problems);
}

/** Sorts the rows for serving, unless there are errors or a row was lost. */
export function finishReading(
  { files, markdown, damaged }: DirectoryContent,
  { catalogs, images }: ValidatedSet,
  reading: Reading,
  problems: ReturnType<typeof collectProblems>,
): ReadSet {
  const loaded = loadedFiles(catalogs, files);
  const report = {
    version: undefined,
    ...problems.summarize(loaded.map(({ file }) => file)),
    files: loaded,
    digests: [...[...files, ...damaged].map(digestOf), ...markdown],
    images,
    reading: readingOf(reading),
  };
  if (problems.hasErrors() || !isWhole(files, catalogs))
    return { report, content: undefined, rows: undefined, sources: undefined };
  const rows = sortRows(ofEach(name => catalogs[name]?.rows) as CatalogRows);
  return {
    report: { ...report, version: versionOf(rows), rowProblems: rowProblems(catalogs, problems.byRow) },
    content: setContentOf(catalogs),
    rows,
    sources: rowSources(catalogs, rows),
  };
}

function loadedFiles(catalogs: ValidatedCatalogs, files: DirectoryContent['files']): KeptFile[] {
  return catalogNames.flatMap(catalog =>
    (catalogs[catalog]?.tables ?? []).flatMap(({ table, hasDecimalComma }) => {
      const { file, sheet, rows, encoding, delimiter, lastRow } = table;
      const digest = files.find(other => other.file === file);
      const decimal = hasDecimalComma ? (',' as const) : undefined;
      const loaded = { catalog, file, sheet, rows: rows.length, encoding, delimiter, lastRow, decimal };
      return digest ? { ...loaded, ...digestOf(digest) } : [];
    }),
  );
}

export interface SetReport extends ProblemSummary {
  /** Undefined if the set has errors. */
  version: string | undefined;
  files: KeptFile[];
  /** All files that could be read, and each Markdown file. */
  digests: FileDigest[];
  images: NamedImages;
  /** Undefined if the set has errors. */
  rowProblems?: RowProblems | undefined;
  reading: Reading;
  /** Undefined if the set has errors or the changes are unknown. */
  changes?: SetChanges | undefined;
  /** Why the set waits for confirmation; empty or undefined if it does not. */
  holds?: HoldReason[] | undefined;
}

/** What a set changes, as stored in the history. */
export interface SetChanges extends Required<Pick<Entry, 'summary' | 'report'>> {
  /** The summary without future prices. */
  seen?: string;
  /** The replaced version; undefined if it was replaced before this start. */
  from?: string;
  /** The cache tags to purge. */
  tags?: string[];
}

/** A set that was read. With errors, its parts are undefined. */
export interface ReadSet {
  report: SetReport;
  /** All rows, including hidden ones. */
  content: SetContent | undefined;
  /** The rows to serve, sorted. */
  rows: CatalogRows | undefined;
  sources: RowSources | undefined;
}

/** Reads all rows of a set that was served, whose ambiguous numbers are settled. Undefined if a row can no longer be read. */
export async function readServed(files: readonly CatalogFile[], reading: Reading) {
  const { report } = collectProblems({ wasServed: true });
  const { catalogs } = await validateSet(files, reading, undefined, report, {}, () => true);
  return isWhole(files, catalogs) ? setContentOf(catalogs) : undefined;
}

/** Whether every file could be parsed, and every row has the values that it needs. */
function isWhole(files: readonly CatalogFile[], catalogs: ValidatedCatalogs): boolean {
  return catalogNames.every(name => {
    const { tables = [], rows = [] } = catalogs[name] ?? {};
    const found = tables.reduce((sum, { table }) => sum + (table.complete ? table.rows.length : Infinity), 0);
    return tables.length === files.filter(file => file.catalog === name).length && found === rows.length;
  });
}

function setContentOf(catalogs: ValidatedCatalogs): SetContent {
  return ofEach(name => {
    const { tables, rows } = catalogs[name] ?? {};
    if (!tables) return undefined;
    const columns = [...new Set(tables.flatMap(({ columns }) => columns))];
    const empty = tables.flatMap(({ empty }) => empty);
    return { rows, columns, empty, isMarkdown: tables.some(({ table }) => table.format === 'markdown') };
  }) as SetContent;
}

function ofEach<Value>(map: (name: CatalogName) => Value): Record<string, Value> {
  return Object.fromEntries(catalogNames.map(name => [name, map(name)]));
}
