import { type Clock, momentOf, systemClock } from '../clock.ts';
import { type Fs, systemFs } from '../files/atomic-write.ts';
import { historyPath } from '../history/entries.ts';
import { type Log, reasonOf } from '../messages.ts';
import type { CatalogSource } from '../reader/read-set.ts';
import type { Progress } from '../reader/reader-process.ts';
import { listChanged } from '../set/directory.ts';
import { notCompared } from '../set/hold-back/hold-back.ts';
import type { Settings } from '../settings/settings.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { initialState, type LiveEvent, type Look, type Todo } from './decide.ts';
import { entryOf, type LiveHistory } from './live-history.ts';
import { type Loader, openReaders, type Readers } from './readers.ts';
import { formatProgress } from './report.ts';
import { logStatus, type OnStatus } from './status.ts';
import {
  type ChangeEvents,
  fileSystemEvents,
  openCatalogDirectory,
  openChangePoller,
  openImagesWatch,
} from './watch.ts';

export interface LiveOptions
  extends Pick<Settings, 'reloadQuietMs' | 'reloadPollMs' | 'holdBack' | 'strict'> {
  onStatus?: OnStatus | undefined;
  /** Called with each set before it is served; serving waits for it. */
  beforeServed?: ((next: Snapshot) => Promise<void>) | undefined;
}

/** What a test can replace. By default, each part but the history is that of the system. */
export interface LiveWorld {
  clock: Clock;
  fs: Fs;
  history: LiveHistory;
  readers: Readers;
  changeEvents: ChangeEvents;
}

export type Live = ReturnType<typeof openLive>;

export function openLive(
  source: CatalogSource,
  options: LiveOptions,
  log: Log,
  world: Pick<LiveWorld, 'history'> & Partial<LiveWorld>,
) {
  const { clock = systemClock, fs = systemFs, changeEvents = fileSystemEvents, history } = world;
  const dirs = [source.catalogDir, historyPath(source.stateDir)] as const;
  const { readers = openReaders(source) } = world;
  const poller = openChangePoller(options.reloadPollMs, clock);
  return {
    ...{ source, options, log, clock, fs, readers, history, poller },
    closing: new AbortController(),
    directory: openCatalogDirectory(...dirs, { clock, fs }),
    images: openImagesWatch(source.imagesDir, (dir, last) => listChanged(dir, last, fs)),
    events: changeEvents(dirs, poller.pollNow),
    say: options.onStatus ?? logStatus(log),
    state: initialState,
    looking: undefined as Promise<Look> | undefined,
    loading: undefined as Progress | undefined,
    /** The reader of the next set to read or to store. */
    loader: undefined as Loader | undefined,
  };
}

/** The interval between log entries about the progress of a read, in milliseconds. */
const PROGRESS_MS = 10_000;
/** How long a start waits for the catalog directory before it serves the last good set, in milliseconds. */
const SILENT_MS = 3_000;

export async function perform(live: Live, todo: Exclude<Todo, { do: 'end' }>): Promise<LiveEvent> {
  const { clock, closing, history, poller, source, state } = live;
  switch (todo.do) {
    case 'look':
      if (todo.waitMs === undefined) {
        await poller.nextPoll(state.look?.print.fileCount);
      } else {
        // The reader starts meanwhile.
        loaderOf(live);
        await clock.sleep(todo.waitMs, closing.signal, true);
      }
      return lookNow(live);
    case 'read':
      return read(live, todo);
    case 'restore':
      return restore(live, todo.version);
    case 'serve': {
      const { origin, set } = todo;
      // Any set that a client has seen must be in the history, so that a start after a kill finds it.
      await Promise.all([
        history.keep(entryOf(source.catalogDir, set), loaderOf(live)),
        live.options.beforeServed?.(set.snapshot),
      ]);
      return { type: 'served', origin, set, ...momentOf(clock) };
    }
  }
}

/** Tidies the history, or stores the served set again if that is due. */
export function tidyWhenIdle(live: Live): void {
  const { history, source } = live;
  const { served } = live.state;
  closeLoader(live);
  if (!served || !history.isDue()) return;
  void history.keep(entryOf(source.catalogDir, served), loaderOf(live));
  closeLoader(live);
}

function loaderOf(live: Live): Loader {
  live.loader ??= live.readers.open();
  return live.loader;
}

