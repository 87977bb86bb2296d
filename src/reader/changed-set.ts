import { isMarkdownPath } from '../contract/catalog-files.ts';
import { type CatalogName, catalogNames } from '../contract/columns.ts';
import { formatProblem } from '../contract/problems.ts';
import { systemFs } from '../files/atomic-write.ts';
import type { AmbiguousNumber } from '../formats/decimals.ts';
import type { CatalogFile, FileDigest } from '../formats/formats.ts';
import { filesOf, historyDirectory, type KeptSet, keptSets, readKeptFile } from '../history/contents.ts';
import { historyPath, type OnDamage } from '../history/entries.ts';
import type { Entry, KeptFile } from '../history/entry.ts';
import { findVersion } from '../history/versions.ts';
import { reasonOf } from '../messages.ts';
import { collectProblems } from '../set/collect-problems.ts';
import { type AnyRow, type FormerSet, rowKey } from '../set/compare/differences.ts';
import { compareSets } from '../set/compare-sets.ts';
import type { Directory } from '../set/directory.ts';
import { type DirectoryContent, isSameFiles, readFiles } from '../set/files.ts';
import { type Beginning, beginningOfFile, cutOffFiles } from '../set/hold-back/cut-off.ts';
import { notCompared } from '../set/hold-back/hold-back.ts';
import { gone } from '../set/look-alikes.ts';
import { type ChangedRows, endsOf, stillMsOf } from '../set/stability.ts';
import { fingerprint, imageNames, systemDirectory } from '../set/system-directory.ts';
import type { ValidatedCatalogs } from '../set/validate-catalog.ts';
import { validateSet } from '../set/validate-set.ts';
import { changedCatalogs, readFormerSet } from './former-set.ts';
import { type ComparedSet, compressNew, compressReport, readReport } from './keep-set.ts';
import { type CatalogSource, finish, type OnRow, type ReadSet, type SetReport } from './read-set.ts';

/** The set that a changed one replaces: the one that is served or, until one is, the one that was served last. */
export interface Before extends Pick<Entry, 'version' | 'files' | 'reading' | 'summary' | 'report'> {
  /** The state directory that has its files in its history. */
  stateDir: string;
  /** All files that it had, and each Markdown file; undefined if it was served before the start. */
  digests: readonly FileDigest[] | undefined;
}

/** What is expected of a changed set. */
export interface Expectation {
  /** The fingerprint of the files to read. */
  fingerprint: string;
  /** For how many milliseconds they have not changed, at the earliest, when the set is taken up. */
  stillMs: number;
  /** Whether they have been found incomplete, and have changed since. */
  isBeingWritten: boolean;
  before: Before | undefined;
  /** Whether a drastic change is to be confirmed. */
  holdBack: boolean;
}

/**
 * The outcome of reading a changed set. `unchanged`: the files have the content that is served. `incomplete`: they have
 * changed again, or may be incomplete unless they do not change for `stillMs` milliseconds.
 */
export type ChangedSet =
  | NextSet
  | { outcome: 'unchanged'; report: SetReport }
  | { outcome: 'incomplete'; stillMs: number };

/** A set to serve, or its errors. The serving process has the `unchanged` catalogs. */
export interface NextSet extends Omit<ReadSet, 'content'> {
  outcome: 'read';
  compared: ComparedSet | undefined;
  unchanged: CatalogName[];
}

interface ReadingOptions {
  onRow?: OnRow | undefined;
  onDamage: OnDamage;
  /** Is read in place of the catalog directory, whatever lies there and for as long as it takes to be believed. */
  other?: Directory | undefined;
  /** Decides ambiguous numbers, rather than the set before. */
  accepts?: ((number: AmbiguousNumber) => boolean) | undefined;
}

