import type { TestContext } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { type LiveCatalog, openLiveCatalog } from '../../src/live/live.ts';
import { type LiveHistory, openLiveHistory } from '../../src/live/live-history.ts';
import { type Loader, openReaders } from '../../src/live/readers.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest } from './after-test.ts';
import { writeFiles } from './catalogs.ts';
import { fixtureSetOf } from './fixture-sets.ts';
import './reader-pool.ts';
import { until } from './until.ts';

/** What tests put in place of a part, or add to it. */
interface Parts {
  loaderOf?: (loader: Loader) => Loader;
  historyOf?: (history: LiveHistory) => LiveHistory;
  /** Whether the state directory is locked. */
  isLocked?: boolean;
}

/**
 * Opens the live catalog of a directory of fixture sets, as production does, but that it waits for the disk of the history
 * as long as it takes, and closes it after the test. Asserts that every snapshot is one whole set.
 */
export async function startLive(
  t: TestContext,
  catalogDir: string,
  options: Partial<Settings> = {},
  { loaderOf = loader => loader, ...parts }: Parts = {},
) {
  const logged: string[] = [];
  let live: LiveCatalog | undefined;
  let failure: unknown;
  const record = (level: string) => (message: string) => {
    logged.push(`${level}: ${message}`);
    try {
      const snapshot = live?.snapshot();
      if (snapshot) fixtureSetOf(snapshot);
    } catch (error) {
      failure = error;
    }
  };
  const settings = settingsFrom({ catalogDir, stateDir: await writeFiles(t, {}), ...options });
  const log = { info: record('info'), warn: record('warn'), error: record('error') };
  const opening = Promise.resolve({ mayWrite: async () => parts.isLocked ?? true });
  const ownHistory = openLiveHistory(settings, opening, log, {
    clock: { ...systemClock, sleep: () => new Promise(() => {}) },
  });
  const history = parts.historyOf?.(ownHistory) ?? ownHistory;
  const readers = openReaders(settings);
  const ownReaders = { ...readers, open: () => loaderOf(readers.open()) };
  const opened = openLiveCatalog(settings, settings, log, { history, readers: ownReaders });
  live = opened;
  afterTest(t, () => opened.close());
  await opened.loaded;

  /** Resolves to the first value of `check` that is not undefined or false. */
  const outcome = <Value>(check: (live: LiveCatalog) => Value | false | undefined) =>
    until(t, async () => {
      if (failure) throw failure;
      return check(opened);
    });
  /** Resolves when the fixture set of this digit is served. */
  const serves = (digit: number) =>
    outcome(() => {
      const snapshot = opened.snapshot();
      return snapshot && fixtureSetOf(snapshot) === digit;
    });
  return { live: opened, history, stateDir: settings.stateDir, logged, outcome, serves };
}
