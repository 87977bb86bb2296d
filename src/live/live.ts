import type { Readable } from 'node:stream';
import { type Clock, type Moment, momentOf, systemClock } from '../clock.ts';
import type { CheckOutcome } from '../contract/history.ts';
import { type Fs, systemFs } from '../files/atomic-write.ts';
import { type Entry, historyPath } from '../history/entries.ts';
import { type Log, reasonOf } from '../messages.ts';
import type { CatalogSource } from '../reader/read-set.ts';
import type { Progress } from '../reader/reader-process.ts';
import { listChanged } from '../set/directory.ts';
import { notCompared } from '../set/hold-back/hold-back.ts';
import type { Settings } from '../settings/settings.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { readControls } from './control.ts';
import { decide, initialState, judge, type LiveEvent, type Look, type Todo } from './decide.ts';
import { entryOf, type LiveHistory, openLiveHistory } from './live-history.ts';
import { type Loader, OvertakenError, openReaders, type Readers } from './readers.ts';
import { CatalogError, formatProgress } from './report.ts';
import { type CatalogStatus, logStatus, type OnStatus } from './status.ts';
import {
  type ChangeEvents,
  fileSystemEvents,
  openCatalogDirectory,
  openChangePoller,
  openImagesWatch,
} from './watch.ts';

/** The catalogs of a directory: always the last good set. */
export type LiveCatalog = ReturnType<typeof openLiveCatalog>;
/** What would happen if files were saved; see `check` there. */
export type Check = Awaited<ReturnType<LiveCatalog['check']>>;

interface LiveOptions extends Pick<Settings, 'reloadQuietMs' | 'reloadPollMs' | 'holdBack' | 'strict'> {
  /** Reports the events, instead of the log. */
  onStatus?: OnStatus | undefined;
  /** Called with each set before it is served, which waits until it resolves. */
  beforeServed?: ((next: Snapshot) => Promise<void>) | undefined;
}

/** What the catalogs live in; each part is that of the system unless another one is given. */
export interface LiveWorld {
  clock: Clock;
  fs: Fs;
  history: LiveHistory;
  readers: Readers;
  changeEvents: ChangeEvents;
}

/** Between two lines about the progress of a set, in milliseconds. */
const PROGRESS_MS = 10_000;
/** How long a start waits for the catalog directory before it serves the last good set, in milliseconds. */
const SILENT_MS = 3_000;

/**
 * Loads the set of a directory, and then every later set without errors. Its loop does what {@link decide} says, one thing
 * at a time, and feeds back the result. The fingerprint of the files, taken at every poll and on every change event, says
 * whether they changed. A directory that does not exist or has no catalogs yet is not an error. While a version is pinned,
 * the files are not read.
 */
