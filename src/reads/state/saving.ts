import type { Log } from '../log.ts';

/** Saves again and again; see `openSaving`. */
export interface Saving {
  /** Saves once more, after those under way. It never rejects. */
  flush(): Promise<void>;
  /** When the last save went well, in Unix seconds; undefined before the first. */
  lastFlush(): number | undefined;
  /** Why it cannot be saved; undefined where the last time went well. */
  fault(): Error | undefined;
}

/** Saves one after the other. A failure is told to the log, once, and so is its end. */
export function openSaving(what: string, save: () => Promise<void>, log: Log): Saving {
  let fault: Error | undefined;
  let lastFlush: number | undefined;
  let saving = Promise.resolve();

  const trySave = async () => {
    try {
      await save();
      if (fault) log.info(`${what} are saved again`);
      fault = undefined;
      lastFlush = Date.now() / 1000;
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      if (!fault) log.error(`${what} cannot be saved, trying again: ${reason.message}`);
      fault = reason;
    }
  };
  return {
    flush: () => (saving = saving.then(trySave)),
    lastFlush: () => lastFlush,
    fault: () => fault,
  };
}
