import { hasImage, isMarkdownPath } from '../contract/catalog-files.ts';
import { type CatalogName, catalogNames } from '../contract/columns.ts';
import { type AmbiguousNumber, numberKey } from '../formats/decimals.ts';
import type { CatalogFile, FileDigest } from '../formats/formats.ts';
import { type Entry, isReadAs, type KeptFile } from '../history/entry.ts';
import { collectProblems } from '../set/collect-problems.ts';
import { type FormerRow, rowKey, type SetContent, sameStart } from '../set/compare/walk.ts';
import { type DirectoryContent, isSameFiles, readFiles } from '../set/files.ts';
import { fingerprint } from '../set/fingerprint.ts';
import type { Replacement } from '../set/hold-back/rules.ts';
import { gone } from '../set/look-alikes.ts';
import { type ChangedRows, endsOf, stillMsOf } from '../set/stability.ts';
import { imageNames, systemDirectory } from '../set/system-directory.ts';
import type { ValidatedCatalogs } from '../set/validate-catalog.ts';
import { cutOffRows, validateSet } from '../set/validate-set.ts';
import { type CatalogSource, finish, type OnRow, type ReadSet, type SetReport } from './read-set.ts';

/** What a changed set is compared with. */
export interface Expectation {
  /** The fingerprint of the files to read; undefined if they may be any. */
  fingerprint: string | undefined;
  /** For how many milliseconds they have not changed, at the earliest, when the set is taken up. */
  stillMs: number;
  /** The set that is served. */
  served: SetReport | undefined;
  /** The set that was served before the start, until one is served. */
  kept: Entry | undefined;
  /** Whether they have been found incomplete, and have changed since. */
  isBeingWritten: boolean;
  /** The {@link numberKey} of each ambiguous number that is served as this decimal; undefined before a look. */
  servedNumbers: ReadonlySet<string> | undefined;
  /** Whether a drastic change is to be confirmed. */
  holdBack: boolean;
}

/**
 * The outcome of reading a changed set. `moved`: the files changed again in the meantime. `unchanged`: they have the
 * content that is served; with a `report` if something around them has changed. `unstable`: they may be incomplete, unless
 * they do not change for `stillMs` milliseconds. `ambiguous`: the served set has to show what these numbers mean.
 */
export type ChangedSet =
  | { outcome: 'moved' }
  | { outcome: 'unstable'; stillMs: number }
  | { outcome: 'unchanged'; report?: SetReport }
  | { outcome: 'ambiguous'; numbers: AmbiguousNumber[] }
  | ({ outcome: 'read' } & Omit<ReadSet, 'content'>);

/** What the directory says about a set that has no errors. */
export interface Surroundings extends Pick<Replacement, 'gone'> {
  /** The files that seem to end inside their last row, and what to do about each. */
  cutOff: ReadonlyMap<string, string>;
}

/** Sees a changed set while it is read. */
interface SetObserver {
  /** Called with the files before they are parsed, which waits until it resolves. */
  onFiles?(files: readonly CatalogFile[]): Promise<void>;
  /** The rows that a changed catalog had, in the order of its file; undefined if they are not known any more. */
  formerRows?(catalog: CatalogName): readonly FormerRow[] | undefined;
  /** Called with all rows of a set without errors, hidden ones included. */
  onRows?(set: SetContent, version: string, surroundings: Surroundings): void;
}

