import { deserialize, serialize } from 'node:v8';
import { type CatalogName, catalogNames } from '../../contract/columns.ts';
import type { CatalogFile } from '../../formats/formats.ts';
import type { OnDamage } from '../../history/entries.ts';
import type { Reading } from '../../history/entry.ts';
import type { ValidatedCatalogs } from '../../set/validate-catalog.ts';
import type { ReadCatalog } from '../../set/validate-set.ts';
import { type NewsTables, newsChunks, type SnapshotChunk, sizeOfNews } from '../../snapshot/chunks.ts';
import { type CatalogRows, newsJsonOf } from '../../snapshot/sort.ts';
import { type CacheKeys, forgetUnwritten, keyOf, readCached, rememberUnwritten } from './cache-store.ts';
import {
  type KeptRows,
  keptCatalog,
  keptRows,
  reportAgain,
  type SeenProblem,
  watchProblems,
} from './kept-rows.ts';
import { type FormerFile, readChanged } from './read-changed.ts';

/**
 * The cache of a set that is read. Few files change at once: what is made of a file is kept in STATE_DIR, and the file is not
 * read again.
 */
export interface SetCache {
  /** Takes a catalog from the cache, or reads it. */
  read: ReadCatalog;
  /**
   * Remembers the catalogs that were read, until their set is served. It has no errors, its problems are located, and its
   * texts are rendered. Returns what identifies its catalogs in the cache, and what its version hashes of the news items.
   */
  remember(
    catalogs: ValidatedCatalogs,
    sorted: CatalogRows,
  ): { keys: CacheKeys; newsJson: Uint8Array | undefined };
  /** The catalogs that were taken from it and are served already, so that they need not be sent. */
  shared(): CatalogName[];
  /** How its news items are sent. */
  news(): NewsChunks;
}

/** The set that another one replaces. */
interface FormerCatalogs {
  /** Only these are taken from the cache: what changes in another one is known only if it is read. */
  unchanged: readonly CatalogName[];
  /** Identifies the catalogs that are served. */
  served: CacheKeys;
  /** The file of another one; undefined unless its rows are in the cache. */
  file(catalog: CatalogName): FormerFile | undefined;
}

/** Opens the cache of a set with these files. */
export function openSetCache(
  { stateDir, ...reading }: Reading & { stateDir: string },
  files: readonly CatalogFile[],
  { unchanged, served, file: formerFile }: FormerCatalogs,
  onDamage: OnDamage,
): SetCache {
  forgetUnwritten();
  const keys: CacheKeys = {};
  const taken = new Set<CatalogName>();
  const problems = new Map<CatalogName, SeenProblem[]>();
  let newsJson: Uint8Array | undefined;
  let news = unkeptNews;

  /** The rows of a catalog; undefined if the cache does not have all that it needs. */
  const take = async (catalog: CatalogName, key: string): Promise<KeptRows | undefined> => {
    const [rows, json] = (await readCached(stateDir, catalog, key, 'rows', onDamage)) ?? [];
    if (rows && catalog === 'news') {
      const isServed = key === served.news;
      const tables = isServed ? [] : await readCached(stateDir, catalog, key, 'tables', onDamage);
      if (!tables) return undefined;
      newsJson = json;
      news = keptNews(tables);
    }
    return rows && deserialize(rows);
  };
  const isShared = (catalog: CatalogName) => taken.has(catalog) && keys[catalog] === served[catalog];
  return {
    async read(catalog, read, report) {
      const key = keyOf(catalog, files, reading);
      const file = files.find(file => file.catalog === catalog);
      if (!key || !file) return read(report);
      keys[catalog] = key;
      const rows = unchanged.includes(catalog) ? await take(catalog, key) : undefined;
      if (rows) {
        taken.add(catalog);
        const known = keptCatalog<typeof catalog>(rows, file, reading);
        reportAgain(rows.problems, known.tables[0]?.table.rows ?? [], report);
        return known;
      }
      const former = formerFile(catalog);
      const changed = former && (await readChanged(catalog, file, former, reading, read));
      if (changed) {
        problems.set(catalog, []);
        return changed;
      }
      const { report: watch, seen } = watchProblems(report);
      const found = await read(watch);
      // Markdown is rendered in any case.
      const isKept = !found?.entries.some(({ row }) => isMarkdown(row));
      if (isKept) problems.set(catalog, seen);
      else delete keys[catalog];
      return found;
    },
    remember(catalogs, sorted) {
      for (const catalog of catalogNames) {
        const [key, validated, seen] = [keys[catalog], catalogs[catalog], problems.get(catalog)];
        const rows = validated && seen && keptRows(catalog, validated, seen);
        if (key === undefined || !rows) continue;
        const parts: Uint8Array[] = [serialize(rows)];
        if (catalog === 'news') {
          newsJson = newsJsonOf(sorted);
          news = newNews(tables => rememberUnwritten(catalog, key, 'tables', tables));
          parts.push(newsJson);
        }
        rememberUnwritten(catalog, key, 'rows', parts);
      }
      problems.clear();
      return { keys, newsJson };
    },
    // Configurations decide which prices are served.
    shared: () =>
      catalogNames.filter(name => isShared(name) && (name !== 'prices' || isShared('configurations'))),
    news: () => news,
  };
}

function isMarkdown(row: object): boolean {
  return 'content_format' in row && row.content_format === 'markdown';
}

/**
 * How the news items of a set are sent. They are most of the bytes of most sites, so their chunks are kept as well.
 */
interface NewsChunks {
  /** Whether they were not read, so that there are no tables of them. */
  areKept: boolean;
  /** How many bytes they take in the process that serves them, besides their tables. */
  size: number;
  chunks(tables: NewsTables, collectGarbage: () => Promise<void>): AsyncIterable<SnapshotChunk>;
}

/** News items of which nothing is kept. */
export const unkeptNews: NewsChunks = { areKept: false, size: 0, chunks: newsChunks };

/** News items that are read. Calls `onEnd` with the parts of the cache that {@link keptNews} takes. */
function newNews(onEnd: (parts: readonly Uint8Array[]) => void): NewsChunks {
  return {
    ...unkeptNews,
    async *chunks(tables, collectGarbage) {
      const parts: Uint8Array[] = [serialize(sizeOfNews(tables))];
      for await (const chunk of newsChunks(tables, collectGarbage)) {
        parts.push(serialize(chunk));
        yield chunk;
      }
      onEnd(parts);
    },
  };
}

/** News items that are not read: those of parts of the cache; none if they need not be sent. */
function keptNews([size, ...parts]: readonly Uint8Array[]): NewsChunks {
  return {
    areKept: true,
    size: size ? deserialize(size) : 0,
    async *chunks() {
      for (const part of parts) yield deserialize(part);
    },
  };
}
