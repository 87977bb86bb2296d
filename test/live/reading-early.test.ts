import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Loader, loadCatalog, openLoader } from '../../src/live/load.ts';
import { loadWhenStable } from '../../src/live/load-when-stable.ts';
import { openStatus } from '../../src/live/status.ts';
import { openCatalogDirectory } from '../../src/live/watch.ts';
import type { Expectation } from '../../src/reader/changed-set.ts';
import { STILL_MS } from '../../src/set/stability.ts';
import { afterTest } from '../support/after-test.ts';
import { keepServed } from '../support/catalog/served-set.ts';
import { sourceIn, writeFiles, writeInto } from '../support/catalogs.ts';
import { childrenOf, isLinux } from '../support/children.ts';
import { fixtureSet, fixtureSetOf, ROWS } from '../support/fixture-sets.ts';
import { until } from '../support/until.ts';

const QUIET_MS = 300;

interface Reading {
  expected: Expectation;
  isDone: boolean;
  isStopped: boolean;
  /** How often the files had been looked at before. */
  looks: number;
}

interface Observers {
  /** Called with its number, from 1, before each look at the files. */
  onLook?: (look: number) => void;
  /** Called with its number, from 1, at the beginning of each reading. */
  onRead?: (reading: number) => void;
}

/**
 * Saves fixture set 2 over set 1, which is served unless `isServed` is false; `start` loads it. Its time passes only as the
 * test advances the `clock`.
 */
async function saveSecondSet(t: TestContext, files = fixtureSet(2)) {
  const dir = await writeFiles(t, fixtureSet(1));
  const source = { ...sourceIn(dir), stateDir: await writeFiles(t, {}) };
  const keeper = openStatus(() => {});
  const { report, snapshot } = await loadCatalog(source);
  assert.ok(snapshot);
  const unserved = keeper.status();
  keeper.loaded(report, snapshot);
  await keepServed(source, report);
  const loader = openLoader(source);
  const closing = new AbortController();
  afterTest(t, () => loader.close());
  const directory = openCatalogDirectory(dir, '/nowhere');
  await writeInto(dir, files);
  const { signal } = closing;
  const first = await directory.look(signal);
  const clock = { ms: 0 };
  t.mock.method(performance, 'now', () => clock.ms);
  const readings: Reading[] = [];
  let looks = 0;

  const start = async ({ onLook, onRead }: Observers, reloadQuietMs = QUIET_MS, isServed = true) => {
    const counted: Loader = {
      ...loader,
      async load(...args) {
        const [expected] = args;
        const reading = { expected, isDone: false, isStopped: false, looks };
        readings.push(reading);
        onRead?.(readings.length);
        try {
          const change = await loader.load(...args);
          reading.isDone = true;
          return change;
        } catch (error) {
          reading.isStopped = true;
          throw error;
        }
      },
    };
    const watched = {
      ...directory,
      look(signal: AbortSignal) {
        looks += 1;
        onLook?.(looks);
        return directory.look(signal);
      },
    };
    const load = await loadWhenStable(watched, first, clock.ms, {
      reloadQuietMs,
      holdBack: false,
      status: isServed ? keeper.status() : unserved,
      kept: undefined,
      servedSnapshot: async () => undefined,
      onProgress() {},
      onStartOver() {},
      onDamage() {},
      loader: counted,
      signal,
    });
    if (!load) return undefined;
    assert.ok(load.change.outcome === 'read' && load.change.snapshot, load.change.outcome);
    return { ...load, snapshot: load.change.snapshot };
  };
  return { dir, clock, closing, readings, start, looks: () => looks };
}

/** Saves another set at once. */
function saveNow(dir: string, digit: number) {
  for (const [name, content] of Object.entries(fixtureSet(digit)))
    writeFileSync(join(dir, name), String(content));
}

