import { join } from 'node:path';
import { type Log, plural, reasonOf } from '../../messages.ts';
import type { ReadCounter } from '../counter.ts';
import { type Counts, MAX_COUNT, mergeCounts, parseCounts } from '../counts.ts';
import { systemFs } from './atomic-write.ts';
import { openFlusher } from './flusher.ts';
import { openStateFile, type StateFile } from './state-file.ts';
import type { StateFormat } from './state-format.ts';

/** Read counts in a file that people may edit: `{…, "counts": {"12": 103}}`. */
export const countsFormat: StateFormat<Counts> = {
  toJson: counts => ({ counts: Object.fromEntries(counts) }),
  parse: ({ counts }) => parseCounts(counts),
  merge: mergeCounts,
  indent: 2,
};

export function countsPath(stateDir: string): string {
  return join(stateDir, 'read-counts.json');
}

export function openCountsFile(stateDir: string, log: Log): StateFile<Counts> {
  return openStateFile(countsPath(stateDir), countsFormat, log, systemFs);
}

/** Counts in memory, and saves new reads to the file every `flushIntervalMs`. */
export async function openFileCounter(
  file: StateFile<Counts>,
  flushIntervalMs: number,
  log: Log,
): Promise<ReadCounter> {
  const counts: Counts = (await file.load()) ?? new Map();
  let counted = 0;
  let unsaved = 0;
  let revision = 0;
  let isFileBehind = false;

  const shown = (id: number, floor: number) => Math.max(counts.get(id) ?? 0, floor);
  const mergeEdits = async () => {
    const edited = (await file.load()) ?? new Map();
    const larger = [...edited].filter(([id, count]) => count > shown(id, 0));
    for (const [id, count] of larger) counts.set(id, count);
    revision += 1;
    if (larger.length > 0) log.warn(`merged ${plural(larger.length, 'larger read count')} from the file`);
    isFileBehind = true;
  };
  const save = async () => {
    if (!(await file.isUnchanged())) await mergeEdits();
    if (unsaved === 0 && !isFileBehind) return;
    const reads = unsaved;
    await file.save(counts);
    unsaved -= reads;
    isFileBehind = false;
  };
  const flusher = openFlusher('read counts', save, flushIntervalMs, log);
  const timer = setInterval(() => void flusher.flush(), flushIntervalMs).unref();

  return {
    raise(id, floor) {
      const count = Math.min(shown(id, floor) + 1, MAX_COUNT);
      counts.set(id, count);
      counted += 1;
      unsaved += 1;
      revision += 1;
      return count;
    },
    shown,
    revision: () => revision,
    health() {
      const fault = flusher.fault();
      const reasons = fault ? [`read counts cannot be saved: ${reasonOf(fault)}`] : [];
      return { store: 'file', counted, unsaved, lastFlush: flusher.lastFlush(), reasons };
    },
    flush: flusher.flush,
    async close() {
      clearInterval(timer);
      await flusher.flush();
      const fault = flusher.fault();
      if (fault) throw new Error(`${plural(unsaved, 'read')} could not be saved: ${fault.message}`);
    },
  };
}
