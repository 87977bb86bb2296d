import { type Log, reasonOf } from '../../messages.ts';

/** How long a save may take before it counts as a fault, in milliseconds. */
export function patienceFor(flushIntervalMs: number): number {
  return Math.max(3 * flushIntervalMs, 5_000);
}

/** Runs one save at a time. A save that fails or takes too long is a fault. Logs when a fault begins and ends. */
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
  const succeed = () => {
    if (fault) log.info(`${what} are saved again`);
    fault = undefined;
    lastFlush = Date.now() / 1000;
  };
  const trySave = () => {
    const hung = new Error(`the disk has not answered for ${patienceMs / 1000} s`);
    const timer = setTimeout(fail, patienceMs, hung).unref();
    return save()
      .then(succeed, fail)
      .finally(() => clearTimeout(timer));
  };
  return {
    /** Starts another save after the one in progress. Resolves when that one ends. Never rejects. */
    flush(): Promise<void> {
      next ??= current.then(() => {
        next = undefined;
        current = trySave();
        return current;
      });
      return next;
    },
    /** Why the last save failed or hangs; undefined if it has succeeded. */
    fault: () => fault,
    /** When the last successful save ended, and the fault as a sentence for clients. */
    health: () => ({
      lastFlush,
      reasons: fault ? [`${what} cannot be saved: ${reasonOf(fault)}`] : [],
    }),
  };
}
