import { join } from 'node:path';
import { type Fs, systemFs, unlessMissing } from '../files/atomic-write.ts';
import { type FileFormat, NewerFormatError, parseState } from '../files/state-format.ts';
import type { CsvOptions, FileDigest } from '../formats/formats.ts';
import type { LoadedFile } from '../formats/table.ts';
import { reasonOf } from '../messages.ts';
import { isSameFiles } from '../set/files.ts';

/** The settings that decide what the bytes of catalog files mean. */
export interface Reading extends CsvOptions {
  timeZone: string;
  /** Whether HTML in Markdown is served. */
  markdownHtml: boolean;
}

/** Only these settings. */
export function readingOf({ csvEncoding, csvDecimal, timeZone, markdownHtml }: Reading): Reading {
  return { csvEncoding, csvDecimal, timeZone, markdownHtml };
}

/** A catalog file of a set that was served. */
export type KeptFile = LoadedFile & FileDigest;

/** A set that was served: what its files were, and how they were read. */
export interface Entry {
  /** Its `Catalog-Version`. */
  version: string;
  /** Since when it was served, in seconds since 1970. */
  since: number;
  /** The absolute path of the directory that had its files. */
  catalogDir: string;
  files: KeptFile[];
  reading: Reading;
  /** What it changed, in one line; undefined if that is not known. */
  summary?: string | undefined;
  /** The public report of that, as lines; it lies among the contents of files. */
  report?: Omit<FileDigest, 'file'> | undefined;
}

/** An entry is written once. What has its checksum is what was written. */
export const entryFormat: FileFormat<Entry> = {
  toJson: ({ version, ...entry }) => ({ catalogs: version, ...entry }),
  parse: ({ catalogs, since, catalogDir, files, reading, summary, report }) =>
    ({
      ...{ version: catalogs, since, catalogDir, files, summary, report },
      // Entries from before there was Markdown do not have the last one.
      reading: { markdownHtml: false, ...(reading as object) },
    }) as Entry,
};

/** Whether the same files of the same directory were read in the same way, and gave the same rows. */
export function isSameSet(one: Entry, other: Entry): boolean {
  return (
    one.version === other.version &&
    one.catalogDir === other.catalogDir &&
    isSameFiles(one.files, other.files) &&
    isReadAs(one.reading, other.reading)
  );
}

export function isReadAs(one: Reading, other: Reading): boolean {
  // Both have the same keys in the same order.
  return JSON.stringify(readingOf(one)) === JSON.stringify(readingOf(other));
}

/** The name of an entry. Sets went live in the order of their numbers. */
export interface EntryName {
  number: number;
  version: string;
}

/** Called with a sentence for the operator about what is damaged. */
export type OnDamage = (sentence: string) => void;

const NAME = /^(\d{6,})-([0-9a-f]+)\.json$/;

/** Where a history lies, and who hears of what is damaged in it. */
export interface HistoryPlace {
  fs: Fs;
  dir: string;
  onDamage: OnDamage;
}

export function historyPath(stateDir: string): string {
  return join(stateDir, 'history');
}

/** The history in a state directory of this system. */
export function historyIn(stateDir: string, onDamage: OnDamage): HistoryPlace {
  return { fs: systemFs, dir: historyPath(stateDir), onDamage };
}

export function entryPath(dir: string, { number, version }: EntryName): string {
  return join(dir, `${String(number).padStart(6, '0')}-${version}.json`);
}

/** The entries of a history, oldest first; none if it does not exist yet. */
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
 * Reads an entry; undefined if it is gone. A damaged one is undefined, too, and renamed to `….damaged`.
 * @throws NewerFormatError if a newer version of Vitrine wrote it, and Error if the disk fails.
 */
export async function readEntry(history: HistoryPlace, name: EntryName): Promise<Entry | undefined> {
  const path = entryPath(history.dir, name);
  const text = await history.fs.readFile(path, 'utf8').catch(unlessMissing);
  if (text === undefined) return undefined;
  try {
    return parseState(text, path, entryFormat).state;
  } catch (error) {
    if (error instanceof NewerFormatError) throw error;
    await setAside(history, path, reasonOf(error));
    return undefined;
  }
}

/** Renames a damaged file, so that nothing reads it again. */
export async function setAside({ fs, onDamage }: HistoryPlace, path: string, reason: string): Promise<void> {
  await fs.rename(path, `${path}.damaged`).catch(unlessMissing);
  onDamage(`${path} is damaged (${reason}): kept as ${path}.damaged`);
}

/** The entries that are not damaged, newest first. @throws as `readEntry` does. */
export async function* eachEntry(history: HistoryPlace): AsyncGenerator<{ name: EntryName; entry: Entry }> {
  for (const name of (await listEntries(history)).reverse()) {
    const entry = await readEntry(history, name);
    if (entry) yield { name, entry };
  }
}
