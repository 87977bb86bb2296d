import { MARKDOWN_FILES } from '../contract/catalog-files.ts';
import { systemFs } from '../files/atomic-write.ts';
import type { FileContent, FileDigest } from '../formats/formats.ts';
import {
  contentPath,
  type Entry,
  gzipped,
  hasContent,
  historyIn,
  historyPath,
  type OnDamage,
  readKeptFile,
} from '../history/entries.ts';
import { keepEntry } from '../history/keep.ts';
import { type ChangeTable, fromLines, toLines } from '../set/compare/changes.ts';
import { systemDirectory } from '../set/directory.ts';
import { readMarkdownFiles, sha256 } from '../set/files.ts';
import type { CatalogSource, SetChanges } from './read-set.ts';

/** Compressed contents by their hashes. */
export type Contents = ReadonlyMap<string, Buffer>;

/** Compresses the files that the history lacks. */
export async function compressNew(
  { stateDir }: CatalogSource,
  files: readonly FileContent[],
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (const { sha256: hash, content } of files) {
    const isKept = await hasContent(systemFs, historyPath(stateDir), hash).catch(() => false);
    if (!isKept && !contents.has(hash)) contents.set(hash, gzipped(content));
  }
  return contents;
}

/** Adds the compressed report of a changed set to `contents`. Returns what its entry says about it. */
export function compressReport(
  table: ChangeTable,
  contents: Map<string, Buffer>,
): NonNullable<Entry['report']> {
  const lines = Buffer.from(`${toLines(table).join('\n')}\n`);
  const hash = sha256(lines);
  contents.set(hash, gzipped(lines));
  return { bytes: lines.length, sha256: hash };
}

/** Reads the report of an entry; undefined if it has none or it cannot be read. */
export async function readReport(
  stateDir: string,
  { summary, report }: Pick<Entry, 'summary' | 'report'>,
  onDamage: OnDamage,
): Promise<{ changes: SetChanges; table: ChangeTable } | undefined> {
  if (summary === undefined || !report) return undefined;
  const digest = { file: 'report of changes', ...report };
  const lines = await readKeptFile(historyIn(stateDir, onDamage), digest);
  return lines && { table: fromLines(lines.toString().trimEnd().split('\n')), changes: { summary, report } };
}

/** Stores a set in a state directory, with the contents of the last read; see {@link keepEntry}. */
export async function keepSet(
  source: CatalogSource,
  entry: Entry,
  contents: Contents,
  stateDir = source.stateDir,
) {
  const dir = historyPath(stateDir);
  // A temporary state directory may lack what the history has.
  const keptBefore = (hash: string) =>
    systemFs.readFile(contentPath(historyPath(source.stateDir), hash)).catch(() => undefined);
  const missing = new Map<string, Buffer>();
  for (const file of entry.files) {
    if (missing.has(file.sha256) || (await hasContent(systemFs, dir, file.sha256))) continue;
    const known = contents.get(file.sha256) ?? (await keptBefore(file.sha256));
    missing.set(file.sha256, known ?? (await compressAgain(source, file)));
  }
  const { report, ...others } = entry;
  const isKept = report && (await hasContent(systemFs, dir, report.sha256));
  const compressed = report && contents.get(report.sha256);
  if (report && compressed && !isKept) missing.set(report.sha256, compressed);
  // Only the process that read the set has its report.
  await keepEntry(systemFs, dir, isKept || compressed ? entry : others, missing);
}

/** For a set that could not be stored when it was read. */
async function compressAgain(source: CatalogSource, { file, sha256: hash }: FileDigest): Promise<Buffer> {
  const directory = systemDirectory(source);
  const ignore = () => {};
  const content =
    file === MARKDOWN_FILES
      ? await readMarkdownFiles(directory, (await directory.list(ignore)) ?? [], ignore)
      : await directory.read(file, ignore);
  if (!content || sha256(content) !== hash) throw new Error(`${file} has changed since`);
  return gzipped(content);
}
