import { basename, join } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { type Clock, systemClock } from '../clock.ts';
import { catalogFileNames, hasImage, isMarkdownName, MARKDOWN_FOLDER } from '../contract/catalog-files.ts';
import { type Fs, systemFs } from '../files/atomic-write.ts';
import { reasonOf } from '../messages.ts';
import type { SetReport } from '../reader/read-set.ts';
import { type Fingerprint, fingerprint, listChanged } from '../set/directory.ts';
import { catalogLike } from '../set/look-alikes.ts';
import { type Controls, controlNames, readControls, unknownPin } from './control.ts';

export interface DirectoryState {
  print: Fingerprint;
  controls: Controls;
}

/** The catalog directory. It may stop answering, such as a network mount whose server is gone. */
export function openCatalogDirectory(
  dir: string,
  historyDir: string,
  { clock = systemClock, fs = systemFs }: Partial<{ clock: Pick<Clock, 'ms'>; fs: Fs }> = {},
) {
  let since: number | undefined;
  /** Used while the pin cannot be read. */
  let lastPin: Controls['pin'] = unknownPin;
  const lookNow = async () => {
    const print = await fingerprint(dir, fs);
    const controls = await readControls(historyDir, dir, fs);
    if (controls.pin !== unknownPin) lastPin = controls.pin;
    return { print, controls: { ...controls, pin: lastPin } };
  };
  return {
    /** Takes the state of the directory. @throws the reason of `signal` once aborted, even if the system does not answer. */
    look(signal: AbortSignal): Promise<DirectoryState> {
      since = clock.ms();
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
    /** How long the look in progress has taken, in seconds. */
    silentSeconds: () => (since === undefined ? 0 : Math.floor((clock.ms() - since) / 1000)),
  };
}

/** Each watched file uses a watch of the system. Polling finds changes of the others. */
const MAX_WATCHED = 1_000;
/** When to call again, in milliseconds: chokidar reports only the first change within 5 ms, such as a truncation. */
const SECOND_CALL_MS = 100;

export type ChangeEvents = typeof fileSystemEvents;

/**
 * Watches directories and calls `onChange` after each event: at once, and again when the change should be complete. Events
 * are only hints: no system reports swapped links or directories that come back, and some report nothing. Does not keep the
 * process alive.
 */
export function fileSystemEvents(dirs: readonly string[], onChange: () => void) {
  let watcher: FSWatcher | undefined;
  let second: NodeJS.Timeout | undefined;
  const close = async () => {
    clearTimeout(second);
    const closed = watcher?.close();
    // Closing removes the listeners, but a pending look can still fail, which would be an uncaught error.
    watcher?.on('error', () => {});
    await closed;
  };
  const onEvent = () => {
    onChange();
    clearTimeout(second);
    second = setTimeout(onChange, SECOND_CALL_MS).unref();
  };
  return {
    /** Watches the directories that now have these names. */
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
      // Changes before `ready` were not noticed.
      watcher.on('ready', onEvent);
      watcher.on('error', () => {});
    },
    close,
  };
}

/** The minimum pause per file between two polls, in milliseconds. Checking a file takes about 0.05 ms of CPU time. */
const PAUSE_MS = 2.5;

/** Decides when to check the files again: after an interval, or at once after an event. Does not keep the process alive. */
export function openChangePoller(intervalMs: number, clock: Pick<Clock, 'sleep'> = systemClock) {
  let due = new AbortController();
  return {
    pollNow: () => due.abort(),
    /** Resolves when the next poll is due. `fileCount` is the number of files in the last one. */
    async nextPoll(fileCount = 0): Promise<void> {
      const pauseMs = Math.max(intervalMs, fileCount * PAUSE_MS);
      await clock.sleep(pauseMs, due.signal, false).catch(() => {});
      due = new AbortController();
    },
  };
}

/** Watches for images that come or go. It looks once at a time, so a directory that hangs blocks only one thread. */
export function openImagesWatch(dir: string, look = listChanged) {
  let isLooking = false;
  let state: string | undefined;
  let names: ReadonlySet<string> | undefined;
  let faults: string[] = [];
  return {
    /** Why the directory cannot be read, one sentence, safe to show to clients; empty if it can or does not exist. */
    faults: () => faults,
    /** Whether an image that the set names has come since it was read, or gone. Starts a look for the next call. */
    haveChanged({ missing, found }: SetReport['images']): boolean {
      if (!isLooking) {
        isLooking = true;
        const looked = look(dir, state).then(listing => {
          if (listing) ({ state, names } = listing);
          faults = [];
        });
        const failed = (error: unknown) => {
          state = undefined;
          faults = [`cannot read IMAGES_DIR: ${reasonOf(error)}`];
        };
        void looked.catch(failed).finally(() => {
          isLooking = false;
        });
      }
      const isThere = (image: string) => names !== undefined && hasImage(names, image);
      return names !== undefined && (missing.some(isThere) || !found.every(isThere));
    },
  };
}