/** Reads the set that is to replace another, and compares the two. */
export async function readChangedSet(
  source: CatalogSource,
  { before, holdBack, isBeingWritten, ...expected }: Expectation,
  { onRow, onDamage, other, accepts }: ReadingOptions,
): Promise<ChangedSet> {
  const problems = collectProblems();
  const { report } = problems;
  const filesBefore = before?.files ?? [];
  const digestsBefore = before?.digests ?? filesBefore;
  const directory = other ?? systemDirectory(source);
  const textsBefore = digestsBefore.map(({ file }) => file).filter(isMarkdownPath);
  const content = await readFiles(directory, report, filesBefore, textsBefore);
  const { files, lookAlikes } = content;
  const isMoved = !other && (await fingerprint(source.catalogDir)).key !== expected.fingerprint;
  if (isMoved) return { outcome: 'incomplete', stillMs: 0 };
  const changed = before && changedCatalogs(before, files, source);
  const isSame = changed?.length === 0 && !problems.hasErrors();
  // The contents are emptied while they are parsed.
  const ends = changedEnds(content, digestsBefore);
  const [former] = await Promise.all([
    before && changed && readBefore(before, changed, files, onDamage),
    !other && compressNew(source, files),
  ]);

  const images = await directory.images();
  const decide = accepts ?? openAccepts(changed, former?.rows);
  const validated = await validateSet(files, source, images, report, onRow, decide);
  const rows = problems.hasErrors() ? [] : changedRows(files, filesBefore, validated.catalogs, former?.rows);
  // The set that was served last has lain still.
  const isLast = isSame && !before?.digests;
  const stillMs = isLast ? 0 : stillMsOf({ ends, served: digestsBefore, catalogs: rows, isBeingWritten });
  if (!other && expected.stillMs < stillMs) return { outcome: 'incomplete', stillMs };
  const { content: set, ...result } = finish(content, validated, source, problems);
  if (set && isSame && !isLast) return { outcome: 'unchanged', report: result.report };
  const unchanged = before?.digests ? catalogNames.filter(name => changed?.includes(name) === false) : [];
  const read = { outcome: 'read', ...result, unchanged, compared: undefined } as const;
  if (!set || !before) return read;
  // It has the report that it had then.
  if (isLast) return { ...read, compared: await readReport(before.stateDir, before, onDamage) };
  if (!former) {
    const holds = holdBack ? [notCompared(before.version)] : [];
    return { ...read, report: { ...result.report, holds } };
  }
  const guarded = holdBack
    ? {
        cutOff: cutOffFiles(validated.catalogs, filesBefore, former.beginnings),
        gone: (catalog: CatalogName) => gone(fileOf(catalog, filesBefore), catalog, lookAlikes),
      }
    : undefined;
  const names = { from: before.version, to: String(result.report.version) };
  const { summary, table, holds, tags } = compareSets(former.rows, set, { names, guarded });
  const changes = { summary, report: compressReport(table), from: before.version, tags };
  return { ...read, report: { ...result.report, holds }, compared: { table, changes } };
}

/** How the files end that are not those before; each Markdown file for itself. */
function changedEnds({ files, markdown, damaged }: DirectoryContent, before: readonly FileDigest[]) {
  const keyOf = ({ file, sha256 }: FileDigest) => `${file} ${sha256}`;
  const known = new Set(before.map(keyOf));
  const isSame = (file: FileDigest) => known.has(keyOf(file));
  const sameTexts = new Set(markdown.filter(isSame).map(({ file }) => file));
  const others = [...files, ...damaged].filter(file => !isSame(file));
  return others.flatMap(endsOf).filter(({ file }) => !sameTexts.has(file));
}

/** What is known of the set before: the rows of the catalogs that may differ, and the files that are only the beginning. */
interface FormerContent {
  rows: FormerSet;
  beginnings: ReadonlyMap<string, Beginning>;
}

/** Undefined, and reported, if the set before cannot be read any more. */
async function readBefore(
  before: Before,
  changed: readonly CatalogName[],
  files: readonly CatalogFile[],
  onDamage: OnDamage,
): Promise<FormerContent | undefined> {
  const { stateDir, version } = before;
  try {
    const beginnings = new Map<string, Beginning>();
    for (const was of before.files) {
      const shorter = files.find(({ file, bytes }) => file === was.file && bytes < was.bytes);
      if (!shorter) continue;
      const content = await readKeptFile(systemFs, historyPath(stateDir), was, onDamage);
      if (!content) return undefined;
      const beginning = beginningOfFile(was.file, shorter.content, content);
      if (beginning) beginnings.set(was.file, beginning);
    }
    const rows = await readFormerSet(stateDir, before, changed, onDamage);
    return rows && { rows, beginnings };
  } catch (error) {
    onDamage(`version ${version} of the history cannot be read: ${reasonOf(error)}`);
    return undefined;
  }
}

