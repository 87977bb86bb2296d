import { setTimeout as delay } from 'node:timers/promises';
import { type AmbiguousNumber, numberKey } from '../formats/decimals.ts';
import type { OnDamage } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import type { Expectation } from '../reader/changed-set.ts';
import type { OnProgress } from '../reader/progress.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { LoadedChange, Loader } from './load.ts';
import type { CatalogStatus } from './status.ts';
import type { CatalogDirectory, DirectoryState } from './watch.ts';

/** The longest pause between two checks of files that are not stable yet, in milliseconds. */
const CHECK_MS = 200;

export interface StableLoadOptions extends Pick<Expectation, 'holdBack'> {
  /** How long files must stay unchanged before they are read, in milliseconds. */
  reloadQuietMs: number;
  /** The status whose set is to be replaced. */
  status: CatalogStatus;
  /** The set that was served before the start, until one is served. */
  kept: Entry | undefined;
  /** The set that is served or, at the start, was served before it; undefined if there is none. */
  servedSnapshot(): Promise<Snapshot | undefined>;
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
  change: Extract<LoadedChange, { outcome: 'unchanged' | 'read' }>;
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
    status: { served },
    kept,
    servedSnapshot,
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
  let numbers: ReadonlySet<string> | undefined;
  const isPinMoved = ({ controls }: DirectoryState) => controls.pin?.version !== first.controls.pin?.version;
  const read = () => {
    const expected: Expectation = {
      fingerprint: print.key,
      stillMs: Math.max(quietMs, performance.now() - lastChange),
      served: served?.report,
      kept,
      isBeingWritten,
      servedNumbers: numbers,
      holdBack,
    };
    return loader.load(expected, served?.snapshot, onProgress, onDamage, signal);
  };
  for (;;) {
    const leftMs = lastChange + quietMs - performance.now();
    if (leftMs > 0) await delay(Math.min(leftMs, CHECK_MS), undefined, { signal });
    const latest = await directory.look(signal);
    if (isPinMoved(latest)) return undefined;
    if (latest.print.key !== print.key) {
      print = latest.print;
      lastChange = performance.now();
      numbers = undefined;
      quietMs = reloadQuietMs;
      onStartOver();
    } else if (performance.now() - lastChange >= quietMs) {
      const change = await read();
      if (change.outcome === 'unchanged' || change.outcome === 'read') {
        const isOverruled = isPinMoved(await directory.look(signal));
        return isOverruled ? undefined : { state: latest, change };
      }
      if (change.outcome === 'ambiguous') {
        const snapshot = await servedSnapshot();
        numbers = snapshot ? servedNumbers(snapshot, change.numbers) : new Set();
      } else if (change.outcome === 'unstable') {
        quietMs = change.stillMs;
        isBeingWritten = true;
        onStartOver();
      }
    }
  }
}

/** The {@link numberKey} of each of the numbers that the snapshot has in the same row and column. */
export function servedNumbers(
  { configurations, prices }: Snapshot,
  numbers: readonly AmbiguousNumber[],
): ReadonlySet<string> {
  const priceRows = rowsOf(prices.id, new Set(numbers.map(({ id }) => id)));
  const isServed = ({ catalog, id, column, value }: AmbiguousNumber) => {
    if (catalog === 'prices') return prices.price[priceRows.get(id) ?? -1] === value;
    const configuration = configurations.get(Number(id));
    return column === 'cpu' ? configuration?.cpu === value : configuration?.memory === value;
  };
  return new Set(numbers.filter(isServed).map(numberKey));
}

/** The rows of some ids. Without a map of all ids, which takes long for a large table. */
function rowsOf(ids: Float64Array, wanted: ReadonlySet<unknown>): ReadonlyMap<unknown, number> {
  const rows = new Map<unknown, number>();
  ids.forEach((id, row) => {
    if (wanted.has(id)) rows.set(id, row);
  });
  return rows;
}
