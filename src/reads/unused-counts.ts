import { type Log, plural } from '../messages.ts';
import type { ReadCounter } from './counter.ts';
import type { Counts } from './counts.ts';
import { countsPath, openCountsFile } from './file/file-counter.ts';
import { type StateFile, saveWhole } from './file/state-file.ts';
import { countsOf, openRowsFile, rowsPath } from './redis/rows-file.ts';

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
  const other = await (isRedis ? readCounts(stateDir, log) : readRows(stateDir, log)).catch(() => undefined);
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

async function readCounts(stateDir: string, log: Log): Promise<Counts | undefined> {
  return loadWhole(openCountsFile(stateDir, log));
}

async function readRows(stateDir: string, log: Log): Promise<Counts | undefined> {
  const known = await loadWhole(openRowsFile(stateDir, log));
  return known && countsOf(known.rows);
}

/** Loads a state, and folds its journal after a crash: the command reads only the file. */
async function loadWhole<State>(file: StateFile<State>): Promise<State | undefined> {
  const state = await file.load();
  if (state && file.hasJournal()) await saveWhole(file, state);
  return state;
}
