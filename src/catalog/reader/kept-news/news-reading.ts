import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag, deserialize, serialize } from 'node:v8';
import { type Fs, syncDirectory, systemFs } from '../../../files/atomic-write.ts';
import { reasonOf } from '../../../messages.ts';
import { packageVersion } from '../../../package-version.ts';
import type { OnDamage } from '../../history/entries.ts';
import { type Reading, readingOf } from '../../history/entry.ts';
import { type CatalogFile, sha256 } from '../../read/files.ts';
import { isTextFile } from '../../read/parse-file.ts';
import { newsChunks, type SnapshotChunk } from '../../snapshot/chunks.ts';
import type { CatalogRows } from '../../snapshot/sort.ts';
import { type NewsTables, sizeOfNews } from '../../snapshot/tables.ts';
import { newsJsonOf } from '../../snapshot/version.ts';
import type { ReadNews } from '../../validate/validate-set.ts';
import { LARGE_FILE } from '../history-tasks.ts';
import { cachePath, deleteOthers, readParts, writeParts } from './kept-files.ts';
import { type KeptRows, keptCatalog, keptRows, reportAgain, watchProblems } from './kept-rows.ts';

/**
 * The news items of a set that is read. Most sites have far more bytes of them than of anything else, and they rarely change
 * with the prices: what is made of their file is kept in the cache of STATE_DIR, and the file is not read again.
 */
export interface NewsReading {
  read: ReadNews;
  /** What the version of the set hashes of them. */
  json(rows: CatalogRows): Uint8Array | undefined;
  /** Identifies the file and how it is read; undefined if nothing is kept of it. */
  key(): string | undefined;
  /** Their chunks. `tables` are theirs if they were read, or else empty. */
  chunks(tables: NewsTables, collectGarbage: () => Promise<void>): AsyncIterable<SnapshotChunk>;
  /** How many bytes they take in the process that serves them, besides `tables`. */
  size: number;
}

/** What is kept of the news items that were read last. */
interface KeptNews {
  key: string;
  rows: Uint8Array[];
  tables: Uint8Array[];
}

/** Until the set is served: then it is written. */
let latest: KeptNews | undefined;

/**
 * Opens the news items of a set. They are taken from the cache if it has them, and they are `isUnchanged`: what changes
 * among them is known only if they are read. `servedKey` identifies those that are served, which need not be sent.
 */
export async function openNews(
  { stateDir, ...reading }: Reading & { stateDir: string },
  files: readonly CatalogFile[],
  isUnchanged: boolean,
  servedKey: string | undefined,
  onDamage: OnDamage,
): Promise<NewsReading> {
  latest = undefined;
  const [file, ...others] = files.filter(({ catalog }) => catalog === 'news');
  if (!file || others.length > 0 || !isTextFile(file.file) || file.bytes > LARGE_FILE) return unkept;
  const key = keyOf(reading, files);
  if (!isUnchanged) return newNews(key);
  try {
    const dir = cachePath(stateDir);
    const rows = await readParts(systemFs, pathOf(dir, key, 'rows'));
    const tables = key === servedKey ? SERVED : await readParts(systemFs, pathOf(dir, key, 'tables'));
    return rows && tables ? keptNews(key, rows, tables, file, reading) : newNews(key);
  } catch (error) {
    onDamage(`the cache of ${file.file} is damaged (${reasonOf(error)}): reading the file again`);
    return newNews(key);
  }
}

/** The chunks of news items that are served. */
const SERVED = [serialize({ catalog: 'servedNews' } satisfies SnapshotChunk)];

/** News items of which nothing is kept: there are none, or they are in a workbook, in Markdown files or in a large file. */
const unkept: NewsReading = {
  read: (read, report) => read(report),
  json: () => undefined,
  key: () => undefined,
  chunks: newsChunks,
  size: 0,
};

/** News items that are read, and of which it is kept what is made. */
function newNews(key: string): NewsReading {
  let rows: KeptRows | undefined;
  let json: Uint8Array | undefined;
  return {
    async read(read, report) {
      const { report: watch, seen } = watchProblems(report);
      const catalog = await read(watch);
      rows = catalog && keptRows(catalog, seen);
      return catalog;
    },
    json(sorted) {
      json = rows && newsJsonOf(sorted);
      return json;
    },
    key: () => rows && key,
    async *chunks(tables, collectGarbage) {
      const size = sizeOfNews(tables);
      const sent: Uint8Array[] = [];
      for await (const chunk of newsChunks(tables, collectGarbage)) {
        if (rows) sent.push(serialize(chunk));
        yield chunk;
      }
      if (rows && json) latest = { key, rows: [serialize({ ...rows, size }), json], tables: sent };
    },
    size: 0,
  };
}

/** News items that are not read. @throws Error if the parts are not those of news items. */
function keptNews(
  key: string,
  [head, json]: readonly Buffer[],
  tables: Buffer[],
  file: CatalogFile,
  reading: Reading,
): NewsReading {
  if (!head || !json) throw new Error('it is incomplete');
  const { size, ...rows }: KeptRows & { size: number } = deserialize(head);
  return {
    async read(_read, report) {
      const catalog = keptCatalog(rows, file, reading);
      reportAgain(rows, catalog, report);
      return catalog;
    },
    json: () => json,
    key: () => key,
    async *chunks() {
      for (const part of tables) yield deserialize(part);
    },
    size,
  };
}

/** Keeps the news items that are served, if they were read last, and nothing else. */
export async function keepNews(fs: Fs, stateDir: string, servedKey: string | undefined): Promise<void> {
  const dir = cachePath(stateDir);
  const names = servedKey === undefined ? [] : parts.map(part => nameOf(servedKey, part));
  await deleteOthers(fs, dir, names);
  if (!latest || latest.key !== servedKey) return;
  const news = latest;
  latest = undefined;
  await fs.mkdir(dir, { recursive: true });
  for (const part of parts) await writeParts(fs, pathOf(dir, servedKey, part), news[part]);
  await syncDirectory(fs, dir);
}

/** Those of {@link KeptNews}; the rows are enough if the tables are served. */
const parts = ['tables', 'rows'] as const;

function nameOf(key: string, part: (typeof parts)[number]): string {
  return `news-${key}.${part}`;
}

function pathOf(dir: string, key: string, part: (typeof parts)[number]): string {
  return join(dir, nameOf(key, part));
}

let program: string | undefined;

/** A bundle has the hashes of the bundles that it imports in it. */
function programHash(): string {
  program ??= sha256(readFileSync(fileURLToPath(import.meta.url)));
  return program;
}

/**
 * The types decide what their names in a file of news items mean. Another version of the program, or of V8, may write what this one
 * cannot read.
 */
function keyOf(reading: Reading, files: readonly CatalogFile[]): string {
  const own = files.filter(({ catalog }) => catalog === 'news' || catalog === 'news_types');
  const contents = own.map(({ catalog, file, sha256 }) => [catalog, file, sha256]);
  const writer = [packageVersion(), programHash(), cachedDataVersionTag()];
  return sha256(Buffer.from(JSON.stringify([writer, readingOf(reading), contents])));
}
