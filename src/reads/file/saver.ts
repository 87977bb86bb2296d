import type { Log } from '../../messages.ts';
import type { StateFile, StoredCounts } from './state-file.ts';

/** Counts in memory. */
interface Source<State> {
  /** Whether anything changed since the last call. */
  takeChanges(): boolean;
  counts(): StoredCounts;
  /** What the file has besides the counts. */
  head?(): object;
  /** Somebody else may have changed the file, which has this state now. */
  onEdit(state: State | undefined): void;
  /** All changes that were taken so far are saved. */
  onSaved?(): Promise<void>;
  /** Runs before each save. If it rejects, so does the save. */
  lock?: (() => Promise<void>) | undefined;
  /** Runs before `takeChanges`. If it rejects, so does the save. */
  prepare?(): Promise<void>;
}

interface Saver extends Flusher {
  /** Flushes once more. Never rejects. */
  close(): Promise<void>;
}

/**
 * Saves the counts whenever they changed, and once more afterwards, so that the file before it has everything too. Load the
 * file first. Logs and keeps faults as `openFlusher` does.
 */
export function openSaver<State>(
  file: StateFile<State>,
  source: Source<State>,
  what: string,
  flushIntervalMs: number,
  log: Log,
): Saver {
  let isBehind = false;

  const save = async () => {
    await source.lock?.();
    if (!(await file.isUnchanged())) {
      source.onEdit(await file.load());
      isBehind = true;
    }
    await source.prepare?.();
    const hasChanges = source.takeChanges();
    if (hasChanges || isBehind) {
      isBehind = true;
      await file.save(source.counts(), source.head?.());
      isBehind = hasChanges;
    }
    await source.onSaved?.();
  };
  const flusher = openFlusher(what, save, flushIntervalMs, log);
  return {
    ...flusher,
    async close() {
      await flusher.flush();
      if (isBehind) await flusher.flush();
    },
  };
}

/** A save may take this many intervals, and always `MIN_PATIENCE_MS`. */
const PATIENCE_INTERVALS = 3;
const MIN_PATIENCE_MS = 5_000;

interface Flusher {
  /** Saves once more, after the save in progress. Resolves when that save ends; never rejects. */
  flush(): Promise<void>;
  /** When the last successful save ended, in Unix seconds; undefined before the first. */
  lastFlush(): number | undefined;
  /** Why the last save failed or hangs; undefined if it succeeded. */
  fault(): Error | undefined;
}

/**
 * Runs one save at a time. A save that fails is a fault, and so is one that takes longer than three intervals and 5 s.
 * Logs when a fault begins and ends.
 */
export function openFlusher(
  what: string,
  save: () => Promise<void>,
  flushIntervalMs: number,
  log: Log,
): Flusher {
  const patienceMs = Math.max(PATIENCE_INTERVALS * flushIntervalMs, MIN_PATIENCE_MS);
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
    flush() {
      next ??= current.then(() => {
        next = undefined;
        current = trySave();
        return current;
      });
      return next;
    },
    lastFlush: () => lastFlush,
    fault: () => fault,
  };
}
