import { setTimeout as delay } from 'node:timers/promises';
import type { OnDamage } from '../history/entries.ts';
import type { Before, Expectation } from '../reader/changed-set.ts';
import type { OnProgress } from '../reader/progress.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { LoadedChange, Loader } from './load.ts';
import type { CatalogDirectory, DirectoryState } from './watch.ts';

/** The longest pause between two checks of files that are not stable yet, in milliseconds. */
const CHECK_MS = 200;

export interface StableLoadOptions extends Pick<Expectation, 'holdBack'> {
  /** How long files must stay unchanged before they are read, in milliseconds. */
  reloadQuietMs: number;
  /** The set that is replaced; undefined if there is none. */
  before: Before | undefined;
  /** Its snapshot; undefined unless it is served. */
  served: Snapshot | undefined;
  /** Called now and then while the set is read. */
  onProgress: OnProgress;
  /** Called when what was read is not taken up: the files have changed, or must lie still. */
  onStartOver(): void;
  /** Called with a sentence for each damaged file of the history. */
  onDamage: OnDamage;
  loader: Loader;
  signal: AbortSignal;
}

/** The outcome of a change of the files, and the directory as it was then. */
export interface StableLoad {
  state: DirectoryState;
  change: Exclude<LoadedChange, { outcome: 'incomplete' }>;
}

/**
 * Loads a set once its files are stable: unchanged for `reloadQuietMs`, or for longer if they may be incomplete. Starts
 * over whenever they change, so that the newest files win. They have not changed since `since`, in milliseconds of
 * `performance.now()`. Undefined if a pin comes or goes in the meantime.
 * @throws the reason of `signal` when that is aborted.
 */
export async function loadWhenStable(
  directory: CatalogDirectory,
  first: DirectoryState,
  since: number,
  {
    reloadQuietMs,
    holdBack,
    before,
    served,
    onProgress,
    onStartOver,
    onDamage,
    loader,
    signal,
  }: StableLoadOptions,
): Promise<StableLoad | undefined> {
  let { print } = first;
  let lastChange = since;
  let quietMs = reloadQuietMs;
  let isBeingWritten = false;
  const isPinMoved = ({ controls }: DirectoryState) => controls.pin?.version !== first.controls.pin?.version;
  const read = () => {
    const expected: Expectation = {
      fingerprint: print.key,
      stillMs: Math.max(quietMs, performance.now() - lastChange),
      isBeingWritten,
      before,
      holdBack,
    };
    return loader.load(expected, served, onProgress, onDamage, signal);
  };
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
      const change = await read();
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
