import { deserialize, serialize } from 'node:v8';
import { type NewsTables, newsChunks, type SnapshotChunk, sizeOfNews } from '../../../snapshot/chunks.ts';

/**
 * How the news items of a set are sent. They are most of the bytes of most sites, so their chunks are kept as well.
 */
export interface NewsChunks {
  /** Whether they were not read, so that there are no tables of them. */
  areKept: boolean;
  /** How many bytes they take in the process that serves them, besides their tables. */
  size: number;
  chunks(tables: NewsTables, collectGarbage: () => Promise<void>): AsyncIterable<SnapshotChunk>;
}

/** News items of which nothing is kept. */
export const unkeptNews: NewsChunks = { areKept: false, size: 0, chunks: newsChunks };

/** News items that are read. Calls `onEnd` with the parts of the cache that {@link keptNews} takes. */
export function newNews(onEnd: (parts: readonly Uint8Array[]) => void): NewsChunks {
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
export function keptNews([size, ...parts]: readonly Uint8Array[]): NewsChunks {
  return {
    areKept: true,
    size: size ? deserialize(size) : 0,
    async *chunks() {
      for (const part of parts) yield deserialize(part);
    },
  };
}
