// The history of the sets that were served, in `STATE_DIR/history`.
//
// An entry is a small JSON file, numbered in the order in which sets went live; the contents of its files are stored
// compressed by their hash, each once. `keep.ts` adds entries and prunes old ones, `versions.ts` finds the entry of a version.
//
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { MARKDOWN_FILES, markdownPath } from '../contract/catalog-files.ts';
import { type Fs, statsOf, systemFs, unlessMissing } from '../files/atomic-write.ts';
import { NewerFormatError, parseState, type StateParser } from '../files/state-format.ts';
import type { CatalogFile, FileContent, FileDigest } from '../formats/formats.ts';
import { unbundle } from '../formats/markdown/bundle.ts';
import type { LoadedFile } from '../formats/table.ts';
import { reasonOf } from '../messages.ts';
import { type Directory, memoryDirectory } from '../set/directory.ts';
import { isSameFiles, sha256 } from '../set/files.ts';
import type { Reading } from '../set/validate-set.ts';

export function readingOf(reading: Reading): Reading {
  const { csvEncoding, csvDecimal, timeZone, markdownHtml, rules = 2 } = reading;
  return { csvEncoding, csvDecimal, timeZone, markdownHtml, rules };
}

export type KeptFile = LoadedFile & FileDigest;

/** A set that was served: its files, and how they were read. */
export interface Entry {
  /** The `Catalog-Version`. */
  version: string;
  /** When it was first served, in Unix seconds. */
  since: number;
  /** The absolute path of the catalog directory. */
  catalogDir: string;
  files: KeptFile[];
  reading: Reading;
  /** What it changed, in one line; undefined if unknown. */
  summary?: string | undefined;
  /** The public report of the changes, stored as lines among the contents. */
  report?: Omit<FileDigest, 'file'> | undefined;
}

/** Entries are never changed: a right checksum suffices. */
const entryFormat: StateParser<Entry> = {
  parse({ catalogs, ...entry }) {
    const read = { ...entry, version: catalogs } as Entry;
    return { ...read, reading: { ...read.reading, rules: read.reading.rules ?? 1 } };
  },
};

/** Whether both have the same files of the same directory, the same settings and the same rows. */
export function isSameSet(one: Entry, other: Entry): boolean {
  return (
    one.version === other.version &&
    one.catalogDir === other.catalogDir &&
    isSameFiles(one.files, other.files) &&
    isReadAs(one.reading, other.reading)
  );
}

export function isReadAs(one: Reading, other: Reading): boolean {
  // Both have the same keys, in the same order.
  const settings = (reading: Reading) => JSON.stringify(readingOf({ ...reading, rules: 2 }));
  return settings(one) === settings(other);
}

/** The name of an entry. Numbers rise in the order in which sets went live. */
export interface EntryName {
  number: number;
  version: string;
}

/** Called with a sentence about what is damaged, for the operator. */
export type OnDamage = (sentence: string) => void;

const NAME = /^(\d{6,})-([0-9a-f]+)\.json$/;

export interface HistoryPlace {
  fs: Fs;
  dir: string;
  onDamage: OnDamage;
}

export function historyPath(stateDir: string): string {
  return join(stateDir, 'history');
}

export function historyIn(stateDir: string, onDamage: OnDamage): HistoryPlace {
  return { fs: systemFs, dir: historyPath(stateDir), onDamage };
}

export function entryPath(dir: string, { number, version }: EntryName): string {
  return join(dir, `${String(number).padStart(6, '0')}-${version}.json`);
}

/** Lists the entries, oldest first; empty if there is no history yet. */
export async function listEntries({ fs, dir }: Pick<HistoryPlace, 'fs' | 'dir'>): Promise<EntryName[]> {
  const names = (await fs.readdir(dir).catch(unlessMissing)) ?? [];
  return names
    .flatMap(name => {
      const [, number, version] = NAME.exec(name) ?? [];
      return number && version ? [{ number: Number(number), version }] : [];
    })
    .sort((one, other) => one.number - other.number);
}

/**
 * Reads an entry; undefined if it is gone or damaged. Renames a damaged one to `….damaged`.
 * @throws NewerFormatError if a newer version of Vitrine wrote it, Error if the disk fails.
 */
