import { join } from 'node:path';
import { systemFs } from '../../files/atomic-write.ts';
import type { StateFormat } from '../../files/state-format.ts';
import { type Log, plural, reasonOf } from '../../messages.ts';
import type { ReadCounter } from '../counter.ts';
import { type Counts, MAX_COUNT, mergeCounts, parseCounts } from '../counts.ts';
import { foldInWorker } from './fold-in-worker.ts';
import type { Orders } from './orders.ts';
import { openSaver } from './saver.ts';
import { openStateFile, type StateFile } from './state-file.ts';

/** Read counts in a file that people may edit: `{…, "counts": {"12": 103}}`. */
export const countsFormat: StateFormat<Counts> = {
  empty: () => new Map(),
  toJson: counts => ({ counts: Object.fromEntries(counts) }),
  parse: ({ counts }) => parseCounts(counts),
  apply(counts, values) {
    for (const [id, count] of parseCounts(values)) counts.set(id, count);
  },
  merge: mergeCounts,
  indent: 2,
};

export function countsPath(stateDir: string): string {
  return join(stateDir, 'read-counts.json');
}

export function openCountsFile(stateDir: string, log: Log): StateFile<Counts> {
  const path = countsPath(stateDir);
  const fold = foldInWorker('counts', path, log);
  return openStateFile(path, countsFormat, log, systemFs, fold);
}

/**
 * Counts in memory. Every `flushIntervalMs`, it saves new reads and takes the orders of `vitrine counts set`. Before each
 * save it calls `renewLock`.
 */
export async function openFileCounter(
  file: StateFile<Counts>,
  flushIntervalMs: number,
  log: Log,
  orders?: Orders,
  renewLock?: () => Promise<void>,
): Promise<ReadCounter> {
  const counts = (await file.load()) ?? new Map<number, number>();
  /** The items whose counts changed since the last save began. */
  const changed = new Set<number>();
  let revision = 0;
  let counted = 0;
  /** How many reads are saved, and will be by the save in progress. */
  let saved = 0;
  let saving = 0;

  const set = (id: number, count: number) => {
    counts.set(id, count);
    changed.add(id);
    revision += 1;
  };
  const shown = (id: number, floor: number) => Math.max(counts.get(id) ?? 0, floor);
  const unsaved = () => counted - saved;
  const source = {
    async prepare() {
      await renewLock?.();
      for (const [id, count] of (await orders?.take()) ?? []) {
        log.info(`set the count of news item ${id} from ${shown(id, 0)} to ${count}`);
        set(id, count);
      }
    },
    changes() {
      saving = counted;
      const changes = Object.fromEntries(Array.from(changed, id => [id, counts.get(id)]));
      changed.clear();
      return changes;
    },
    state: () => counts,
    onEdit(edited: Counts = new Map()) {
      const larger = [...edited].filter(([id, count]) => count > shown(id, 0));
      for (const [id, count] of larger) set(id, count);
      revision += 1;
      if (larger.length > 0) log.warn(`merged ${plural(larger.length, 'larger read count')} from the file`);
    },
    async onSaved() {
      saved = saving;
      await orders?.done();
    },
  };
  const saver = await openSaver(file, source, 'read counts', flushIntervalMs, log);
  const timer = setInterval(() => void saver.flush(), flushIntervalMs).unref();

  return {
    raise(id, floor) {
      const count = Math.min(shown(id, floor) + 1, MAX_COUNT);
      set(id, count);
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
