// Counting reads in Redis, together with other processes, so that no read is lost or counted twice.
//
// Each news item has a row, in which each process has a column that only grows (rows.ts); so rows can be merged in any order.
// `ledger.ts` has the rows as this process knows them, and its own reads that Redis has not confirmed. `sender.ts` sends them
// in batches, through `session.ts`, which calls the Lua scripts of `scripts.ts`; there are the other words of this folder.
// `compare.ts` repairs what Redis has lost. `connection.ts` connects to one Redis, a cluster or Sentinels.
//
import { setTimeout as delay } from 'node:timers/promises';
import { type Log, plural } from '../../messages.ts';
import type { ReadCounter } from '../counts.ts';
import { openFlusher } from '../file/flusher.ts';
import type { StateLock } from '../file/lock.ts';
import type { StateFile } from '../file/state-file.ts';
import { mergeSaved } from './compare.ts';
import type { Connection } from './connection.ts';
import { addRead, countIn, idsIn, openLedger, rowToSave, shownIn } from './ledger.ts';
import type { Known } from './rows.ts';
import { openSender, PATIENCE_MS } from './sender.ts';
import { beginColumn, newName, openSession, type Session } from './session.ts';

/**
 * Counts in Redis together with other processes. Reads of simultaneous requests are sent as one batch. While Redis fails,
 * reads count locally and are sent later. Every `flushIntervalMs`, the counter saves all rows to the file and fetches new
 * counts.
 */
export async function openRedisCounter(
  connection: Connection,
  file: StateFile<Known>,
  { column, owner, rows }: Partial<Known>,
  flushIntervalMs: number,
  log: Log,
  renewLock: StateLock['renew'],
): Promise<ReadCounter> {
  const ledger = openLedger(rows ?? new Map(), column ?? newName());
  const session = openSession(connection, ledger, column && owner);
  let counted = 0;
  const save = openSave(file, session, renewLock);
  const saver = openFlusher('reads that Redis may not have yet', save, flushIntervalMs, log);
  const sender = openSender(session, log, saver.flush);
  const flush = async () => {
    // While Redis fails, `refresh` may not end.
    await Promise.race([sender.refresh(), delay(2 * PATIENCE_MS)]);
    await saver.flush();
  };
  const refresh = () => void Promise.all([sender.refresh(), saver.flush()]);
  const timer = setInterval(refresh, flushIntervalMs).unref();
  connection.onReady(() => void sender.refresh());
  await Promise.race([sender.refresh(), delay(PATIENCE_MS)]);

  const raise = (id: number, floor: number) => {
    counted += 1;
    const estimate = shownIn(ledger, id, floor) + 1;
    if (sender.fault()) {
      addRead(ledger, id, floor);
      return shownIn(ledger, id, floor);
    }
    sender.sendSoon();
    return new Promise<number>(resolve => addRead(ledger, id, floor, count => resolve(count ?? estimate)));
  };
  let beginning: Promise<void> | undefined;
  let hasBegun = false;
  /** If Redis does not answer at first, it may have more reads in the old column than are known here: begin a new column. */
  const begin = async () => {
    await Promise.race([sender.refresh(), delay(PATIENCE_MS)]);
    if (!hasBegun && sender.fault()) countIn(ledger, beginColumn(session));
    hasBegun = true;
  };

  return {
    raise(id, floor) {
      hasBegun ||= sender.fault() === undefined;
      if (hasBegun) return raise(id, floor);
      beginning ??= begin();
      return beginning.then(() => raise(id, floor));
    },
    shown: (id, floor) => shownIn(ledger, id, floor),
    revision: () => ledger.revision,
    health() {
      const fault = sender.fault();
      const { lastFlush, reasons } = saver.health();
      if (fault) reasons.unshift(`cannot count in Redis, reads are kept here until it works again: ${fault}`);
      return { store: 'redis', counted, unsaved: ledger.unsaved, lastFlush, reasons };
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      await saver.flush();
      await saver.flush();
      connection.close();
      const fault = saver.fault();
      if (!fault || ledger.unsaved === 0) return;
      const reads = plural(ledger.unsaved, 'read');
      throw new Error(`${reads} could be neither sent to Redis nor saved: ${fault.message}`);
    },
  };
}

/** Saves the ledger, after merging what another process has saved. */
function openSave(file: StateFile<Known>, session: Session, renewLock: StateLock['renew']) {
  const { ledger } = session;
  const counts = { keys: () => idsIn(ledger), get: (id: number) => rowToSave(ledger, id) };
  let saved = '';
  return async () => {
    await renewLock();
    if (!(await file.isUnchanged())) mergeSaved(ledger, (await file.load())?.rows ?? new Map());
    const head = { column: ledger.column, owner: session.columnOwner };
    const state = `${ledger.revision} ${head.owner}`;
    const isChanged = state !== saved;
    saved = state;
    await file.save(counts, head, isChanged);
  };
}
