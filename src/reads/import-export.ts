import { unlink, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createDirectories, errorCode, statsOf, systemFs, unlessMissing } from '../files/atomic-write.ts';
import { FORMAT, NewerFormatError, parseObject } from '../files/state-format.ts';
import type { Log } from '../messages.ts';
import { type Counts, MAX_COUNT, mergeCounts, parseCounts } from './counts.ts';
import { countsFormat, countsPath, openCountsFile, orderPath } from './file/file-counter.ts';
import { patienceFor } from './file/flusher.ts';
import { lockStateDir, StateInUseError } from './file/lock.ts';
import { readState } from './file/state-file.ts';
import { openReads, type ReadsSettings } from './open.ts';
import { openConnection } from './redis/connection.ts';
import { openLedger } from './redis/ledger.ts';
import { type CountRow, countsOf, formatRow, parseRow, parseRows, raiseRow, sumOf } from './redis/rows.ts';
import { SCRIPTS } from './redis/scripts.ts';
import { changeRows, openSession, type Session, scanRows } from './redis/session.ts';

const SILENT = { info() {}, warn() {}, error() {} };

/** Returns the stored counts as the text of a counts file. @throws Error if they cannot be read. */
export async function exportCounts(settings: ReadsSettings): Promise<string> {
  const counts = await storedCounts(settings);
  return `${JSON.stringify({ format: FORMAT, counts: Object.fromEntries(counts) }, null, 2)}\n`;
}

/** Reads the stored counts, without locking or changing anything. @throws Error if they cannot be read. */
export async function storedCounts(settings: ReadsSettings): Promise<Counts> {
  if (settings.redisUrl.length === 0) return countsInFile(settings.stateDir);
  return withSession(settings, async session => {
    const counts: Counts = new Map();
    for await (const rows of scanRows(session)) {
      for (const [id, row] of rows) parseRow(row, id);
      for (const [id, count] of countsOf(rows)) counts.set(id, count);
    }
    return counts;
  });
}

/** Raises stored counts that are smaller, and returns how many. @throws Error if that fails, or a service uses the file. */
export async function importCounts(settings: ReadsSettings, counts: Counts, log: Log): Promise<number> {
  const isRedis = settings.redisUrl.length > 0;
  const before = await (isRedis
    ? changeStored(settings, [...counts.keys()], (row, id) => raiseRow(row, counts.get(id) ?? 0))
    : raiseInFile(settings.stateDir, counts, log));
  return [...counts].filter(([id, count]) => count > (before.get(id) ?? 0)).length;
}

/** Parses a file of counts, one of rows in Redis, or the `counts` of either. @throws Error that names `source` otherwise. */
export function parseCountsText(text: string, source: string): Counts {
  try {
    const value = parseObject(text, source);
    const counts = 'counts' in value ? value.counts : value;
    const isRows = Object.values(Object(counts)).some(count => typeof count === 'string');
    return isRows ? countsOf(parseRows(counts)) : parseCounts(counts);
  } catch (error) {
    if (error instanceof NewerFormatError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${source}: expected read counts such as {"counts": {"12": 103}}, but ${reason}`);
  }
}

/** Reads the counts file without a lock, so that you can export while a service runs. */
export async function countsInFile(stateDir: string): Promise<Counts> {
  const { state, broken } = await readState(systemFs, countsPath(stateDir), countsFormat);
  for (const { path, reason } of broken) throw new Error(`${path} is broken: ${reason}`);
  return state ?? new Map();
}

/** Returns the counts from before the import. */
async function raiseInFile(stateDir: string, counts: Counts, log: Log): Promise<Counts> {
  const { renew, release } = await lockStateDir(stateDir, log);
  try {
    await renew();
    const file = openCountsFile(stateDir, log);
    const before = (await file.load()) ?? new Map();
    await file.save(mergeCounts(before, counts));
    return before;
  } finally {
    await release();
  }
}

const POLL_MS = 20;

/** Sets one count, also while a service runs, and returns the old one. @throws Error if it is not saved in time. */
export async function setCount(
  settings: ReadsSettings,
  id: number,
  count: number,
  log: Log,
): Promise<number> {
  if (settings.redisUrl.length === 0) return setInFile(settings, id, count, log);
  const before = await changeStored(settings, [id], row => {
    const reads = sumOf(formatRow({ ...row, base: 0 }));
    return { ...row, base: count - reads, version: row.version + 1 };
  });
  return before.get(id) ?? 0;
}

/** Leaves an order for the process that uses the counts file. If there is none, this process carries it out. */
async function setInFile(settings: ReadsSettings, id: number, count: number, log: Log): Promise<number> {
  const { stateDir, flushIntervalMs } = settings;
  const before = (await countsInFile(stateDir)).get(id) ?? 0;
  await createDirectories(stateDir);
  const order = orderPath(stateDir);
  await writeFile(order, JSON.stringify({ [id]: count }), { flag: 'wx' }).catch(error => {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new Error(`another "vitrine counts set" has not ended: wait for it, or delete ${order}`);
  });
  const isTaken = async () => (await statsOf(systemFs, order)) === undefined;
  try {
    const counter = await openReads(settings, { ...log, info() {} }).catch(error => {
      if (!(error instanceof StateInUseError)) throw error;
    });
    await counter?.close();
    // A service carries out an order with its next save.
    const until = performance.now() + patienceFor(flushIntervalMs);
    while (counter === undefined && !(await isTaken()) && performance.now() < until) await delay(POLL_MS);
    if (await isTaken()) return before;
  } finally {
    await unlink(order).catch(unlessMissing);
  }
  throw new Error(
    `the service on ${stateDir} did not set the count: see its /health, or stop it and repeat the command`,
  );
}

/** Changes rows in Redis, and returns the old counts. */
function changeStored(place: ReadsSettings, ids: number[], change: (row: CountRow, id: number) => CountRow) {
  return withSession(place, async session => {
    const before: Counts = new Map();
    const unknown = ids.map((id): [number, string] => [id, '']);
    await changeRows(session, unknown, (id, text) => {
      const row = parseRow(text || '0', id);
      before.set(id, Math.min(sumOf(text || '0'), MAX_COUNT));
      return formatRow(change(row, id));
    });
    return before;
  });
}

async function withSession<Result>(
  place: ReadsSettings,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const connection = await openConnection(place, SCRIPTS, SILENT);
  try {
    return await use(openSession(connection, openLedger(new Map(), '')));
  } catch (error) {
    throw new Error(`Redis failed: ${error instanceof Error ? error.message : error}`);
  } finally {
    connection.close();
  }
}
