import { resolve } from 'node:path';
import { dateIn, isMarkdownPath, markdownName } from '../contract/catalog-files.ts';
import { type CatalogName, catalogNames, columnsOf, type NamedCatalog } from '../contract/columns.ts';
import type { CatalogFile, FileDigest } from '../formats/formats.ts';
import type { AmbiguousNumber } from '../formats/table.ts';
import {
  type Entry,
  eachEntry,
  historyIn,
  isReadAs,
  type KeptFile,
  type OnDamage,
  readEntryFiles,
  readKeptFile,
} from '../history/entries.ts';
import { reasonOf } from '../messages.ts';
import { collectProblems } from '../set/collect-problems.ts';
import type { ChangeTable } from '../set/compare/changes.ts';
import { type AnyRow, type FormerSet, rowKey } from '../set/compare/differences.ts';
import { compareSets } from '../set/compare-sets.ts';
import { type Directory, fingerprint, systemDirectory } from '../set/directory.ts';
import { type DirectoryContent, isSameFiles, readFiles } from '../set/files.ts';
import { type Beginning, beginningOfFile, cutOffFiles } from '../set/hold-back/cut-off.ts';
import { notCompared } from '../set/hold-back/hold-back.ts';
import { gone } from '../set/look-alikes.ts';
import { type ChangedRows, endsOf, stillMsOf } from '../set/stability.ts';
import type { ValidatedCatalogs } from '../set/validate-catalog.ts';
import { type Follower, type Reading, validateSet } from '../set/validate-set.ts';
import { openTimeZone } from '../time-zone.ts';
import { type Contents, compressNew, compressReport, readReport } from './keep-set.ts';
import {
  type CatalogSource,
  finishReading,
  type ReadSet,
  readServed,
  type SetChanges,
  type SetReport,
} from './read-set.ts';

/** The set that a changed one replaces: the served one or, until there is one, the last served one. */
export interface Before extends Pick<Entry, 'version' | 'files' | 'reading' | 'summary' | 'report'> {
  /** The state directory whose history has its files. */
  stateDir: string;
  /** All of its files, and each Markdown file; undefined if it was served before this start. */
  digests: readonly FileDigest[] | undefined;
}

export interface Expectation {
  fingerprint: string;
  /** How long the files have been stable, in milliseconds. */
  stillMs: number;
  /** Whether the files were found incomplete and have changed since. */
  isBeingWritten: boolean;
  before: Before | undefined;
  /** Whether drastic changes wait for confirmation. */
  holdBack: boolean;
  /** Whether to read the files only if they are those of the set before, which is not served yet. */
  isStart?: boolean;
}

/**
 * The outcome of reading a changed set. `unchanged`: the files have the served content. `incomplete`: they have changed
 * again, or must be stable for `stillMs`, since somebody may still be writing. `different`: at a start, they are not those of
 * the set before.
 */
export type ChangedSet =
  | NextSet
  | { outcome: 'unchanged'; report: SetReport }
  | { outcome: 'different' }
  | { outcome: 'incomplete'; stillMs: number };

export interface NextSet extends Omit<ReadSet, 'content'> {
  outcome: 'read';
  compared: { changes: SetChanges; table: ChangeTable } | undefined;
  /** The catalogs that the serving process already has. */
  unchanged: CatalogName[];
  /** The contents that the history lacks. */
  contents: Contents;
}

interface ReadingOptions extends Follower {
  onDamage: OnDamage;
  /** Read in place of the catalog directory, however short it has been stable. */
  other?: Directory | undefined;
  /** Whether these files were served before: then they are accepted, and ambiguous numbers are settled. */
  wasServed?: boolean;
}