test('a set is read while its files become stable, and taken up not before they are', async t => {
  const { clock, readings, start, looks } = await saveSecondSet(t);
  let isTakenUp = false;
  const loading = start({});
  void loading.finally(() => {
    isTakenUp = true;
  });
  await until(t, async () => readings[0]?.isDone || undefined);
  const looksBefore = looks();
  await until(t, async () => looks() > looksBefore + 2 || undefined);
  assert.equal(isTakenUp, false);
  clock.ms = QUIET_MS;
  const { snapshot } = (await loading) ?? assert.fail();
  assert.equal(fixtureSetOf(snapshot), 2);
  assert.equal(readings.length, 1);
});

test('files that change while they are read early are read again', async t => {
  const { dir, clock, readings, start } = await saveSecondSet(t);
  const load = await start({
    onLook() {
      clock.ms += QUIET_MS / 3;
    },
    onRead(reading) {
      if (reading === 1) saveNow(dir, 3);
    },
  });
  assert.ok(load);
  assert.equal(fixtureSetOf(load.snapshot), 3);
  assert.equal(readings.length, 2);
  assert.equal(readings[1]?.expected.fingerprint, load.state.print.key);
  assert.equal(readings[1]?.expected.isBeingWritten, false);
});

test('a set that is read when its files change again is not taken up, and its reader ends', async t => {
  const before = isLinux ? childrenOf() : [];
  const { dir, clock, readings, start } = await saveSecondSet(t);
  let isSaved = false;
  const load = await start({
    onLook() {
      if (isSaved) clock.ms += QUIET_MS / 3;
      else if (readings[0]?.isDone) {
        isSaved = true;
        saveNow(dir, 3);
      }
    },
  });
  assert.ok(load);
  assert.equal(fixtureSetOf(load.snapshot), 3);
  assert.equal(readings.length, 2);
  const readers = () => childrenOf().filter(pid => !before.includes(pid));
  if (isLinux) await until(t, async () => readers().length === 1 || undefined);
});

test('files that arrive one after the other are read no more than once in vain', async t => {
  const { dir, clock, readings, start } = await saveSecondSet(t);
  const load = await start({
    onLook(look) {
      clock.ms += QUIET_MS / 3;
      if (look <= 6) appendFileSync(join(dir, 'products.csv'), `${look},set 2\n`);
    },
  });
  assert.equal(load?.snapshot.products.size, ROWS + 6);
  assert.deepEqual(
    readings.map(({ looks }) => looks),
    [0, 9],
  );
});

test('what may be incomplete is read early, and read again once it has not changed for long enough', async t => {
  const products = String(fixtureSet(2)['products.csv']).trimEnd();
  const cutShort = { ...fixtureSet(2), 'products.csv': products };
  const { clock, readings, start } = await saveSecondSet(t, cutShort);
  const load = await start({
    onLook() {
      clock.ms += STILL_MS / 5;
    },
  });
  assert.ok(load);
  assert.deepEqual(
    readings.map(({ expected, looks }) => [looks, expected.stillMs]),
    [
      [0, QUIET_MS],
      [5, STILL_MS],
    ],
  );
});

for (const [what, quietMs, isServed, looksBefore] of [
  ['if there is nothing to gain', QUIET_MS / 3, true, 1],
  ['if no set is served yet', QUIET_MS, false, 3],
  ['long before its files are stable', 1_200, true, 2],
] as const) {
  test(`a set is not read early ${what}`, async t => {
    const { clock, readings, start } = await saveSecondSet(t);
    const onLook = () => {
      clock.ms += 100;
    };
    assert.ok(await start({ onLook }, quietMs, isServed));
    assert.deepEqual(
      readings.map(({ looks }) => looks),
      [looksBefore],
    );
  });
}

test('a set that is read early is not taken up if a pin comes, or when the service ends', async t => {
  const { dir, closing, readings, start } = await saveSecondSet(t);
  assert.equal(await start({ onRead: () => writeFileSync(join(dir, 'pin'), 'abcd') }), undefined);
  await assert.rejects(start({ onRead: () => closing.abort() }), { name: 'AbortError' });
  await until(t, async () => readings[1]?.isStopped || undefined);
});
