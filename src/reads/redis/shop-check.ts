import { crc32 } from 'node:zlib';
import type { Connection } from './connection.ts';
import type { ScriptName } from './scripts.ts';

/** The size of the sample of news items that identifies a shop. */
const MARKS = 16;
const CHECK_MS = 30_000;

/** News items of the served catalogs: each with its id and the time when it was created, in Unix seconds. */
export type NewsTimes = Iterable<readonly [id: number, time: number]>;

export type ShopCheck = ReturnType<typeof openShopCheck>;

/**
 * Asks Redis now and then whether another shop counts there under the same prefix: one that runs, and has none of the
 * news items in a small sample. The items with the smallest hashes are the sample, so that catalogs which differ a little
 * have most of it in common. Without `newsTimes` it asks nothing; without a news item there is nothing to count.
 */
export function openShopCheck(connection: Connection<ScriptName>, newsTimes?: () => NewsTimes | undefined) {
  let marks: string[] = [];
  let dueAt = 0;
  return {
    isDue: () => newsTimes !== undefined && performance.now() >= dueAt,
    /** Returns false if no catalogs are loaded yet. @throws Error if Redis fails, or another shop counts there. */
    async check(): Promise<boolean> {
      const items = newsTimes?.();
      if (!items) return false;
      const current = marksOf(items);
      if (current.length === 0) return true;
      const reply = await connection.run('shop', [current.length, ...current, ...marks]);
      if (String(reply) !== '1')
        throw new Error(
          'another catalog is counted under this prefix: set REDIS_PREFIX to a name of your own',
        );
      marks = current;
      dueAt = performance.now() + CHECK_MS;
      return true;
    },
  };
}

function marksOf(items: NewsTimes): string[] {
  const hashes = [...items].map(([id, time]) => crc32(`${id} ${time}`)).sort((one, other) => one - other);
  return hashes.slice(0, MARKS).map(hash => hash.toString(36));
}