export async function readChangedSet(
  source: CatalogSource,
  { before, holdBack, isBeingWritten, isStart, ...expected }: Expectation,
  { onDamage, other, wasServed = false, ...follower }: ReadingOptions,
): Promise<ChangedSet> {
  const problems = collectProblems({ wasServed });
  const { report } = problems;
  const filesBefore = before?.files ?? [];
  const digestsBefore = before?.digests ?? filesBefore;
  const directory = other ?? systemDirectory(source);
  const textsBefore = digestsBefore.map(({ file }) => file).filter(isMarkdownPath);
  const content = await readFiles(directory, report, filesBefore, textsBefore);
  const { files, lookAlikes } = content;
  const isMoved = !other && (await fingerprint(source.catalogDir)).key !== expected.fingerprint;
  if (isMoved) return { outcome: 'incomplete', stillMs: 0 };
  const rules = before?.reading.rules === 1 ? 1 : source.rules;
  let changed = before && changedCatalogs(before, files, { ...source, rules });
  let isSame = changed?.length === 0 && !problems.hasErrors();
  if (isStart && changed && !isSame) return { outcome: 'different' };
  const ends = changedEnds(content, digestsBefore);
  const contents = await compressNew(source, other ? [] : files);
  let former = before && changed && (await readBefore(before, changed, files, onDamage));

  const images = await directory.images();
  const accepts = wasServed ? () => true : openAccepts(changed, former?.rows);
  const validated = await validateSet(files, source, images, report, follower, accepts);
  const { catalogs } = validated;
  const unread = before?.reading.rules === 1 ? newlyReadColumns(catalogs) : [];
  if (before && unread.length > 0) {
    if (isStart) return { outcome: 'different' };
    [changed, isSame] = [catalogNames, false];
    former = await readBefore(before, changed, files, onDamage);
  }
  const rows = problems.hasErrors() ? [] : changedRows(files, filesBefore, catalogs, former?.rows);
  // The files of the last served set were stable then.
  const isLast = isSame && !before?.digests;
  const stillMs = isLast ? 0 : stillMsOf({ ends, served: digestsBefore, catalogs: rows, isBeingWritten });
  if (!other && expected.stillMs < stillMs) return { outcome: 'incomplete', stillMs };
  const { content: set, ...result } = finishReading(content, validated, source, problems);
  if (set && isSame && !isLast) return { outcome: 'unchanged', report: result.report };
  const unchanged = before?.digests ? catalogNames.filter(name => changed?.includes(name) === false) : [];
  const read = { outcome: 'read', ...result, unchanged, contents, compared: undefined } as const;
  if (!set || !before) return read;
  if (isLast) return { ...read, compared: await readReport(before.stateDir, before, onDamage) };
  if (!former) {
    // A version is a hash of the rows.
    const isSameVersion = result.report.version === before.version;
    const holds = holdBack && !isSameVersion ? [notCompared(before.version)] : [];
    return { ...read, report: { ...result.report, holds } };
  }
  const guarded = holdBack
    ? {
        cutOff: cutOffFiles(catalogs, filesBefore, former.beginnings),
        hasOtherZone: before.reading.timeZone !== source.timeZone,
        newlyRead: before.reading.rules === 1 ? newlyReadNews(catalogs) : new Set<number>(),
        gone: (catalog: CatalogName) =>
          gone(filesWith(catalog, filesBefore)[0]?.file ?? catalog, catalog, lookAlikes),
      }
    : undefined;
  const names = { from: before.version, to: String(result.report.version) };
  const { summary, seen, table, holds, tags } = compareSets(former.rows, set, names, guarded);
  const message = `${unread.join(', and ')}, which Vitrine ignored so far: rename what means something else`;
  if (guarded && unread.length > 0) holds.push({ code: 'UNREAD_FIELDS', message });
  if (holds[0]) holds[0].message += await originOf(source, files, filesBefore, onDamage);
  const stored = { summary, report: compressReport(table, contents) };
  const changes = { ...stored, seen, from: before.version, tags };
  return { ...read, report: { ...result.report, holds }, compared: { table, changes } };
}

/** Says what values would do in columns that earlier releases ignored. */
function newlyReadColumns(catalogs: ValidatedCatalogs): string[] {
  const hasAny = (column: 'extra' | 'valid_from') =>
    catalogNames.some(name => catalogs[name]?.rows.some((row: AnyRow) => row[column]));
  return [
    ...(hasAny('extra') ? ['columns extra.NAME would be public'] : []),
    ...(hasAny('valid_from') ? ['prices would be in force from their valid_from'] : []),
  ];
}

/** Returns the ids of the news items in files that earlier releases did not read, or refused. */
function newlyReadNews({ news }: ValidatedCatalogs): Set<number | undefined> {
  const isNew = (name = '') => name.endsWith('.markdown') || dateIn(name) !== undefined;
  const entries = news?.entries.filter(({ table }) => table.format === 'markdown') ?? [];
  return new Set(
    entries.flatMap(({ table, raw, row }) => (isNew(markdownName(table.locate(raw).file)) ? row.id : [])),
  );
}

/** Says which version of the history the changed files equal byte for byte; empty if none. */
async function originOf(
  { stateDir, catalogDir, timeZone }: CatalogSource,
  files: readonly CatalogFile[],
  before: readonly KeptFile[],
  onDamage: OnDamage,
): Promise<string> {
  const isIn = (others: readonly FileDigest[]) => (file: FileDigest) =>
    others.some(other => isSameFiles([other], [file]));
  const changed = files.filter(file => !isIn(before)(file));
  for await (const { entry } of eachEntry(historyIn(stateDir, onDamage))) {
    if (entry.catalogDir !== resolve(catalogDir) || !changed.every(isIn(entry.files))) continue;
    const isAll = files.every(isIn(entry.files));
    const what = isAll ? 'this is' : `${changed.map(({ file }) => file).join(' and ')} as in`;
    const day = openTimeZone(timeZone).format(entry.since).slice(0, 10);
    return changed.length > 0 ? ` (${what} version ${entry.version} of ${day})` : '';
  }
  return '';
}

