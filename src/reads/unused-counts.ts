import { type Log, plural } from '../messages.ts';
import type { ReadCounter } from './counter.ts';
import type { Counts } from './counts.ts';
import { systemFs } from './file/atomic-write.ts';
import { countsFormat, countsPath } from './file/file-counter.ts';
import { readState } from './file/read-state.ts';
import { countsOf, knownFormat, rowsPath } from './redis/rows-file.ts';

/**
 * Warns of counts that the other way of counting left in the state directory, if some are larger than those that are
 * shown, with the command that takes them over.
 */
export async function warnOfUnused(
  { redisUrl, stateDir }: { redisUrl: string[]; stateDir: string },
  shown: ReadCounter['shown'],
  log: Log,
): Promise<void> {
  const isRedis = redisUrl.length > 0;
  const path = isRedis ? countsPath(stateDir) : rowsPath(stateDir);
  const other = await (isRedis ? readCounts(path) : readRows(path)).catch(() => undefined);
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

async function readCounts(path: string): Promise<Counts | undefined> {
  return (await readState(systemFs, path, countsFormat)).state;
}

async function readRows(path: string): Promise<Counts | undefined> {
  const { state } = await readState(systemFs, path, knownFormat);
  return state && countsOf(state.rows);
}
