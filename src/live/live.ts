// The served set of a catalog directory, and how it changes.
//
// - `decide.ts` decides: a pure function from a state and an event to the next state and what to do next.
// - `perform.ts` does it: looks at the files, has them read, restores a set of the history, or serves one.
// - `watch.ts` notices changes. `readers.ts` has sets read in child processes. `live-history.ts` stores served sets.
// - `control.ts` has the files by which people pin and confirm versions.
// - `status.ts` and `report.ts` say what is served, and what is wrong with the last save.
//
// A set is `held` if it is drastic and not confirmed yet. A version is `pinned` if people want it and no other.
//
import type { Readable } from 'node:stream';
import { momentOf } from '../clock.ts';
import type { CheckOutcome } from '../contract/history.ts';
import { type Entry, historyPath } from '../history/entries.ts';
import { type Log, reasonOf } from '../messages.ts';
import type { CatalogSource } from '../reader/read-set.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { readControls } from './control.ts';
import { decide, decideOnSet, type LiveEvent, type Todo } from './decide.ts';
import {
  closeLoader,
  type Live,
  type LiveOptions,
  type LiveWorld,
  openLive,
  perform,
  tidyWhenIdle,
} from './perform.ts';
import { OvertakenError } from './readers.ts';
import { CatalogError } from './report.ts';
import type { CatalogStatus } from './status.ts';

export type LiveCatalog = ReturnType<typeof openLiveCatalog>;
export type Check = Awaited<ReturnType<LiveCatalog['check']>>;

/**
 * Serves the catalogs of a directory, and reloads them when the files change. The loop does what {@link decide} returns, one
 * step at a time. It detects changes by the fingerprint of the files, at every poll and after every change event. A directory
 * that is missing or empty is not an error. While a version is pinned, the files are not read.
 */
export function openLiveCatalog(
  source: CatalogSource,
  options: LiveOptions,
  log: Log,
  world: Pick<LiveWorld, 'history'> & Partial<LiveWorld>,
) {
  const live = openLive(source, options, log, world);
  const { closing, events, history, poller, readers } = live;
  let running = Promise.resolve();
  const loaded = new Promise<void>((resolve, reject) => {
    running = run(live, resolve)
      .catch(error => {
        if (!closing.signal.aborted) reject(error);
      })
      .finally(() => {
        closeLoader(live);
        resolve();
      });
  });
  // Callers that await it see the error.
  loaded.catch(() => {});

  return {
    snapshot: (): Snapshot | undefined => live.state.served?.snapshot,
    status: () => statusOf(live),
    /**
     * Resolves once the start is decided: a set is served, or the directory has no catalogs yet. Also resolves on close().
     * @throws CatalogError if the first set has errors and the history has no other, or `strict` is on. No set is loaded
     * then.
     */
    loaded,
    /** Checks what saving the files of a form would do. @throws as `check` of {@link openReaders} does. */
    check: (form: Readable, contentType: string, closed: AbortSignal) =>
      checkForm(live, form, contentType, closed),
    /** Whether all files of an entry can be read. @throws Error that says why that is not known. */
    isWhole: (entry: Entry, signal: AbortSignal) => readers.isWhole(entry, { onDamage: log.warn, signal }),
    async close(): Promise<void> {
      closing.abort();
      poller.pollNow();
      readers.close();
      await running;
      await events.close();
      await history.close();
    },
  };
}

async function run(live: Live, onStart: () => void): Promise<void> {
  const { clock, events, history } = live;
  const { signal } = live.closing;
  let todo: Todo = { do: 'look', waitMs: 0 };
  let watched: string | undefined;
  while (!signal.aborted) {
    if (todo.do === 'end') throw new CatalogError(todo.report);
    const event = await perform(live, todo).catch((error): LiveEvent => {
      // An error during a start ends the start.
      if (!live.state.isDecided || signal.aborted) throw error;
      const fault = `cannot load changed files: ${reasonOf(error)}`;
      return { type: 'stepFailed', fault, ...momentOf(clock) };
    });
    todo = apply(live, event);
    if (todo.do === 'look' && todo.waitMs === undefined) tidyWhenIdle(live);
    const { isDecided, look } = live.state;
    if (!isDecided || look?.print.key === watched) continue;
    onStart();
    // The directory of the history exists now, and can be watched.
    if (watched === undefined) await history.settled();
    // The directory may have been replaced.
    watched = look?.print.key;
    if (!signal.aborted) events.renew();
  }
}

/** Applies an event, reports what it changed, and returns what to do next. */
function apply(live: Live, event: LiveEvent): Todo {
  const { history, log, options, say } = live;
  const before = faultsOf(live);
  const { state, said, todo } = decide(live.state, event, options);
  live.state = state;
  const after = faultsOf(live);
  for (const fault of after) if (!before.includes(fault)) log.error(fault);
  for (const fault of before) if (!after.includes(fault)) log.info(`resolved: ${fault}`);
  for (const event of said) say(event, statusOf(live));
  if (state.isDecided) history.noteHeld(state.held?.version);
  return todo;
}

function faultsOf({ state: { look, stepFault } }: Live): string[] {
  return [...(look?.controls.faults ?? []), ...(stepFault ? [stepFault] : [])];
}

function statusOf(live: Live): CatalogStatus {
  const { clock, directory, history, loading, state } = live;
  const { attempt, change, held, isDecided, lastSeconds, look, pinned, served } = state;
  const changedAt = Math.floor((look?.print.changedAt ?? 0) / 1000);
  return {
    ...{ attempt, held, isDecided, lastSeconds, loading, pinned, served },
    faults: faultsOf(live),
    // `since` is in whole seconds.
    waitingSince: pinned && changedAt > pinned.since ? changedAt : undefined,
    silentSeconds: directory.silentSeconds(),
    unstableSeconds: change && !loading ? Math.floor((clock.ms() - change.since) / 1000) : 0,
    unkept: history.fault(),
  };
}

async function checkForm(live: Live, form: Readable, contentType: string, closed: AbortSignal) {
  const { fs, history, options, readers, source } = live;
  const { served } = live.state;
  const expected = { before: history.before(served), holdBack: options.holdBack === 'on' };
  const result = await readers.check(expected, form, contentType, closed);
  if (live.state.served?.snapshot !== served?.snapshot) throw new OvertakenError();
  const { publish } = await readControls(historyPath(source.stateDir), source.catalogDir, fs);
  const decided = { served, isDecided: true, isRestoreTried: true };
  const verdict = decideOnSet(decided, result.report, { pin: undefined, publish }, false);
  const read = verdict === 'serve' ? 'loaded' : verdict === 'hold' ? 'held' : 'failed';
  const unpinned = result.outcome === 'unchanged' ? 'unchanged' : read;
  const outcome: CheckOutcome = live.state.pinned ? 'pinned' : unpinned;
  return { ...result, outcome };
}