/** What decides whether an ambiguous number is a decimal: that it is one in the same cell of the set before. */
function openAccepts(changed: readonly CatalogName[] | undefined, former: FormerSet | undefined) {
  const indexes = new Map<CatalogName, ReadonlyMap<unknown, AnyRow>>();
  const rowOf = (catalog: CatalogName, id: unknown) => {
    const rows = former?.get(catalog)?.rows ?? [];
    const index = indexes.get(catalog) ?? new Map(rows.map(row => [row.id, row]));
    indexes.set(catalog, index);
    return index.get(id);
  };
  return ({ catalog, id, column, value }: AmbiguousNumber) =>
    changed?.includes(catalog) === false || rowOf(catalog, id)?.[column] === value;
}

/** The rows of the catalogs whose files are not those before. */
function changedRows(
  files: readonly CatalogFile[],
  before: readonly KeptFile[],
  catalogs: ValidatedCatalogs,
  formerSet: FormerSet | undefined,
): ChangedRows[] {
  return catalogNames.flatMap(catalog => {
    const [own, were] = [files, before].map(files => files.filter(file => file.catalog === catalog));
    if (!own || !were || isSameFiles(own, were)) return [];
    const isGone = were.some(({ file }) => files.every(other => other.file !== file));
    // A row of any catalog is one.
    const after = (catalogs[catalog]?.rows ?? []) as unknown as readonly AnyRow[];
    const former = were.length === 0 ? [] : formerSet?.get(catalog)?.rows;
    const keysOf = (rows: readonly AnyRow[]) => rows.map(row => rowKey(catalog, row));
    const names = own.map(({ file }) => file);
    return [{ files: names, isGone, served: former && keysOf(former), next: keysOf(after) }];
  });
}

function fileOf(catalog: string, files: readonly { catalog: string; file: string }[]): string {
  return files.find(file => file.catalog === catalog)?.file ?? catalog;
}

/** Which set of the history to read. */
export interface WantedSet {
  /** A version, or its first digits; empty for the newest set of the directory that can be read. */
  version: string;
  /** The set that it replaces; undefined if none is served. */
  replaced: Before | undefined;
}

/** A set of the history, and since when it was served. */
type RestoredSet = NextSet & { since: number };

/**
 * Reads a set of the history as a whole; undefined if none is wanted by its version, and none can be read.
 * @throws Error that says why the wanted version cannot be read.
 */
export async function restoreSet(
  source: CatalogSource,
  { version, replaced }: WantedSet,
  options: ReadingOptions,
): Promise<RestoredSet | undefined> {
  const { onDamage } = options;
  const dir = historyPath(source.stateDir);
  const restore = (set: KeptSet) => readEntrySet(set, source, replaced, options);
  if (version !== '') {
    const entry = await findVersion(systemFs, dir, version, onDamage);
    const files = await filesOf(systemFs, dir, entry.files, onDamage);
    if (!files) throw new Error(`files of version ${entry.version} in the history are damaged or missing`);
    return restore({ entry, files });
  }
  for await (const set of keptSets(systemFs, dir, source.catalogDir, onDamage)) {
    try {
      return await restore(set);
    } catch (error) {
      onDamage(reasonOf(error));
    }
  }
  return undefined;
}

/** @throws Error that says why the set cannot be served. */
async function readEntrySet(
  { entry, files }: KeptSet,
  source: CatalogSource,
  replaced: Before | undefined,
  options: ReadingOptions,
): Promise<RestoredSet> {
  const before = replaced ?? { ...entry, stateDir: source.stateDir, digests: undefined };
  const expected = { fingerprint: '', stillMs: 0, isBeingWritten: false, before, holdBack: false };
  const set = await readChangedSet({ ...source, ...entry.reading }, expected, {
    ...options,
    other: historyDirectory(files, () => imageNames(source.imagesDir)),
    // All were decided when it was served.
    accepts: () => true,
  });
  const problem = 'report' in set ? set.report.problems[0] : undefined;
  if (set.outcome !== 'read' || !set.rows)
    throw new Error(
      `version ${entry.version} of the history cannot be served: ${problem && formatProblem(problem)}`,
    );
  return { ...set, since: entry.since };
}
