import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { MARKDOWN_FILES, markdownPath } from '../contract/catalog-files.ts';
import { type Fs, statsOf, syncDirectory, unlessMissing, writeWhole } from '../files/atomic-write.ts';
import type { CatalogFile, FileContent, FileDigest } from '../formats/formats.ts';
import { unbundle } from '../formats/markdown/markdown.ts';
import { reasonOf } from '../messages.ts';
import { type Directory, memoryDirectory } from '../set/directory.ts';
import { sha256 } from '../set/files.ts';
import { type Entry, eachEntry, type HistoryPlace, type KeptFile, setAside } from './entries.ts';

/** The folder of the contents of files, each of which is kept once, however many entries have it. */
export const contentsPath = (dir: string): string => join(dir, 'files');
/** The path of a content, by its hash. */
export const contentPath = (dir: string, hash: string): string => join(contentsPath(dir), `${hash}.gz`);

export function compress(content: Buffer): Promise<Buffer> {
  // Takes a third of the time of the default level, and a tenth more space.
  return promisify(gzip)(content, { level: 3 });
}

export async function hasContent(fs: Fs, dir: string, hash: string): Promise<boolean> {
  return (await statsOf(fs, contentPath(dir, hash))) !== undefined;
}

/** Writes compressed contents by their hashes. Once it resolves, they survive a power loss. */
export async function writeContents(
  fs: Fs,
  dir: string,
  contents: ReadonlyMap<string, Buffer>,
): Promise<void> {
  await fs.mkdir(contentsPath(dir), { recursive: true });
  for (const [hash, content] of contents) await writeWhole(fs, contentPath(dir, hash), content);
  await syncDirectory(fs, contentsPath(dir));
}

/** Reads the content of a file. Undefined if it is missing or damaged; a damaged one is renamed. */
export async function readKeptFile(
  history: HistoryPlace,
  { file, bytes, sha256: hash }: FileDigest,
): Promise<Buffer | undefined> {
  const path = contentPath(history.dir, hash);
  const compressed = await history.fs.readBytes(path).catch(unlessMissing);
  if (!compressed) {
    history.onDamage(`${path}, a former ${file}, is missing`);
    return undefined;
  }
  try {
    const content = await promisify(gunzip)(compressed, { maxOutputLength: Math.max(1, bytes) });
    if (sha256(content) !== hash) throw new Error('its content does not match its name');
    return content;
  } catch (error) {
    await setAside(history, path, reasonOf(error));
    return undefined;
  }
}

/** A set of the history with the contents of its files. */
export interface KeptSet {
  entry: Entry;
  files: CatalogFile[];
}

/**
 * The sets of a catalog directory of which nothing is damaged or missing, newest first.
 * @throws as `readEntry` does.
 */
export async function* keptSets(history: HistoryPlace, catalogDir: string): AsyncGenerator<KeptSet> {
  for await (const { entry } of eachEntry(history)) {
    if (entry.catalogDir !== resolve(catalogDir)) continue;
    const files = await filesOf(history, entry.files);
    if (files) yield { entry, files };
  }
}

/** The files of an entry as the directory that they came from. */
export function historyDirectory(files: readonly FileContent[], images: Directory['images']): Directory {
  const contents = files.flatMap(({ file, content }) =>
    file === MARKDOWN_FILES
      ? unbundle(content).map(text => [markdownPath(text.name), text.content] as const)
      : [[file, content] as const],
  );
  return memoryDirectory('the history', new Map(contents), images);
}

/** Files of an entry with their contents; undefined if one of them is damaged or missing. */
export async function filesOf(
  history: HistoryPlace,
  files: readonly KeptFile[],
): Promise<CatalogFile[] | undefined> {
  const found: CatalogFile[] = [];
  for (const { catalog, file, bytes, sha256 } of files) {
    // A workbook can have several catalogs.
    const same = found.find(other => other.file === file);
    const content = same?.content ?? (await readKeptFile(history, { file, bytes, sha256 }));
    if (content) found.push({ catalog, file, bytes, sha256, content });
  }
  return found.length === files.length ? found : undefined;
}