export async function readEntry(history: HistoryPlace, name: EntryName): Promise<Entry | undefined> {
  const path = entryPath(history.dir, name);
  const text = await history.fs.readFile(path).catch(unlessMissing);
  if (!text) return undefined;
  try {
    return parseState(text.toString(), path, entryFormat).state;
  } catch (error) {
    if (error instanceof NewerFormatError) throw error;
    await setAside(history, path, reasonOf(error));
    return undefined;
  }
}

/** Renames a damaged file, so that it is not read again. */
async function setAside({ fs, onDamage }: HistoryPlace, path: string, reason: string): Promise<void> {
  await fs.rename(path, `${path}.damaged`).catch(unlessMissing);
  onDamage(`${path} is damaged (${reason}): kept as ${path}.damaged`);
}

/** Yields the entries that are not damaged, newest first. @throws as `readEntry` does. */
export async function* eachEntry(
  history: HistoryPlace,
  read = readEntry,
): AsyncGenerator<{ name: EntryName; entry: Entry }> {
  for (const name of (await listEntries(history)).reverse()) {
    const entry = await read(history, name);
    if (entry) yield { name, entry };
  }
}

/** Yields the entries that can be read, newest first. @throws NewerFormatError as `readEntry` does. */
export function readableEntries(history: HistoryPlace) {
  return eachEntry(history, (_, name) =>
    readEntry(history, name).catch(error => {
      if (error instanceof NewerFormatError) throw error;
      history.onDamage(`${entryPath(history.dir, name)} cannot be read: ${reasonOf(error)}`);
      return undefined;
    }),
  );
}

/** The folder of the contents. Each content is stored once, however many entries have it. */
export const contentsPath = (dir: string): string => join(dir, 'files');
export const contentPath = (dir: string, hash: string): string => join(contentsPath(dir), `${hash}.gz`);

export function gzipped(content: Buffer): Buffer {
  // Level 3 takes a third of the time of the default, and a tenth more space.
  return gzipSync(content, { level: 3 });
}

export async function hasContent(fs: Fs, dir: string, hash: string): Promise<boolean> {
  return (await statsOf(fs, contentPath(dir, hash))) !== undefined;
}

/** Reads the content of a file; undefined if it is missing or damaged. Renames a damaged one. */
export async function readKeptFile(history: HistoryPlace, { file, bytes, sha256: hash }: FileDigest) {
  const path = contentPath(history.dir, hash);
  const compressed = await history.fs.readFile(path).catch(unlessMissing);
  if (!compressed) {
    history.onDamage(`${path}, a former ${file}, is missing`);
    return undefined;
  }
  try {
    const content = gunzipSync(compressed, { maxOutputLength: Math.max(1, bytes) });
    if (sha256(content) !== hash) throw new Error('its content does not match its name');
    return content;
  } catch (error) {
    await setAside(history, path, reasonOf(error));
    return undefined;
  }
}

/** Yields the sets of a catalog directory that can be read as a whole, newest first. @throws as `readableEntries` does. */
export async function* keptSets(history: HistoryPlace, catalogDir: string) {
  for await (const { entry } of readableEntries(history)) {
    if (entry.catalogDir !== resolve(catalogDir)) continue;
    const files = await readEntryFiles(history, entry.files).catch(error =>
      history.onDamage(`version ${entry.version} of the history cannot be read: ${reasonOf(error)}`),
    );
    if (files) yield { entry, files };
  }
}

export function historyDirectory(files: readonly FileContent[], images: Directory['images']): Directory {
  const contents = files.flatMap(({ file, content }) =>
    file === MARKDOWN_FILES
      ? unbundle(content).map(text => [markdownPath(text.name), text.content] as const)
      : [[file, content] as const],
  );
  return memoryDirectory('the history', new Map(contents), images);
}

/** Reads files of an entry; undefined if one is damaged or missing. */
export async function readEntryFiles(history: HistoryPlace, files: readonly KeptFile[]) {
  const found: CatalogFile[] = [];
  for (const { catalog, file, bytes, sha256 } of files) {
    // Several catalogs may share a workbook.
    const same = found.find(other => other.file === file);
    const content = same?.content ?? (await readKeptFile(history, { file, bytes, sha256 }));
    if (!content) return undefined;
    found.push({ catalog, file, bytes, sha256, content });
  }
  return found;
}
