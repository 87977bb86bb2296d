import type { FileFormat } from '../files/state-format.ts';
import type { CsvOptions, FileDigest } from '../formats/formats.ts';
import type { LoadedFile } from '../formats/table.ts';
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