export function openLiveCatalog(
  source: CatalogSource,
  { onStatus, beforeServed, ...options }: LiveOptions,
  log: Log,
  world: Partial<LiveWorld> = {},
) {
  const { clock = systemClock, fs = systemFs, changeEvents = fileSystemEvents } = world;
  const { readers = openReaders(source) } = world;
  const opening = Promise.resolve({ mayWrite: async () => true });
  const { history = openLiveHistory(source, opening, log, { clock, fs }) } = world;
  const { catalogDir, stateDir, imagesDir } = source;
  const historyDir = historyPath(stateDir);
  const holdBack = options.holdBack === 'on';
  const closing = new AbortController();
  const { signal } = closing;
  const directory = openCatalogDirectory(catalogDir, historyDir, { clock, fs });
  const images = openImagesWatch(imagesDir, (dir, last) => listChanged(dir, last, fs));
  const poller = openChangePoller(options.reloadPollMs, clock);
  const events = changeEvents([catalogDir, historyDir], poller.pollNow);
  const say = onStatus ?? logStatus(log);
  let state = initialState;
  let loading: Progress | undefined;
  /** The reader of the files that are to be read, or of the set that is to be kept. */
  let loader: Loader | undefined;

  const at = (): Moment => momentOf(clock);
  const openLoader = () => {
    loader ??= readers.open();
    return loader;
  };
  const closeLoader = () => {
    if (loader && state.served) history.tidy(loader);
    else loader?.close();
    loader = undefined;
  };
  let looking: Promise<Look> | undefined;
  const look = async (): Promise<Look> => {
    const seen = await directory.look(signal);
    const { report } = state.attempt ?? state.served ?? {};
    const haveImagesChanged = report !== undefined && images.haveChanged(report.images);
    const faults = [...seen.controls.faults, ...images.faults()];
    return { ...seen, controls: { ...seen.controls, faults }, haveImagesChanged };
  };
  /** Looks. A start that has not served the last good set yet does not wait for a directory that does not answer. */
  const lookNow = async (): Promise<LiveEvent> => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    const isPatient = state.isDecided || state.isRestoreTried || options.strict;
    const silence = isPatient ? [] : [clock.sleep(SILENT_MS, signal, false).then(() => undefined)];
    const seen = await Promise.race([looking, ...silence]);
    return seen ? { type: 'looked', look: seen, ...at() } : { type: 'silent', ...at() };
  };
  /** Reads a set, which is shown in the status, and logged every ten seconds. */
  const listening = async <Result>(
    read: (listener: Parameters<Loader['load']>[2]) => Promise<Result>,
  ): Promise<Result> => {
    let lineAt = clock.ms() + PROGRESS_MS;
    const onProgress = (progress: Progress) => {
      loading = progress;
      if (clock.ms() < lineAt) return;
      lineAt = clock.ms() + PROGRESS_MS;
      log.info(`reading the catalogs: ${formatProgress(progress)}`, progress);
    };
    loading = { rows: 0, percent: 0 };
    try {
      return await read({ onProgress, onDamage: log.warn, signal });
    } finally {
      loading = undefined;
    }
  };

  const read = async ({ key, ...todo }: Extract<Todo, { do: 'read' }>): Promise<LiveEvent> => {
    // What changes is found by the history.
    await history.settled();
    const { served } = state;
    const before = history.before(served, served ? undefined : await history.newest());
    if (!before && !state.isDecided && key === 'ENOENT')
      log.warn(`${catalogDir} does not exist yet: create it, or set CATALOG_DIR`);
    const expected = { fingerprint: key, ...todo, before, holdBack };
    const change = await listening(to => openLoader().load(expected, served?.snapshot, to));
    const event = {
      type: 'read',
      change,
      look: { ...(await look()), haveImagesChanged: false },
      ...at(),
    } as const;
    if (change.outcome !== 'read') {
      const isRecognised = history.isLastLost() && (await history.hasBefore(served));
      return { ...event, isRecognised };
    }
    // A process that failed may have ended.
    if (change.report.problems.some(({ code }) => code === 'LOAD_FAILED')) closeLoader();
    const lost = holdBack && history.isLastLost() ? [notCompared(undefined)] : [];
    const report = { ...change.report, holds: change.report.holds ?? lost };
    return { ...event, change: { ...change, report }, isRecognised: false };
  };
  const restore = async (version: string): Promise<LiveEvent> => {
    const failed = (error: unknown) => {
      signal.throwIfAborted();
      closeLoader();
      const fault = reasonOf(error);
      if (version === '') log.error(`the history cannot be read: ${fault}`);
      return { type: 'restored', version, origin: 'restored', set: undefined, fault, ...at() } as const;
    };
    try {
      await history.settled();
      const { served } = state;
      const replaced = history.before(served);
      const wanted = { version, replaced };
      const set = await listening(to => openLoader().restore(wanted, served?.snapshot, to));
      const isNewest = !replaced && (await history.newest())?.version === set?.snapshot.version;
      const isBack = version !== '' && !isNewest;
      const origin = isBack ? 'rolledBack' : 'restored';
      const since = isBack ? clock.now() : set?.since;
      return { type: 'restored', version, origin, set: set && { ...set, since: since ?? 0 }, ...at() };
    } catch (error) {
      return failed(error);
    }
  };
  const perform = async (todo: Exclude<Todo, { do: 'fail' }>): Promise<LiveEvent> => {
    switch (todo.do) {
      case 'look':
        if (todo.isReadNext) openLoader();
        if (todo.waitMs === undefined) await poller.nextPoll(state.look?.print.fileCount);
        else await clock.sleep(todo.waitMs, signal, true);
        return lookNow();
      case 'read':
        return read(todo);
      case 'restore':
        return restore(todo.version);
      case 'serve': {
        const { origin, set } = todo;
        // After a kill, a start finds in the history what any answer has shown.
        await Promise.all([
          history.keep(entryOf(catalogDir, set), openLoader()),
          beforeServed?.(set.snapshot),
        ]);
        return { type: 'served', origin, set, ...at() };
      }
    }
  };
  /** Nothing is to be done. */
  const rest = () => {
    closeLoader();
    const { served } = state;
    if (!served || !history.isDue()) return;
    void history.keep(entryOf(catalogDir, served), openLoader());
    closeLoader();
  };

  const faults = () => [...(state.look?.controls.faults ?? []), ...(state.failure ? [state.failure] : [])];
  const apply = (event: LiveEvent): Todo => {
    const [faultsBefore, before] = [faults(), state];
    const decision = decide(before, event, options);
    state = decision.state;
    for (const fault of faults()) if (!faultsBefore.includes(fault)) log.error(fault);
    for (const fault of faultsBefore) if (!faults().includes(fault)) log.info(`resolved: ${fault}`);
    for (const said of decision.said) say(said, status());
    if (state.isDecided) history.noteHeld(state.held?.version);
    return decision.todo;
  };
  const status = (): CatalogStatus => {
    const { pinned, look, change, held } = state;
    const changedAt = Math.floor((look?.print.changedAt ?? 0) / 1000);
    const { attempt, isDecided, lastSeconds, served } = state;
    return {
      ...{ attempt, held, isDecided, lastSeconds, loading, pinned, served },
      faults: faults(),
      // Since when it is pinned is known to the second.
      waitingSince: pinned && changedAt > pinned.since ? changedAt : undefined,
      silentSeconds: directory.silentSeconds(),
      unstableSeconds: change && !loading ? Math.floor((clock.ms() - change.since) / 1000) : 0,
      unkept: history.fault(),
    };
  };

  let onStart: () => void = () => {};
  let onFailure: (error: unknown) => void = () => {};
  const loaded = new Promise<void>((resolve, reject) => {
    [onStart, onFailure] = [resolve, reject];
  });
  const run = async () => {
    let todo: Todo = { do: 'look', waitMs: 0, isReadNext: true };
    let watched: string | undefined;
    while (!signal.aborted) {
      if (todo.do === 'fail') throw new CatalogError(todo.report);
      const event: LiveEvent = await perform(todo).catch(error => {
        // A start ends by what it cannot do.
        if (!state.isDecided || signal.aborted) throw error;
        return { type: 'failed', fault: `cannot load changed files: ${reasonOf(error)}`, ...at() };
      });
      todo = apply(event);
      if (todo.do === 'look' && !todo.isReadNext) rest();
      if (!state.isDecided || state.look?.print.key === watched) continue;
      onStart();
      // By then, the directory of the history exists.
      if (watched === undefined) await history.settled();
      // A directory may be a new one.
      watched = state.look?.print.key;
      if (!signal.aborted) events.renew();
    }
  };
  const running = run()
    .catch(error => {
      if (!signal.aborted) onFailure(error);
    })
    .finally(() => {
      closeLoader();
      onStart();
    });
  // Whoever waits for it sees the error.
  loaded.catch(() => {});

  return {
    snapshot: (): Snapshot | undefined => state.served?.snapshot,
    status,
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
    async check(form: Readable, contentType: string, closed: AbortSignal) {
      const { served } = state;
      const expected = { before: history.before(served), holdBack };
      const result = await readers.check(expected, form, contentType, closed);
      if (state.served?.snapshot !== served?.snapshot) throw new OvertakenError();
      const { publish } = await readControls(historyDir, catalogDir, fs);
      const decided = { served, isDecided: true, isRestoreTried: true };
      const verdict = judge(decided, result.report, { pin: undefined, publish }, false);
      const read = verdict === 'serve' ? 'loaded' : verdict === 'hold' ? 'held' : 'failed';
      const unpinned = result.outcome === 'unchanged' ? 'unchanged' : read;
      const outcome: CheckOutcome = state.pinned ? 'pinned' : unpinned;
      return { ...result, outcome };
    },
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
