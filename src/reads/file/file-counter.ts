import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isSame, type Stats, statsOf, systemFs, unlessMissing } from '../../files/atomic-write.ts';
import type { StateParser } from '../../files/state-format.ts';
import { type Log, plural } from '../../messages.ts';
import { type Counts, MAX_COUNT, mergeCounts, parseCounts, type ReadCounter } from '../counts.ts';
import { openFlusher } from './flusher.ts';
import type { StateLock } from './lock.ts';
import { openStateFile, type StateFile } from './state-file.ts';

/** Read counts in a file that people may edit: `{…, "counts": {"12": 103}}`. */
export const countsFormat: StateParser<Counts> = {
  parse: ({ counts }) => parseCounts(counts),
  merge: mergeCounts,
};

export function countsPath(stateDir: string): string {
  return join(stateDir, 'read-counts.json');
}

export function openCountsFile(stateDir: string, log: Log): StateFile<Counts> {
  return openStateFile(countsPath(stateDir), countsFormat, log, systemFs);
}

/** Counts in memory. Every `flushIntervalMs`, it saves new reads and carries out the orders of `vitrine counts set`. */
export async function openFileCounter(
  file: StateFile<Counts>,
  flushIntervalMs: number,
  log: Log,
  orders?: ReturnType<typeof openOrders>,
  renewLock?: StateLock['renew'],
): Promise<ReadCounter> {
  const counts: Counts = (await file.load()) ?? new Map();
  /** The items that have changed since the last save began, each with its reads since then. */
  const changed = new Map<number, number>();
  let revision = 0;
  let counted = 0;
  let saved = 0;

  const shown = (id: number, floor: number) => Math.max(counts.get(id) ?? 0, floor);
  const set = (id: number, count: number, newReads: number) => {
    counts.set(id, count);
    changed.set(id, newReads);
    revision += 1;
  };
  /** Merges counts from the file. These do not include new reads, since no save has written them yet. */
  const merge = (found: Counts = new Map()) => {
    const larger = [...found]
      .map(([id, count]) => [id, Math.min(count + (changed.get(id) ?? 0), MAX_COUNT)] as const)
      .filter(([id, count]) => count > shown(id, 0));
    for (const [id, count] of larger) set(id, count, changed.get(id) ?? 0);
    if (larger.length > 0) log.warn(`merged ${plural(larger.length, 'larger read count')} from the file`);
  };
  const save = async () => {
    await renewLock?.();
    if (!(await file.isUnchanged())) merge(await file.load());
    for (const [id, count] of (await orders?.take()) ?? []) {
      log.info(`set the count of news item ${id} from ${shown(id, 0)} to ${count}`);
      set(id, count, 0);
    }
    const [isChanged, saving] = [changed.size > 0, counted];
    changed.clear();
    await file.save(counts, {}, isChanged);
    saved = saving;
    await orders?.done();
  };
  const { flush, fault, health } = openFlusher('read counts', save, flushIntervalMs, log);
  const timer = setInterval(() => void flush(), flushIntervalMs).unref();

  const unsaved = () => counted - saved;
  return {
    raise(id, floor) {
      const count = Math.min(shown(id, floor) + 1, MAX_COUNT);
      set(id, count, (changed.get(id) ?? 0) + 1);
      counted += 1;
      return count;
    },
    shown,
    revision: () => revision,
    health: () => ({ store: 'file', counted, unsaved: unsaved(), ...health() }),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      await flush();
      const reason = fault();
      if (reason && unsaved() > 0)
        throw new Error(`${plural(unsaved(), 'read')} could not be saved: ${reason.message}`);
    },
  };
}

export function orderPath(stateDir: string): string {
  return `${countsPath(stateDir)}.set`;
}

/** Opens the orders of `vitrine counts set` to the process that uses the counts file. They are in a file beside it. */
export function openOrders(stateDir: string) {
  const path = orderPath(stateDir);
  let taken: Stats | undefined;
  return {
    /** Returns the counts to set; undefined if there is no order since the last one. */
    async take(): Promise<Counts | undefined> {
      const text = await readFile(path, 'utf8').catch(unlessMissing);
      const stats = text === undefined ? undefined : await statsOf(systemFs, path);
      if (!stats || isSame(stats, taken)) return undefined;
      try {
        const counts = parseCounts(JSON.parse(text ?? ''));
        taken = stats;
        return counts;
      } catch {
        // Not completely written yet.
        return undefined;
      }
    },
    /** Deletes the order once its counts are saved, which ends the command. */
    async done(): Promise<void> {
      if (taken && isSame(await statsOf(systemFs, path), taken)) await unlink(path).catch(unlessMissing);
      taken = undefined;
    },
  };
}
