import type { Log } from '../messages.ts';
import { type Counts, mergeCounts, parseCounts } from './counts.ts';
import { previousPath, systemFs } from './file/atomic-write.ts';
import { countsFormat, countsPath, openCountsFile } from './file/file-counter.ts';
import { lockStateDir } from './file/lock.ts';
import { readState } from './file/state-file.ts';
import { FORMAT, NewerFormatError, parseObject } from './file/state-format.ts';
import type { ReadsSettings } from './open.ts';
import { floorBatches } from './redis/batch.ts';
import { openRedisClient, type RedisClient } from './redis/redis-client.ts';

/** The stored counts, as the text of a counts file. @throws Error if they cannot be read. */
export async function exportCounts({ redisUrl, stateDir }: ReadsSettings): Promise<string> {
  const counts =
    redisUrl.length > 0 ? await withRedis(redisUrl, countsInRedis) : await countsInFile(stateDir);
  return `${JSON.stringify({ format: FORMAT, ...countsFormat.toJson(counts) }, null, countsFormat.indent)}\n`;
}

/**
 * Raises the stored counts to these, where these are larger, so that a repeated import changes nothing. Returns how many
 * were larger.
 * @throws Error if they cannot be saved, or a running service uses the file.
 */
export async function importCounts(
  { redisUrl, stateDir }: ReadsSettings,
  counts: Counts,
  log: Log,
): Promise<number> {
  const before =
    redisUrl.length > 0
      ? await withRedis(redisUrl, client => raiseInRedis(client, counts))
      : await raiseInFile(stateDir, counts, log);
  return [...counts].filter(([id, count]) => count > (before.get(id) ?? 0)).length;
}

/** Parses a counts file, or its `counts` alone. @throws Error that names `source` if the text is neither. */
export function parseCountsText(text: string, source: string): Counts {
  try {
    const value = parseObject(text, source);
    return parseCounts('counts' in value ? value.counts : value);
  } catch (error) {
    if (error instanceof NewerFormatError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${source}: expected read counts such as {"counts": {"12": 103}}, but ${reason}`);
  }
}

/** Does not lock the directory, so that you can export while a service runs. */
async function countsInFile(stateDir: string): Promise<Counts> {
  const path = countsPath(stateDir);
  for (const name of [path, previousPath(path)]) {
    const counts = await readState(systemFs, name, countsFormat).catch(error => {
      throw error instanceof NewerFormatError ? error : new Error(`${name} is broken: ${error.message}`);
    });
    if (counts) return counts;
  }
  return new Map();
}

/** Returns the counts before the import. */
async function raiseInFile(stateDir: string, counts: Counts, log: Log): Promise<Counts> {
  const { release } = await lockStateDir(stateDir, log);
  try {
    const file = openCountsFile(stateDir, log);
    const before = (await file.load()) ?? new Map();
    await file.save(mergeCounts(before, counts));
    return before;
  } finally {
    await release();
  }
}

async function withRedis<Result>(
  urls: string[],
  use: (client: RedisClient) => Promise<Result>,
): Promise<Result> {
  const client = await openRedisClient(urls);
  try {
    return await use(client);
  } catch (error) {
    throw new Error(`Redis failed: ${error instanceof Error ? error.message : error}`);
  } finally {
    client.close();
  }
}

async function countsInRedis(client: RedisClient): Promise<Counts> {
  return (await client.changes(0, [])).counts;
}

/** Returns the counts before the import. Batches without reads may repeat, and so need no sequence number. */
async function raiseInRedis(client: RedisClient, counts: Counts): Promise<Counts> {
  const before = await countsInRedis(client);
  for (const batch of floorBatches(counts, 'import', 0)) await client.apply(batch, 0);
  return before;
}