/** Reads a set that is to replace the served one, or the one that was served before the start. */
export async function readChangedSet(
  source: CatalogSource,
  expected: Expectation,
  onRow?: OnRow,
  observer: SetObserver = {},
  directory = systemDirectory(source),
): Promise<ChangedSet> {
  const problems = collectProblems();
  const { report } = problems;
  const { served, kept } = expected;
  const before = (served ?? kept)?.files ?? [];
  const servedFiles = served?.digests ?? before;
  const content = await readFiles(
    directory,
    report,
    before,
    {},
    servedFiles.map(({ file }) => file).filter(isMarkdownPath),
  );
  const { files, markdown, damaged, lookAlikes } = content;
  if (
    expected.fingerprint !== undefined &&
    (await fingerprint(source.catalogDir)).key !== expected.fingerprint
  )
    return { outcome: 'moved' };
  const isServed = served !== undefined && !problems.hasErrors() && isSameFiles(files, before);
  if (isServed && (await isSameAround(source, content, served))) return { outcome: 'unchanged' };
  const isKept =
    !served && kept !== undefined && isSameFiles(files, kept.files) && isReadAs(source, kept.reading);
  const contentKey = ({ file, sha256 }: FileDigest) => `${file} ${sha256}`;
  const servedKeys = new Set(servedFiles.map(contentKey));
  const isSame = (file: FileDigest) => servedKeys.has(contentKey(file));
  const sameTexts = new Set(markdown.filter(isSame).map(({ file }) => file));
  // The contents are emptied while they are parsed.
  const ends = [...files, ...damaged]
    .filter(file => !isSame(file))
    .flatMap(endsOf)
    .filter(({ file }) => !sameTexts.has(file));
  await observer.onFiles?.(files);

  const ambiguous: AmbiguousNumber[] = [];
  const accepts = (number: AmbiguousNumber) => {
    ambiguous.push(number);
    return isKept || expected.servedNumbers?.has(numberKey(number)) === true;
  };
  const images = await directory.images();
  const validated = await validateSet(files, source, { images }, report, onRow, accepts);
  const { isBeingWritten } = expected;
  const { formerRows } = observer;
  const rows = problems.hasErrors() ? [] : changedRows(files, before, validated.catalogs, formerRows);
  const stillMs = isKept ? 0 : stillMsOf({ ends, served: servedFiles, catalogs: rows, isBeingWritten });
  if (expected.stillMs < stillMs) return { outcome: 'unstable', stillMs };
  const isFirst = !served && !kept;
  if (!isFirst && !isKept && !expected.servedNumbers && ambiguous.length > 0) {
    return { outcome: 'ambiguous', numbers: ambiguous };
  }
  const { content: rowsOfSet, ...result } = finish(content, validated, source, problems);
  if (result.rows && isServed)
    return { outcome: 'unchanged', report: { ...result.report, changes: served.changes } };
  if (rowsOfSet)
    observer.onRows?.(rowsOfSet, String(result.report.version), {
      cutOff: cutOffRows(validated.catalogs, before),
      gone: catalog => gone(fileOf(catalog, before), catalog, lookAlikes),
    });
  return { outcome: 'read', ...result };
}

/** The rows of the catalogs whose files are not those before. */
function changedRows(
  files: readonly CatalogFile[],
  before: readonly KeptFile[],
  catalogs: ValidatedCatalogs,
  formerRows: SetObserver['formerRows'],
): ChangedRows[] {
  return catalogNames.flatMap(catalog => {
    const [own, were] = [files, before].map(files => files.filter(file => file.catalog === catalog));
    if (!own || !were || isSameFiles(own, were)) return [];
    const isGone = were.some(({ file }) => files.every(other => other.file !== file));
    // A row of any catalog is one.
    const after = (catalogs[catalog]?.rows ?? []) as unknown as readonly FormerRow[];
    const former = were.length === 0 ? [] : formerRows?.(catalog);
    // Most rows are where they were, and keys of many rows take time.
    const start = former ? sameStart(catalog, former, after) : 0;
    const keysOf = (rows: readonly FormerRow[]) => rows.slice(start).map(row => rowKey(catalog, row));
    const names = own.map(({ file }) => file);
    return [{ files: names, isGone, served: former && keysOf(former), next: keysOf(after) }];
  });
}

function fileOf(catalog: string, files: readonly { catalog: string; file: string }[]): string {
  return files.find(file => file.catalog === catalog)?.file ?? catalog;
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