export function closeLoader(live: Live): void {
  const { loader, history, state } = live;
  if (loader && state.served) history.tidy(loader);
  else loader?.close();
  live.loader = undefined;
}

/** Until a start has tried to serve the last good set, it does not wait for a directory that does not answer. */
async function lookNow(live: Live): Promise<LiveEvent> {
  const { clock, options, state } = live;
  live.looking ??= look(live).finally(() => {
    live.looking = undefined;
  });
  const isPatient = state.isDecided || state.isRestoreTried || options.strict;
  const silence = isPatient ? [] : [clock.sleep(SILENT_MS, undefined, false).then(() => undefined)];
  const seen = await Promise.race([live.looking, ...silence]);
  return seen ? { type: 'looked', look: seen, ...momentOf(clock) } : { type: 'silent', ...momentOf(clock) };
}

async function look(live: Live): Promise<Look> {
  const { closing, directory, images } = live;
  const seen = await directory.look(closing.signal);
  const { report } = live.state.attempt ?? live.state.served ?? {};
  const haveImagesChanged = report !== undefined && images.haveChanged(report.images);
  const faults = [...seen.controls.faults, ...images.faults()];
  return { ...seen, controls: { ...seen.controls, faults }, haveImagesChanged };
}

async function read(live: Live, { key, ...todo }: Extract<Todo, { do: 'read' }>): Promise<LiveEvent> {
  const { clock, history, log, options, source, state } = live;
  const holdBack = options.holdBack === 'on';
  const { served } = state;
  // The read compares with what the history has.
  await history.settled();
  const before = history.before(served, served ? undefined : await history.newest());
  if (!before && !state.isDecided && key === 'ENOENT')
    log.warn(`${source.catalogDir} does not exist yet: create it, or set CATALOG_DIR`);
  const expected = { fingerprint: key, ...todo, before, holdBack };
  const change = await listening(live, to => loaderOf(live).load(expected, served?.snapshot, to));
  const seen = { ...(await look(live)), haveImagesChanged: false };
  const event = { type: 'read', change, look: seen, ...momentOf(clock) } as const;
  if (change.outcome !== 'read') {
    const isRecognised = history.isLastLost() && (await history.hasBefore(served));
    return { ...event, isRecognised };
  }
  // After a failed load, the process may have ended.
  if (change.report.problems.some(({ code }) => code === 'LOAD_FAILED')) closeLoader(live);
  const lost = holdBack && history.isLastLost() ? [notCompared(undefined)] : [];
  const report = { ...change.report, holds: change.report.holds ?? lost };
  return { ...event, change: { ...change, report }, isRecognised: false };
}

async function restore(live: Live, version: string): Promise<LiveEvent> {
  const { clock, closing, history, log } = live;
  const { served } = live.state;
  try {
    await history.settled();
    const replaced = history.before(served);
    const wanted = { version, replaced };
    const found = await listening(live, to => loaderOf(live).restore(wanted, served?.snapshot, to));
    const isNewest = !replaced && (await history.newest())?.version === found?.snapshot.version;
    const isBack = version !== '' && !isNewest;
    const set = found && { ...found, since: isBack ? clock.now() : found.since };
    return { type: 'restored', version, origin: isBack ? 'rolledBack' : 'restored', set, ...momentOf(clock) };
  } catch (error) {
    closing.signal.throwIfAborted();
    closeLoader(live);
    const fault = reasonOf(error);
    if (version === '') log.error(`the history cannot be read: ${fault}`);
    return { type: 'restored', version, origin: 'restored', set: undefined, fault, ...momentOf(clock) };
  }
}

/** Reads a set. Shows its progress in the status and logs it every ten seconds. */
async function listening<Result>(
  live: Live,
  read: (listener: Parameters<Loader['load']>[2]) => Promise<Result>,
): Promise<Result> {
  const { clock, closing, log } = live;
  let lineAt = clock.ms() + PROGRESS_MS;
  const onProgress = (progress: Progress) => {
    live.loading = progress;
    if (clock.ms() < lineAt) return;
    lineAt = clock.ms() + PROGRESS_MS;
    log.info(`reading the catalogs: ${formatProgress(progress)}`, progress);
  };
  live.loading = { rows: 0, percent: 0 };
  try {
    return await read({ onProgress, onDamage: log.warn, signal: closing.signal });
  } finally {
    live.loading = undefined;
  }
}
