import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FSWatcher, watch } from 'chokidar';
import { catalogFileNames, hasImage, isMarkdownName, MARKDOWN_FOLDER } from '../contract/catalog-files.ts';
import type { Expectation } from '../reader/changed-set.ts';
import { type Fingerprint, filesIn, fingerprint, imageFault, listChanged } from '../set/directory.ts';
import { catalogLike } from '../set/look-alikes.ts';
import { type Controls, controlNames, readControls, unknownPin } from './control.ts';
import type { LoadedChange } from './readers.ts';

/** What the directory of the catalog files holds, and what people ask for. */
export interface DirectoryState {
  print: Fingerprint;
  controls: Controls;
}

/** The directory of the catalog files. It can stop answering, as a network mount does when its server is gone. */
export function openCatalogDirectory(dir: string, historyDir: string, take = fingerprint) {
  let since: number | undefined;
  /** Stays in force while it cannot be read. */
  let lastPin: Controls['pin'] = unknownPin;
  const lookNow = async () => {
    const print = await take(dir);
    const controls = await readControls(historyDir, dir);
    if (controls.pin !== unknownPin) lastPin = controls.pin;
    return { print, controls: { ...controls, pin: lastPin } };
  };
  return {
    /** Looks at it. @throws the reason of `signal` when that is aborted, even if the system does not answer. */
    look(signal: AbortSignal): Promise<DirectoryState> {
      since = performance.now();
      return new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason);
        if (signal.aborted) return abort();
        signal.addEventListener('abort', abort);
        lookNow()
          .finally(() => {
            signal.removeEventListener('abort', abort);
            since = undefined;
          })
          .then(resolve, reject);
      });
    },
    /** How long the look in progress has taken, in seconds; 0 when there is none. */
    silentSeconds: () => (since === undefined ? 0 : Math.floor((performance.now() - since) / 1000)),
  };
}

interface StableLoadOptions {
  /** Since when the files have not changed, in milliseconds of `performance.now()`. */
  since: number;
  /** How long files must stay unchanged before they are read, in milliseconds. */
  reloadQuietMs: number;
  read(expected: Pick<Expectation, 'fingerprint' | 'stillMs' | 'isBeingWritten'>): Promise<LoadedChange>;
  /** Called when the files have changed, or must lie still. */
  onStartOver(): void;
  signal: AbortSignal;
}

/** The longest pause between two checks of files that are not stable yet, in milliseconds. */
const CHECK_MS = 200;

/**
 * Loads a set once its files are stable: unchanged for `reloadQuietMs`, or for longer if they may be incomplete. Starts
 * over whenever they change, so that the newest files win. Resolves to the outcome and the directory as it was then;
 * undefined if a pin comes or goes in the meantime. @throws the reason of `signal` when that is aborted.
 */
export async function loadWhenStable(
  directory: Pick<ReturnType<typeof openCatalogDirectory>, 'look'>,
  first: DirectoryState,
  { since, reloadQuietMs, read, onStartOver, signal }: StableLoadOptions,
) {
  let { print } = first;
  let lastChange = since;
  let quietMs = reloadQuietMs;
  let isBeingWritten = false;
  const isPinMoved = ({ controls }: DirectoryState) => controls.pin?.version !== first.controls.pin?.version;
  for (;;) {
    const leftMs = lastChange + quietMs - performance.now();
    if (leftMs > 0) await delay(Math.min(leftMs, CHECK_MS), undefined, { signal });
    const latest = await directory.look(signal);
    if (isPinMoved(latest)) return undefined;
    if (latest.print.key !== print.key) {
      print = latest.print;
      lastChange = performance.now();
      quietMs = reloadQuietMs;
      onStartOver();
    } else if (performance.now() - lastChange >= quietMs) {
      const stillMs = Math.max(quietMs, performance.now() - lastChange);
      const change = await read({ fingerprint: print.key, stillMs, isBeingWritten });
      if (change.outcome !== 'incomplete') {
        const isOverruled = isPinMoved(await directory.look(signal));
        return isOverruled ? undefined : { state: latest, change };
      }
      // Otherwise, the files have changed meanwhile.
      if (change.stillMs > 0) {
        quietMs = change.stillMs;
        isBeingWritten = true;
        onStartOver();
      }
    }
  }
}

