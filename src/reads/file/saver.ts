import type { Log } from '../../messages.ts';
import { type StateFile, saveWhole } from './state-file.ts';

/** A state in memory. */
interface Source<State> {
  /** Takes what changed since the last call, as values for the journal; empty if nothing did. */
  changes(): Record<string, unknown>;
  /** The whole state, with all changes. */
  state(): State;
  /** Somebody else may have changed the file, which has this state now. It is saved whole next. */
  onEdit(state: State | undefined): void;
  /** All that `changes` returned so far is saved. */
  onSaved?(): Promise<void>;
  /** Runs before each save: whether somebody else may have written to the directory since. If it rejects, so does the save. */
  lock?: (() => Promise<boolean>) | undefined;
  /** Runs before `changes`. If it rejects, so does the save. */
  prepare?(): Promise<void>;
}

interface Saver extends Flusher {
  /** Flushes once more, and leaves no journal. Never rejects. */
  close(): Promise<void>;
}

/**
 * Saves what changed, and folds the file where it needs that: at the start and at the close here, else in another thread.
 * Load the file first. Logs and keeps faults as `openFlusher` does.
 */
export async function openSaver<State>(
  file: StateFile<State>,
  source: Source<State>,
  what: string,
  flushIntervalMs: number,
  log: Log,
): Promise<Saver> {
  let unsaved: Record<string, unknown> = {};
  let isBehind = file.hasJournal();
  let isStale = false;
  let isStart = true;
  let isClosing = false;

  const makeAppendable = async () => {
    const needs = file.needs();
    if (needs === 'fold' && !isStart) await file.fold();
    else if (needs !== 'nothing') await file.save(source.state());
  };
  const save = async () => {
    if ((await source.lock?.()) || !(await file.isUnchanged())) isStale = true;
    if (isStale) {
      source.onEdit(await file.load());
      isStale = false;
      isBehind = true;
    }
    await source.prepare?.();
    Object.assign(unsaved, source.changes());
    const hasChanges = Object.keys(unsaved).length > 0;
    if (hasChanges || isBehind) await makeAppendable();
    if (hasChanges) await file.append(unsaved);
    unsaved = {};
    isBehind = false;
    await source.onSaved?.();
    if (isClosing && file.hasJournal()) await saveWhole(file, source.state());
  };
  const flusher = openFlusher(what, save, flushIntervalMs, log);
  if (isBehind) await flusher.flush();
  isStart = false;
  return {
    ...flusher,
    close() {
      isClosing = true;
      return flusher.flush();
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
