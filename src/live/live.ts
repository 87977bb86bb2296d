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

/** The catalogs of a directory: always the last good set. */
export type LiveCatalog = ReturnType<typeof openLiveCatalog>;
/** What would happen if files were saved; see `check` there. */
export type Check = Awaited<ReturnType<LiveCatalog['check']>>;

/**
 * Loads the set of a directory, and then every later set without errors. Its loop does what {@link decide} says, one thing
 * at a time, and feeds back the result. The fingerprint of the files, taken at every poll and on every change event, says
 * whether they changed. A directory that does not exist or has no catalogs yet is not an error. While a version is pinned,
 * the files are not read.
 */
export function openLiveCatalog(
  source: CatalogSource,
  options: LiveOptions,
  log: Log,
  world: Partial<LiveWorld> = {},
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
  // Whoever waits for it sees the error.
  loaded.catch(() => {});

  return {
    snapshot: (): Snapshot | undefined => live.state.served?.snapshot,
    status: () => statusOf(live),
    /**
     * Resolves when the files are decided: the first set is served, the directory turns out to have no catalogs yet, or the
     * last good set stays. Also on close().
     * @throws CatalogError if the first set has errors and the history has none instead, or `strict` asks for it. Later
     * changes are then ignored.
     */
    loaded,
    /**
     * What would happen if the files of a form were saved in the catalog folder, in place of their namesakes. They are read
     * as a save is. @throws as `check` of {@link openReaders} does.
     */
    check: (form: Readable, contentType: string, closed: AbortSignal) =>
      checkForm(live, form, contentType, closed),
    /** Whether all files of a set of the history can be read. @throws Error that says why that is not known. */
    isWhole: (entry: Entry, signal: AbortSignal) => readers.isWhole(entry, { onDamage: log.warn, signal }),
    /** Stops watching the directory and aborts a load in progress. */
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

/** Does what is decided, one thing after the other, until it is closed. */
async function run(live: Live, onStart: () => void): Promise<void> {
  const { clock, events, history } = live;
  const { signal } = live.closing;
  let todo: Todo = { do: 'look', waitMs: 0, isReadNext: true };
  let watched: string | undefined;
  while (!signal.aborted) {
    if (todo.do === 'fail') throw new CatalogError(todo.report);
    const event = await perform(live, todo).catch((error): LiveEvent => {
      // A start ends by what it cannot do.
      if (!live.state.isDecided || signal.aborted) throw error;
      const fault = `cannot load changed files: ${reasonOf(error)}`;
      return { type: 'failed', fault, ...momentOf(clock) };
    });
    todo = apply(live, event);
    if (todo.do === 'look' && !todo.isReadNext) tidyWhenIdle(live);
    const { isDecided, look } = live.state;
    if (!isDecided || look?.print.key === watched) continue;
    onStart();
    // By then, the directory of the history exists.
    if (watched === undefined) await history.settled();
    // A directory may be a new one.
    watched = look?.print.key;
    if (!signal.aborted) events.renew();
  }
}

/** Takes in what came of it, says so, and returns what is to be done next. */
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

function faultsOf({ state: { look, failure } }: Live): string[] {
  return [...(look?.controls.faults ?? []), ...(failure ? [failure] : [])];
}

function statusOf(live: Live): CatalogStatus {
  const { clock, directory, history, loading, state } = live;
  const { attempt, change, held, isDecided, lastSeconds, look, pinned, served } = state;
  const changedAt = Math.floor((look?.print.changedAt ?? 0) / 1000);
  return {
    ...{ attempt, held, isDecided, lastSeconds, loading, pinned, served },
    faults: faultsOf(live),
    // Since when it is pinned is known to the second.
    waitingSince: pinned && changedAt > pinned.since ? changedAt : undefined,
    silentSeconds: directory.silentSeconds(),
    unstableSeconds: change && !loading ? Math.floor((clock.ms() - change.since) / 1000) : 0,
    unkept: history.fault(),
  };
}

/** What would become of the files of a form. */
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