/** Returns how each file ends that differs from the one before. */
function changedEnds({ files, markdown, damaged }: DirectoryContent, before: readonly FileDigest[]) {
  const known = new Map(before.map(({ file, sha256 }) => [file, sha256]));
  const isSame = ({ file, sha256 }: FileDigest) => known.get(file) === sha256;
  const sameTexts = new Set(markdown.filter(isSame).map(({ file }) => file));
  const others = [...files, ...damaged].filter(file => !isSame(file));
  return others.flatMap(endsOf).filter(({ file }) => !sameTexts.has(file));
}

/**
 * Reads from the set before the rows of the catalogs that may differ, and finds the new files that are only the beginning of
 * an old one. Returns undefined, and reports it, if the set cannot be read any more.
 */
async function readBefore(
  before: Before,
  changed: readonly CatalogName[],
  files: readonly CatalogFile[],
  onDamage: OnDamage,
): Promise<{ rows: FormerSet; beginnings: ReadonlyMap<string, Beginning> } | undefined> {
  const { stateDir, version } = before;
  try {
    const beginnings = new Map<string, Beginning>();
    for (const was of before.files) {
      const shorter = files.find(({ file, bytes }) => file === was.file && bytes < was.bytes);
      if (!shorter) continue;
      const content = await readKeptFile(historyIn(stateDir, onDamage), was);
      if (!content) return undefined;
      const beginning = beginningOfFile(was.file, shorter.content, content);
      if (beginning) beginnings.set(was.file, beginning);
    }
    const rows = await readFormer(stateDir, before, changed, onDamage);
    return rows && { rows, beginnings };
  } catch (error) {
    onDamage(`version ${version} of the history cannot be read: ${reasonOf(error)}`);
    return undefined;
  }
}

/** Returns a function that reads an ambiguous number as a decimal if the same cell was one before. */
function openAccepts(changed: readonly CatalogName[] | undefined, former: FormerSet | undefined) {
  const indexes = new Map<CatalogName, ReadonlyMap<unknown, AnyRow>>();
  return ({ catalog, id, column, value }: AmbiguousNumber) => {
    if (changed?.includes(catalog) === false) return true;
    const index = indexes.get(catalog) ?? new Map(former?.get(catalog)?.rows.map(row => [row.id, row]));
    indexes.set(catalog, index);
    return index.get(id)?.[column] === value;
  };
}

function changedRows(
  files: readonly CatalogFile[],
  before: readonly KeptFile[],
  catalogs: ValidatedCatalogs,
  formerSet: FormerSet | undefined,
): ChangedRows[] {
  return catalogNames.flatMap(catalog => {
    const [own, were] = [filesWith(catalog, files), filesWith(catalog, before)];
    if (isSameFiles(own, were)) return [];
    const isGone = were.some(({ file }) => files.every(other => other.file !== file));
    const after = (catalogs[catalog]?.rows ?? []) as unknown as readonly AnyRow[];
    const former = were.length === 0 ? [] : formerSet?.get(catalog)?.rows;
    const keysOf = (rows: readonly AnyRow[]) => rows.map(row => rowKey(catalog, row));
    const names = own.map(({ file }) => file);
    return [{ files: names, isGone, served: former && keysOf(former), next: keysOf(after) }];
  });
}

export type Former = Pick<Entry, 'version' | 'files' | 'reading'>;

/** Returns the catalogs whose content or settings differ from the former set, and those that refer to them by names. */
export function changedCatalogs(
  former: Former,
  files: readonly (FileDigest & Pick<KeptFile, 'catalog'>)[],
  reading: Reading,
): CatalogName[] {
  const [rulesBefore, rules] = [former.reading, reading].map(({ rules = 2 }) => rules);
  if (!isReadAs(former.reading, reading) || rulesBefore !== rules) return catalogNames;
  const isChanged = (name: CatalogName) =>
    !isSameFiles(filesWith(name, files), filesWith(name, former.files));
  return catalogNames.filter(name => isChanged(name) || referredBy(name).some(isChanged));
}

function filesWith<File extends { catalog: string }>(catalog: CatalogName, files: readonly File[]): File[] {
  return files.filter(file => file.catalog === catalog);
}

function referredBy(catalog: CatalogName): NamedCatalog[] {
  return columnsOf(catalog).flatMap(({ schema }) => schema.references ?? []);
}

/**
 * Reads all rows of these catalogs of a former set; undefined for a catalog that it lacked. Undefined as a whole if a file is
 * missing, damaged or no longer valid.
 */
export async function readFormer(
  stateDir: string,
  former: Former,
  catalogs: readonly CatalogName[],
  onDamage: OnDamage,
): Promise<FormerSet | undefined> {
  const isNeeded = (name: CatalogName) =>
    catalogs.some(catalog => catalog === name || referredBy(catalog).includes(name as NamedCatalog));
  const needed = former.files.filter(({ catalog }) => isNeeded(catalog));
  const files = await readEntryFiles(historyIn(stateDir, onDamage), needed);
  const content = files && (await readServed(files, former.reading));
  return content && new Map(catalogs.map(name => [name, content[name]]));
}
