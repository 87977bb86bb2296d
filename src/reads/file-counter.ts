import type { ReadCounter } from './counter.ts';
import type { Counts } from './counts.ts';
import type { Log } from './log.ts';
import type { StateFile } from './state/file.ts';
import { openSaving } from './state/saving.ts';

/** Counts in memory, and saves to the file every `flushIntervalMs` in which something was counted. */
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
  const takeOverEdits = async () => {
    const edited = (await file.load()) ?? new Map();
    const larger = [...edited].filter(([id, count]) => count > shown(id, 0));
    for (const [id, count] of larger) counts.set(id, count);
    revision += 1;
    if (larger.length > 0)
      log.warn(`read counts of ${larger.length} news are larger in the file, and were taken over`);
    isFileBehind = true;
  };
  const save = async () => {
    if (!(await file.isUntouched())) await takeOverEdits();
    if (unsaved === 0 && !isFileBehind) return;
    const reads = unsaved;
    await file.save(counts);
    unsaved -= reads;
    isFileBehind = false;
  };
  const saving = openSaving('read counts', save, log);
  const timer = setInterval(() => void saving.flush(), flushIntervalMs).unref();

  return {
    raise(id, floor) {
      const count = shown(id, floor) + 1;
      counts.set(id, count);
      counted += 1;
      unsaved += 1;
      revision += 1;
      return count;
    },
    shown,
    revision: () => revision,
    health: () => ({
      store: 'file',
      counted,
      unsaved,
      lastFlush: saving.lastFlush(),
      reasons: reasonsOf(saving.fault()),
    }),
    flush: saving.flush,
    async close() {
      clearInterval(timer);
      await saving.flush();
      const fault = saving.fault();
      if (fault) throw new Error(`${unsaved} reads could not be saved: ${fault.message}`);
    },
  };
}

function reasonsOf(fault: Error | undefined): string[] {
  return fault ? [`read counts cannot be saved: ${fault.message}`] : [];
}