/** Each watched file takes a watch of the system; polling finds changes of the others. */
const MAX_WATCHED = 1_000;
/** chokidar reports only the first of changes that follow within 5 ms, such as the truncation before a write. */
const SECOND_CALL_MS = 100;

export type ChangeEvents = typeof fileSystemEvents;

/**
 * Calls `onChange` soon after something in one of the directories may have changed: at once, and again when the change
 * should be complete. An event is only a hint: no system reports swapped links or directories that come back, and some
 * report nothing. Does not keep the process alive.
 */
export function fileSystemEvents(dirs: readonly string[], onChange: () => void) {
  let watcher: FSWatcher | undefined;
  let second: NodeJS.Timeout | undefined;
  const close = async () => {
    clearTimeout(second);
    const closed = watcher?.close();
    // Closing takes the listeners away, but a look under way can still fail, which would be an uncaught error.
    watcher?.on('error', () => {});
    await closed;
  };
  const onEvent = () => {
    onChange();
    clearTimeout(second);
    second = setTimeout(onChange, SECOND_CALL_MS).unref();
  };
  return {
    /** Watches the directories that have these names now. */
    renew(): void {
      void close();
      const watched = new Set<string>();
      const isIgnored = (path: string) => {
        const name = basename(path);
        const isOwn = catalogFileNames.has(name) || controlNames.some(control => control === name);
        const canMatter = isOwn || isMarkdownName(name) || catalogLike(name) !== undefined;
        if (canMatter && watched.size < MAX_WATCHED) watched.add(path);
        return !watched.has(path);
      };
      const folders = dirs.flatMap(dir => [dir, join(dir, MARKDOWN_FOLDER)]);
      watcher = watch(folders, {
        depth: 0,
        ignored: (path, stats) => stats?.isFile() === true && isIgnored(path),
        ignoreInitial: true,
        ignorePermissionErrors: true,
        persistent: false,
      });
      watcher.on('all', onEvent);
      // What changed before it is ready was not watched yet.
      watcher.on('ready', onEvent);
      // Polling finds every change.
      watcher.on('error', () => {});
    },
    close,
  };
}

/** The shortest pause after a look at a file, in milliseconds. A look takes about 0.05 ms of CPU time. */
const PAUSE_MS = 2.5;

/** Decides when to check the files again: at an interval, and at once after an event. Does not keep the process alive. */
export function openChangePoller(intervalMs: number) {
  let due = new AbortController();
  return {
    pollNow: () => due.abort(),
    /** Resolves when the next poll is due. So many files were looked at in the last one. */
    async nextPoll(fileCount = 0): Promise<void> {
      const pauseMs = Math.max(intervalMs, fileCount * PAUSE_MS);
      await delay(pauseMs, undefined, { ref: false, signal: due.signal }).catch(() => {});
      due = new AbortController();
    },
  };
}

/** Notices when images arrive. Looks once at a time, so that a directory that does not answer occupies one thread of the pool. */
export function openImagesWatch(dir: string, look = listChanged) {
  let isLooking = false;
  let state: string | undefined;
  let names: ReadonlySet<string> = new Set();
  let faulty: ReadonlySet<string> = new Set();
  const lookFor = async (images: readonly string[]) => {
    const listing = await look(dir, state);
    if (listing) ({ state, names } = listing);
    const found = new Set<string>();
    for (const image of images) if (await imageFault(image, filesIn(dir, names))) found.add(image);
    [faulty, isLooking] = [found, false];
  };
  return {
    /** Whether one of the images was there at the last look, and was one. Starts another look, whose result the next call uses. */
    hasOneOf(images: readonly string[]): boolean {
      if (!isLooking) {
        isLooking = true;
        void lookFor(images);
      }
      return images.some(image => hasImage(names, image) && !faulty.has(image));
    },
  };
}
