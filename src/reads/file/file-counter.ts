import { join } from 'node:path';
import { systemFs } from '../../files/atomic-write.ts';
import type { StateParser } from '../../files/state-format.ts';
import { type Log, plural, reasonOf } from '../../messages.ts';
import { type Counts, MAX_COUNT, mergeCounts, parseCounts, type ReadCounter } from '../counts.ts';
import type { StateLock } from './lock.ts';
import type { Orders } from './orders.ts';
import { openSaver } from './saver.ts';
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

/**
 * Counts in memory. Every `flushIntervalMs`, it saves new reads and takes the orders of `vitrine counts set`. Before each
 * save it calls `renewLock`, as {@link StateLock} says.
 */
export async function openFileCounter(
  file: StateFile<Counts>,
  flushIntervalMs: number,
  log: Log,
  orders?: Orders,
  renewLock?: StateLock['renew'],
): Promise<ReadCounter> {
  const counts: Counts = (await file.load()) ?? new Map();
  /** The items that changed since the last save began, each with its reads since then. */
  const changed = new Map<number, number>();
  let revision = 0;
  /** How many reads are counted, are saved, and will be by the save in progress. */
  let counted = 0;
  let saved = 0;
  let saving = 0;

  const shown = (id: number, floor: number) => Math.max(counts.get(id) ?? 0, floor);
  const set = (id: number, count: number, newReads: number) => {
    counts.set(id, count);
    changed.set(id, newReads);
    revision += 1;
  };
  const source = {
    lock: renewLock,
    async prepare() {
      for (const [id, count] of (await orders?.take()) ?? []) {
        log.info(`set the count of news item ${id} from ${shown(id, 0)} to ${count}`);
        set(id, count, 0);
      }
    },
    takeChanges() {
      const hasChanges = changed.size > 0;
      changed.clear();
      saving = counted;
      return hasChanges;
    },
    counts: () => counts,
    /** No save has written the new reads yet: they are not among the counts of the file, whoever wrote those. */
    onEdit(found: Counts = new Map()) {
      const larger = [...found]
        .map(([id, count]) => [id, Math.min(count + (changed.get(id) ?? 0), MAX_COUNT)] as const)
        .filter(([id, count]) => count > shown(id, 0));
      for (const [id, count] of larger) set(id, count, changed.get(id) ?? 0);
      if (larger.length > 0) log.warn(`merged ${plural(larger.length, 'larger read count')} from the file`);
    },
    async onSaved() {
      saved = saving;
      await orders?.done();
    },
  };
  const saver = openSaver(file, source, 'read counts', flushIntervalMs, log);
  const timer = setInterval(() => void saver.flush(), flushIntervalMs).unref();

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
    health() {
      const fault = saver.fault();
      const reasons = fault ? [`read counts cannot be saved: ${reasonOf(fault)}`] : [];
      return {
        store: 'file',
        counted,
        unsaved: unsaved(),
        lastFlush: saver.lastFlush(),
        reasons,
      };
    },
    flush: saver.flush,
    async close() {
      clearInterval(timer);
      await saver.close();
      const fault = saver.fault();
      if (fault && unsaved() > 0)
        throw new Error(`${plural(unsaved(), 'read')} could not be saved: ${fault.message}`);
    },
  };
}
