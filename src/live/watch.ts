import { basename, dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { watch } from 'chokidar';
import { catalogFileNames, hasImage, isMarkdownName, MARKDOWN_FOLDER } from '../contract/catalog-files.ts';
import type { Expectation } from '../reader/changed-set.ts';
import { catalogLike } from '../set/look-alikes.ts';
import { type Fingerprint, fingerprint, listChanged } from '../set/system-directory.ts';
import { type Controls, controlNames, readControls } from './control.ts';
import type { LoadedChange } from './readers.ts';

/** What the directory of the catalog files holds, and what people ask for. */
export interface DirectoryState {
  print: Fingerprint;
  controls: Controls;
}

/** The directory of the catalog files. It can stop answering, as a network mount does when its server is gone. */
export interface CatalogDirectory {
  /** Looks at it. @throws the reason of `signal` when that is aborted, even if the system does not answer. */
  look(signal: AbortSignal): Promise<DirectoryState>;
  /** How long the look in progress has taken, in seconds; 0 when there is none. */
  silentSeconds(): number;
}

/** Control files are also looked for in the history. */
export function openCatalogDirectory(dir: string, historyDir: string, take = fingerprint): CatalogDirectory {
  const lookNow = async (): Promise<DirectoryState> => {
    const print = await take(dir);
    return { print, controls: await readControls(historyDir, dir) };
  };
  let since: number | undefined;
  return {
    look(signal) {
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
    silentSeconds: () => (since === undefined ? 0 : Math.floor((performance.now() - since) / 1000)),
  };
}

/** The outcome of a change of the files, and the directory as it was then. */
export interface StableLoad {
  state: DirectoryState;
  change: Exclude<LoadedChange, { outcome: 'incomplete' }>;
}

interface StableLoadOptions {
  /** Since when the files have not changed, in milliseconds of `performance.now()`. */
  since: number;
  /** How long files must stay unchanged before they are read, in milliseconds. */
  reloadQuietMs: number;
  read(expected: Pick<Expectation, 'fingerprint' | 'stillMs' | 'isBeingWritten'>): Promise<LoadedChange>;
  /** Called when what was read is not taken up: the files have changed, or must lie still. */
  onStartOver(): void;
  signal: AbortSignal;
}

/** The longest pause between two checks of files that are not stable yet, in milliseconds. */
const CHECK_MS = 200;

/**
 * Loads a set once its files are stable: unchanged for `reloadQuietMs`, or for longer if they may be incomplete. Starts
 * over whenever they change, so that the newest files win. Undefined if a pin comes or goes in the meantime.
 * @throws the reason of `signal` when that is aborted.
 */
export async function loadWhenStable(
  directory: Pick<CatalogDirectory, 'look'>,
  first: DirectoryState,
  { since, reloadQuietMs, read, onStartOver, signal }: StableLoadOptions,
): Promise<StableLoad | undefined> {
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

/**
 * Calls `onChange` soon after something in a directory may have changed, until it is closed. An event is only a hint: no
 * system reports swapped links or directories that come back, and some report nothing. Does not keep the process alive.
 */
export type ChangeEvents = (dir: string, onChange: () => void) => { close(): Promise<void> };

/** Each takes a watch of the system; polling finds changes of the others. */
const MAX_LOOK_ALIKES = 50;
const MAX_MARKDOWN = 1_000;

/** chokidar reports only the first of changes that follow within 5 ms, such as the truncation before a write. */
const SECOND_CALL_MS = 100;

/**
 * Events from the file system. Each calls `onChange` at once, and again when the change should be complete. Errors are
 * ignored: polling finds every change.
 */
export const fileSystemEvents: ChangeEvents = (dir, onChange) => {
  const folder = resolve(dir, MARKDOWN_FOLDER);
  const lookAlikes = openLimit(MAX_LOOK_ALIKES);
  const markdown = openLimit(MAX_MARKDOWN);
  const isWatched = (path: string) => {
    const name = basename(path);
    if (resolve(dirname(path)) === folder) return isMarkdownName(name) && markdown.admits(name);
    return isKnown(name) || (catalogLike(name) !== undefined && lookAlikes.admits(name));
  };
  let second: NodeJS.Timeout | undefined;
  const onEvent = () => {
    onChange();
    clearTimeout(second);
    second = setTimeout(() => !watcher.closed && onChange(), SECOND_CALL_MS).unref();
  };
  const watcher = watch([dir, folder], {
    depth: 0,
    ignored: (path, stats) => stats?.isFile() === true && !isWatched(path),
    ignoreInitial: true,
    ignorePermissionErrors: true,
    persistent: false,
  });
  return (
    watcher
      .on('all', onEvent)
      .on('addDir', path => resolve(path) === folder && watcher.add(folder))
      // What changed before that was not watched yet.
      .on('ready', onEvent)
      .on('error', () => {})
  );
};

/** Admits so many names, each any number of times. */
function openLimit(max: number) {
  const names = new Set<string>();
  return {
    admits(name: string): boolean {
      if (names.size < max) names.add(name);
      return names.has(name);
    },
  };
}

function isKnown(name: string): boolean {
  return catalogFileNames.has(name) || controlNames.some(control => control === name);
}

/** Decides when to check the files again: at a fixed interval, and at once when something says that they changed. */
interface ChangePoller {
  /** Makes the next poll due at once. */
  pollNow(): void;
  /** Resolves when the next poll is due. So many files were looked at in the last one. */
  nextPoll(fileCount?: number): Promise<void>;
}

/** The shortest pause after a look at a file, in milliseconds. A look takes about 0.05 ms of CPU time. */
const PAUSE_MS = 2.5;

/** Its timer does not keep the process alive. */
export function openChangePoller(intervalMs: number): ChangePoller {
  let isDue = false;
  let wake: (() => void) | undefined;
  return {
    pollNow() {
      isDue = true;
      wake?.();
    },
    async nextPoll(fileCount = 0) {
      if (!isDue) {
        await new Promise<void>(resolve => {
          const pauseMs = Math.max(intervalMs, fileCount * PAUSE_MS);
          const timer = setTimeout(resolve, pauseMs).unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isDue = false;
      wake = undefined;
    },
  };
}

/** Notices when images arrive in their directory, also if that stops answering. */
interface ImagesWatch {
  /** Whether one of the images was there at the last look. Starts another look, whose result the next call uses. */
  hasOneOf(images: readonly string[]): boolean;
}

/** Looks once at a time, so that a directory that does not answer occupies one thread of libuv's pool and delays nothing. */
export function openImagesWatch(dir: string, look = listChanged): ImagesWatch {
  let isLooking = false;
  let state: string | undefined;
  let names: ReadonlySet<string> = new Set();
  return {
    hasOneOf(images) {
      if (!isLooking) {
        isLooking = true;
        void look(dir, state).then(listing => {
          isLooking = false;
          if (listing) ({ state, names } = listing);
        });
      }
      return images.some(image => hasImage(names, image));
    },
  };
}
