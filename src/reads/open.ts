// Counting the reads of news items: the only state of the service that changes with requests.
//
// A `ReadCounter` counts in memory and saves at every `flushIntervalMs`. `file/` saves to `read-counts.json` in the state
// directory, which one process has locked. `redis/` counts in Redis, together with other processes, and keeps what Redis has
// not confirmed yet in a file. `import-export.ts` is for the commands that read or change counts. README.md is the manual.
import { type Log, plural } from '../messages.ts';
import type { Settings } from '../settings/settings.ts';
import type { ReadCounter } from './counts.ts';
import { countsPath, openCountsFile, openFileCounter, openOrders } from './file/file-counter.ts';
import { lockStateDir, type StateLock } from './file/lock.ts';
import { openConnection } from './redis/connection.ts';
import { openRedisCounter } from './redis/redis-counter.ts';
import { countsOf, openRowsFile, rowsPath } from './redis/rows.ts';
import { SCRIPTS } from './redis/scripts.ts';

/** Where to count reads. Without a `redisUrl`, this process counts alone. */
export type ReadsSettings = Pick<Settings, 'stateDir' | 'redisUrl' | 'redisPrefix' | 'flushIntervalMs'>;

/**
 * Locks the state directory and continues from the counts that the last process saved. Call `mayWrite` before you write
 * anything else there.
 * @throws Error if the directory cannot be created, another process uses it, its files cannot be read, or ioredis is missing.
 */
export async function openReads(
  settings: ReadsSettings,
  log: Log,
): Promise<ReadCounter & Pick<StateLock, 'mayWrite'>> {
  const lock = await lockStateDir(settings.stateDir, log);
  try {
    const counter = await openCounter(settings, log, lock.renew);
    await warnOfUnused(settings, counter.shown, log);
    // Lets the log and `health` report from the start that nothing can be saved.
    if (!(await lock.mayWrite())) await counter.flush();
    const health = () => {
      const health = counter.health();
      const fault = lock.fault();
      return fault ? { ...health, reasons: [fault, ...health.reasons] } : health;
    };
    const { mayWrite } = lock;
    return { ...counter, mayWrite, health, close: () => counter.close().finally(lock.release) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openCounter(settings: ReadsSettings, log: Log, renewLock: StateLock['renew']) {
  const { stateDir, redisUrl, flushIntervalMs } = settings;
  if (redisUrl.length === 0) {
    const file = openCountsFile(stateDir, log);
    return openFileCounter(file, flushIntervalMs, log, openOrders(stateDir), renewLock);
  }
  const file = openRowsFile(stateDir, log);
  const known = (await file.load()) ?? {};
  const connection = await openConnection(settings, SCRIPTS, log);
  return openRedisCounter(connection, file, known, flushIntervalMs, log, renewLock).catch(error => {
    // An open connection keeps the process alive.
    connection.close();
    throw error;
  });
}

/** Warns if the other way of counting, in a file or in Redis, has left larger counts behind, and says how to take them over. */
async function warnOfUnused({ redisUrl, stateDir }: ReadsSettings, shown: ReadCounter['shown'], log: Log) {
  const isRedis = redisUrl.length > 0;
  const path = isRedis ? countsPath(stateDir) : rowsPath(stateDir);
  const read = async () =>
    isRedis
      ? openCountsFile(stateDir, log).load()
      : countsOf((await openRowsFile(stateDir, log).load())?.rows ?? new Map());
  const other = await read().catch(() => undefined);
  const larger = [...(other ?? [])].filter(([id, count]) => count > shown(id, 0));
  if (larger.length === 0) return;
  const [left, command] = isRedis
    ? ['in a file', `run: vitrine counts import ${path}, with the same REDIS_URL`]
    : ['in Redis', `stop the service and run: vitrine counts import ${path} --state-dir ${stateDir}`];
  const counts = plural(larger.length, 'read count');
  log.warn(
    `${path} has ${counts} larger than those in use, from counting ${left}. To take them over, ${command}`,
  );
}
