import { type Counts, countsForm, largerOf, parseCounts } from './counts.ts';
import type { Log } from './log.ts';
import { countsPath, type ReadsPlace } from './open.ts';
import { floorsOf } from './redis/batch.ts';
import { openRedisLink, type RedisLink } from './redis/link.ts';
import { previousOf, systemDisk } from './state/disk.ts';
import { FORMAT, openStateFile, readState } from './state/file.ts';
import { takeState } from './state/lock.ts';

/** The counts that are kept at a place, as the text of a counts file. @throws Error where they cannot be read. */
export async function exportCounts({ redisUrl, stateDir }: ReadsPlace): Promise<string> {
  const counts =
    redisUrl.length > 0 ? await withRedis(redisUrl, countsInRedis) : await countsInFile(stateDir);
  return `${JSON.stringify({ format: FORMAT, ...countsForm.write(counts) }, null, countsForm.indent)}\n`;
}

/**
 * Raises the counts that are kept at a place to these, where these are larger: doing it again changes nothing. Returns
 * how many were larger.
 * @throws Error where they cannot be saved, and where a service is using the file.
 */
export async function importCounts(
  { redisUrl, stateDir }: ReadsPlace,
  counts: Counts,
  log: Log,
): Promise<number> {
  const before =
    redisUrl.length > 0
      ? await withRedis(redisUrl, link => raiseInRedis(link, counts))
      : await raiseInFile(stateDir, counts, log);
  return [...counts].filter(([id, count]) => count > (before.get(id) ?? 0)).length;
}

/**
 * The counts in the text of a counts file, or of its `counts` alone.
 * @throws Error where it is no such text; it names `source`, where the text is from.
 */
export function countsIn(text: string, source: string): Counts {
  try {
    const value: unknown = JSON.parse(text);
    return parseCounts(
      typeof value === 'object' && value !== null && 'counts' in value ? value.counts : value,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${source} has no read counts such as {"counts": {"12": 103}}: ${reason}`);
  }
}

/** Without taking the directory, so that it can be done while a service has it. */
async function countsInFile(stateDir: string): Promise<Counts> {
  const path = countsPath(stateDir);
  for (const name of [path, previousOf(path)]) {
    const counts = await readState(systemDisk, name, countsForm).catch(error => {
      throw new Error(`${name} is broken: ${error.message}`);
    });
    if (counts) return counts;
  }
  return new Map();
}

/** Returns the counts before. */
async function raiseInFile(stateDir: string, counts: Counts, log: Log): Promise<Counts> {
  const giveBack = await takeState(stateDir, log);
  try {
    const file = openStateFile(countsPath(stateDir), countsForm, log, systemDisk);
    const before = (await file.load()) ?? new Map();
    await file.save(largerOf(before, counts));
    return before;
  } finally {
    await giveBack();
  }
}

async function withRedis<Result>(urls: string[], use: (link: RedisLink) => Promise<Result>): Promise<Result> {
  const link = await openRedisLink(urls);
  try {
    return await use(link);
  } catch (error) {
    throw new Error(`Redis does not answer: ${error instanceof Error ? error.message : error}`);
  } finally {
    link.close();
  }
}

async function countsInRedis(link: RedisLink): Promise<Counts> {
  return (await link.changes(0, [])).counts;
}

/** Returns the counts before. A batch without reads may be applied at any time, and needs no sequence. */
async function raiseInRedis(link: RedisLink, counts: Counts): Promise<Counts> {
  const before = await countsInRedis(link);
  for (const batch of floorsOf(counts, 'import', 0)) await link.apply(batch, 0);
  return before;
}
