import type { CountsFile, Log } from './counts-file.ts';

/**
 * Counts the reads of news items, exactly. The `floor` of an item is the count that its catalog row gives: the count
 * is never below it.
 */
export interface ReadCounter {
  /** Counts one read and returns the count after it. */
  raise(id: number, floor: number): number;
  /** The count, without counting. */
  shown(id: number, floor: number): number;
  /** Saves what was counted since the last flush. @throws where it cannot be saved. */
  flush(): Promise<void>;
  /** Flushes and stops; counts that come later are lost. @throws where the flush fails. */
  close(): Promise<void>;
}

/** Counts in memory and flushes to the file every `flushIntervalMs` in which something was counted. */
export async function openCounter(file: CountsFile, flushIntervalMs: number, log: Log): Promise<ReadCounter> {
  const counts = await file.load();
  let unsaved = false;
  let saving = Promise.resolve();

  const shown = (id: number, floor: number) => Math.max(counts.get(id) ?? 0, floor);
  const save = async () => {
    if (!unsaved) return;
    unsaved = false;
    try {
      await file.save(counts);
    } catch (error) {
      unsaved = true;
      throw error;
    }
  };
  // One save after the other, and the next one also after a failed one.
  const flush = () => {
    const saved = saving.then(save);
    saving = saved.catch(() => {});
    return saved;
  };
  const tick = () =>
    flush().catch(error => log.error(`read counts could not be saved, trying again: ${error}`));
  const timer = setInterval(() => void tick(), flushIntervalMs).unref();

  return {
    raise(id, floor) {
      const count = shown(id, floor) + 1;
      counts.set(id, count);
      unsaved = true;
      return count;
    },
    shown,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
