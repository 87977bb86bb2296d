import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type LiveCatalog, openLiveCatalog } from '../../src/live/live.ts';
import { openLiveHistory } from '../../src/live/live-history.ts';
import { openReaders, type Readers } from '../../src/live/readers.ts';
import { type ChangeEvents, fileSystemEvents } from '../../src/live/watch.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest } from './after-test.ts';
import type { WayToSave } from './catalog/ways-to-save.ts';
import { writeFiles, writeInto } from './catalogs.ts';
import { fixtureSet, fixtureSetOf } from './fixture-sets.ts';
import './reader-pool.ts';

/** Events of the file system, and none at all, as on a network mount. */
export const changeSources = {
  fileSystem: fileSystemEvents,
  none: () => ({ renew() {}, close: async () => {} }),
} satisfies Record<string, ChangeEvents>;

/**
 * Opens the live catalog of a directory of fixture sets, as production does, and closes it after the test. Asserts that
 * every snapshot is one whole set.
 */
export async function startLive(
  t: TestContext,
  catalogDir: string,
  options: Partial<Settings> = {},
  changeEvents: ChangeEvents = fileSystemEvents,
  readersOf: (settings: Settings) => Readers = openReaders,
) {
  const outcomes = new EventEmitter();
  const logged: string[] = [];
  let live: LiveCatalog | undefined;
  let failure: unknown;
  const record = (message: string) => {
    logged.push(message);
    try {
      const snapshot = live?.snapshot();
      if (snapshot) fixtureSetOf(snapshot);
    } catch (error) {
      failure = error;
    }
    outcomes.emit('outcome');
  };
  const settings = settingsFrom({ catalogDir, stateDir: await writeFiles(t, {}), ...options });
  const log = { info: record, warn: record, error: record };
  const history = openLiveHistory(settings, Promise.resolve({ mayWrite: () => true }), log);
  const opened = openLiveCatalog(settings, settings, log, history, readersOf(settings), changeEvents);
  live = opened;
  afterTest(t, () => opened.close());
  await opened.loaded;

  /** Resolves to the first value of `check` that is not undefined; calls it after every outcome. */
  const outcome = async <Value>(check: (live: LiveCatalog) => Value | undefined): Promise<Value> => {
    // A live catalog does not keep the process alive.
    const alive = setInterval(() => {}, 60_000);
    try {
      for (;;) {
        if (failure) throw failure;
        const value = check(opened);
        if (value !== undefined) return value;
        await once(outcomes, 'outcome', { signal: t.signal });
      }
    } finally {
      clearInterval(alive);
    }
  };
  /** Resolves when the fixture set of this digit is served. */
  const serves = (digit: number) =>
    outcome(() => {
      const snapshot = opened.snapshot();
      return snapshot && fixtureSetOf(snapshot) === digit ? true : undefined;
    });
  return { live: opened, logged, outcome, serves };
}

/** Saves one set over another in this way; returns after how many milliseconds it was served. */
export async function takeUpSaved(
  t: TestContext,
  way: WayToSave,
  changeEvents: ChangeEvents,
): Promise<number> {
  const root = await writeFiles(t, {});
  const dir = join(root, 'catalog');
  const [old, next] = [fixtureSet(1), fixtureSet(2)];
  await (way.prepare ? way.prepare(root, old, next) : writeInto(dir, old));
  const { live, serves, outcome } = await startLive(t, dir, {}, changeEvents);
  await serves(1);
  const before = live.status().attempt;
  await way.save(root, next, () => outcome(({ status }) => (status().attempt === before ? undefined : true)));
  const savedAt = performance.now();
  await serves(2);
  return Math.round(performance.now() - savedAt);
}
