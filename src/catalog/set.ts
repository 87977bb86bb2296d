import { arrange, type CatalogRows, versionOf } from './arrange.ts';
import type { Sheets } from './cross-check.ts';
import { type Conventions, examine } from './examine.ts';
import { fingerprint } from './fingerprint.ts';
import { checkEnds, checkShrinkage } from './losses.ts';
import { isError, type Problem, type Report } from './problems.ts';
import { type CatalogFile, type Digest, readFiles } from './read.ts';
import { catalogNames } from './schemas.ts';
import type { LoadedFile } from './table.ts';
import { distrustMs } from './trust.ts';

/** Where a set is, and how it is meant. */
export interface CatalogSource extends Conventions {
  catalogDir: string;
  /** How big a file may be, in MB. */
  maxFileMb: number;
}

/** What was found in a set. */
export interface SetReport {
  /** Undefined where the set has an error: it is taken up as a whole or not at all. */
  version: string | undefined;
  /** The first 100 that are wrong with the set, errors before warnings, in the order of files, lines and columns. */
  problems: Problem[];
  /** How many errors and warnings there are in all. */
  errors: number;
  warnings: number;
  /** The files that could be taken apart, and all that could be read. */
  files: LoadedFile[];
  digests: Digest[];
}

/** What a changed set is compared with. */
export interface Expectation {
  /** The fingerprint of the files that are to be read. */
  fingerprint: string;
  /** For how many milliseconds they have lain still. */
  stillMs: number;
  /** The set that is served. */
  served: SetReport | undefined;
  /** The set that was read last, where that had an error. */
  refused: SetReport | undefined;
  /** Whether catalogs may lose more than half of their rows. */
  allowShrink: boolean;
}

/** A set that was read: what was found in it, and the rows that are to be served, where it has no error. */
export interface ReadSet {
  report: SetReport;
  rows: CatalogRows | undefined;
}

/**
 * What became of reading a changed set. `moved`: the files were changed again meanwhile. `unchanged`: they are what is
 * served. `distrusted`: they may not be whole, unless they lie still for `quietMs` milliseconds.
 */
export type ChangedSet =
  | { outcome: 'moved' }
  | { outcome: 'unchanged' }
  | { outcome: 'distrusted'; quietMs: number }
  | ({ outcome: 'read' } & ReadSet);

/** More than these nobody reads. */
const MAX_PROBLEMS = 100;

/** Reads, validates and cross-checks a whole set. Never throws over what the files hold. */
export async function readSet(source: CatalogSource): Promise<ReadSet> {
  const { problems, report } = collect();
  const files = await readFiles(source.catalogDir, source.maxFileMb, report);
  return conclude(files, await examine(files, source, report), problems);
}

/** Does the same with a set that is to take the place of another, and compares the two. */
export async function readChangedSet(source: CatalogSource, expected: Expectation): Promise<ChangedSet> {
  const { problems, report } = collect();
  const { served, refused } = expected;
  const files = await readFiles(source.catalogDir, source.maxFileMb, report);
  const { key } = await fingerprint(source.catalogDir);
  if (key !== expected.fingerprint) return { outcome: 'moved' };
  if (served && isSame(files, served.digests)) return { outcome: 'unchanged' };
  const quietMs = distrustMs(files, refused?.digests ?? []);
  if (quietMs > expected.stillMs) return { outcome: 'distrusted', quietMs };

  const sheets = await examine(files, source, report);
  if (served) checkEnds(sheets, served.files, report);
  // Rows that are lost to an error are told by that error.
  if (served && !expected.allowShrink && !problems.some(isError)) {
    checkShrinkage(sheets, served.files, report);
  }
  return { outcome: 'read', ...conclude(files, sheets, problems) };
}

function collect(): { problems: Problem[]; report: Report } {
  const problems: Problem[] = [];
  return {
    problems,
    report: (place, code, message, also) => problems.push({ ...place, code, message, ...(also && { also }) }),
  };
}

function conclude(files: readonly CatalogFile[], sheets: Sheets, problems: Problem[]): ReadSet {
  const rows = problems.some(isError) ? undefined : rowsOf(sheets);
  const loaded = filesOf(sheets);
  const digests = files.map(({ file, bytes, sha256 }) => ({ file, bytes, sha256 }));
  const version = rows && versionOf(rows);
  return {
    report: { version, ...summarize(problems, loaded), files: loaded, digests },
    rows: rows && arrange(rows),
  };
}

function isSame(digests: readonly Digest[], others: readonly Digest[]): boolean {
  const names = (list: readonly Digest[]) => list.map(({ file, sha256 }) => `${file} ${sha256}`).join();
  return names(digests) === names(others);
}

function rowsOf(sheets: Sheets): CatalogRows {
  // Every sheet has its own catalog's rows.
  return Object.fromEntries(catalogNames.map(name => [name, sheets[name]?.rows])) as CatalogRows;
}

function filesOf(sheets: Sheets): LoadedFile[] {
  return catalogNames.flatMap(catalog => {
    const table = sheets[catalog]?.table;
    if (!table) return [];
    const { file, rows, encoding, delimiter, lastRow } = table;
    return [{ catalog, file, rows: rows.length, encoding, delimiter, lastRow }];
  });
}

/** Files that could not be taken apart come first, the others in the order of the catalogs. */
function summarize(problems: Problem[], files: LoadedFile[]) {
  const rank = ({ file }: Problem) => files.findIndex(loaded => loaded.file === file);
  const byPlace = (a: Problem, b: Problem) =>
    rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
  const errors = problems.filter(isError);
  const warnings = problems.filter(problem => !isError(problem));
  return {
    problems: [...errors.sort(byPlace), ...warnings.sort(byPlace)].slice(0, MAX_PROBLEMS).sort(byPlace),
    errors: errors.length,
    warnings: warnings.length,
  };
}
