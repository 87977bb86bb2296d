import { type Log, reasonOf } from '../../messages.ts';

/** How long a save may take, in milliseconds. */
export function patienceFor(flushIntervalMs: number): number {
  return Math.max(3 * flushIntervalMs, 5_000);
}

/**
 * Runs one save at a time. A save that fails is a fault, and so is one that takes longer than three intervals and 5 s.
 * Logs when a fault begins and ends.
 */
export function openFlusher(what: string, save: () => Promise<void>, flushIntervalMs: number, log: Log) {
  const patienceMs = patienceFor(flushIntervalMs);
  let fault: Error | undefined;
  let lastFlush: number | undefined;
  let current = Promise.resolve();
  let next: Promise<void> | undefined;

  const fail = (reason: Error) => {
    if (!fault) log.error(`${what} cannot be saved, retrying: ${reason.message}`);
    fault = reason;
  };
  const trySave = async () => {
    const hung = new Error(`the disk has not answered for ${patienceMs / 1000} s`);
    const timer = setTimeout(fail, patienceMs, hung).unref();
    try {
      await save();
      if (fault) log.info(`${what} are saved again`);
      fault = undefined;
      lastFlush = Date.now() / 1000;
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    /** Saves once more, after the save in progress. Resolves when that save ends; never rejects. */
    flush(): Promise<void> {
      next ??= current.then(() => {
        next = undefined;
        current = trySave();
        return current;
      });
      return next;
    },
    /** When the last successful save ended, in Unix seconds; undefined before the first. */
    lastFlush: () => lastFlush,
    /** Why the last save failed or hangs; undefined if it succeeded. */
    fault: () => fault,
    /** The same in a sentence for clients; none if it succeeded. */
    reasons: () => (fault ? [`${what} cannot be saved: ${reasonOf(fault)}`] : []),
  };
}
