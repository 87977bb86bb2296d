import { setTimeout as delay } from 'node:timers/promises';
import { type Fingerprint, fingerprint } from './fingerprint.ts';
import type { LoadedSet, Loader } from './load.ts';
import type { CatalogSource, Expectation } from './set.ts';
import type { CatalogStatus } from './status.ts';
import { growingMs } from './trust.ts';

/** How often files are looked at that do not lie still yet, in milliseconds. */
const LOOK_MS = 200;

/** Files of which a fingerprint was taken, and since when it has been the same (milliseconds of `performance.now()`). */
export interface StillFiles {
  print: Fingerprint;
  since: number;
}

export interface SettleOptions extends Pick<Expectation, 'allowShrink'> {
  /** Milliseconds for which changed files have to lie still. */
  reloadQuietMs: number;
  /** What the set is to take the place of. */
  status: CatalogStatus;
  /** Is closed in the end. */
  loader: Loader;
  signal: AbortSignal;
}

/** A set that was loaded, or that holds what is served, and the fingerprint of its files. */
export interface Settled {
  key: string;
  change: { outcome: 'unchanged' } | ({ outcome: 'read' } & LoadedSet);
}

/**
 * Loads a set as soon as its files lie still, and longer where they may not be whole; it starts over when they change,
 * so that the newest wins.
 * @throws where `signal` is aborted.
 */
export async function loadWhenStill(
  source: CatalogSource,
  files: StillFiles,
  { reloadQuietMs, allowShrink, status: { served, attempt }, loader, signal }: SettleOptions,
): Promise<Settled> {
  const refused = attempt?.report.version === undefined ? attempt?.report : undefined;
  let { print, since } = files;
  let quietMs = reloadQuietMs;
  let longestGrowingMs = 0;
  try {
    for (;;) {
      const waitMs = Math.min(since + quietMs - performance.now(), LOOK_MS);
      if (waitMs > 0) await delay(waitMs, undefined, { signal });
      const latest = await fingerprint(source.catalogDir);
      const stillMs = performance.now() - since;
      if (latest.key !== print.key) {
        longestGrowingMs = Math.max(longestGrowingMs, growingMs(print, latest));
        print = latest;
        since = performance.now();
        quietMs = Math.max(reloadQuietMs, longestGrowingMs);
      } else if (stillMs >= quietMs) {
        const expected = { fingerprint: print.key, stillMs, served: served?.report, refused, allowShrink };
        const change = await loader.load(expected, signal);
        if (change.outcome === 'unchanged' || change.outcome === 'read') return { key: print.key, change };
        if (change.outcome === 'distrusted') quietMs = change.quietMs;
      }
    }
  } finally {
    await loader.close();
  }
}
