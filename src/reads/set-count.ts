import { mkdir, unlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { statsOf, systemFs, unlessMissing } from '../files/atomic-write.ts';
import type { Log } from '../messages.ts';
import { countsPath } from './file/file-counter.ts';
import { InUseError } from './file/lock.ts';
import { orderPath, placeOrder } from './file/orders.ts';
import { countsInFile } from './import-export.ts';
import { openReads, type ReadsSettings } from './open.ts';
import { setStored } from './redis/stored-counts.ts';

/** A service takes an order with its next flush; wait so many of its intervals, and always `MIN_WAIT_MS`. */
const WAIT_INTERVALS = 3;
const MIN_WAIT_MS = 5_000;
const POLL_MS = 20;

/**
 * Sets one count, also to a smaller one, also while a service runs. Returns the count before.
 * @throws Error if it cannot be saved, or the service does not take the order.
 */
export async function setCount(
  settings: ReadsSettings,
  id: number,
  count: number,
  log: Log,
): Promise<number> {
  return settings.redisUrl.length > 0 ? setStored(settings, id, count) : setInFile(settings, id, count, log);
}

/** Leaves an order for the process that uses the file, which is this one if there is no other. */
async function setInFile(settings: ReadsSettings, id: number, count: number, log: Log): Promise<number> {
  const { stateDir, flushIntervalMs } = settings;
  const before = (await countsInFile(stateDir)).get(id) ?? 0;
  await mkdir(stateDir, { recursive: true });
  const order = orderPath(countsPath(stateDir));
  await placeOrder(order, new Map([[id, count]]));
  const isTaken = async () => (await statsOf(systemFs, order)) === undefined;
  try {
    const counter = await openReads(settings, { ...log, info() {} }).catch(error => {
      if (!(error instanceof InUseError)) throw error;
    });
    await counter?.close();
    const until = performance.now() + Math.max(WAIT_INTERVALS * flushIntervalMs, MIN_WAIT_MS);
    while (counter === undefined && !(await isTaken()) && performance.now() < until) await delay(POLL_MS);
    if (await isTaken()) return before;
  } finally {
    await unlink(order).catch(unlessMissing);
  }
  throw new Error(
    `the service on ${stateDir} did not set the count: see its /health, or stop it and repeat the command`,
  );
}
