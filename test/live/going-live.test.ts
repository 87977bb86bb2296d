import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemFs } from '../../src/files/atomic-write.ts';
import { catalogReasons } from '../../src/http/endpoints/health.ts';
import { openLiveCatalog } from '../../src/live/live.ts';
import { openLiveHistory } from '../../src/live/live-history.ts';
import { type Loader, openReaders } from '../../src/live/readers.ts';
import type { OnStatus } from '../../src/live/status.ts';
import type { ReaderTask } from '../../src/reader/reader-process.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest } from '../support/after-test.ts';
import { keepAndPrune, setOf, UNBOUNDED } from '../support/catalog/history.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { until } from '../support/until.ts';

/** A live catalog of the first fixture set, and its history, which takes the time it needs. */
async function openLive(t: TestContext, options: Partial<Settings> = {}, onStatus: OnStatus = () => {}) {
  const catalogDir = options.catalogDir ?? (await writeFiles(t, fixtureSet(1)));
  const stateDir = options.stateDir ?? (await writeFiles(t, {}));
  const settings = settingsFrom({ reloadPollMs: 20, reloadQuietMs: 0, ...options, catalogDir, stateDir });
  const log = { info() {}, warn: assert.fail, error: assert.fail };
  const opening = Promise.resolve({ mayWrite: () => true });
  const history = openLiveHistory(settings, opening, log, () => new Promise(() => {}));
  const live = openLiveCatalog(settings, { ...settings, onStatus }, log, history);
  afterTest(t, () => live.close());
  // It does not keep the process alive.
  const alive = setInterval(() => {}, 60_000);
  afterTest(t, () => clearInterval(alive));
  await live.loaded;
  return { live, history, catalogDir, stateDir };
}

/** The entries of the history, oldest first. */
function entriesIn(stateDir: string): string[] {
  const names = readdirSync(join(stateDir, 'history'));
  return names.filter(name => name.endsWith('.json')).sort();
}

test('in whatever way a set goes live, it is the newest of the history before any answer shows it', async t => {
  const stateDir = await writeFiles(t, {});
  const events = new EventEmitter();
  const seen: string[] = [];
  const { live, catalogDir } = await openLive(t, { stateDir }, (event, { served }) => {
    const newest = entriesIn(stateDir).at(-1);
    const isKept = newest?.endsWith(`-${served?.snapshot.version}.json`);
    seen.push(isKept ? event : `${event}: ${served?.snapshot.version} is not ${newest}`);
    events.emit(event);
  });
  const first = String(live.snapshot()?.version);
  for (const [event, change] of [
    ['loaded', () => writeInto(catalogDir, fixtureSet(2))],
    ['pinned', () => writeInto(join(stateDir, 'history'), { pin: first })],
    ['loaded', () => rm(join(stateDir, 'history/pin'))],
  ] as const) {
    const happened = once(events, event, { signal: t.signal });
    await change();
    await happened;
  }
  assert.deepEqual(seen, ['loaded', 'loaded', 'rolledBack', 'pinned', 'unpinned', 'loaded']);
});

test('a history that is larger than HISTORY_MB is made smaller at the start, even if no set is new', async t => {
  const stateDir = await writeFiles(t, {});
  for (let count = 0; count < 3; count += 1) {
    const set = setOf({ 'products.json': randomBytes(2 ** 20).toString('base64') }, Date.now() / 1000);
    await keepAndPrune(systemFs, set, UNBOUNDED, assert.fail, join(stateDir, 'history'));
  }
  const { live, history, catalogDir } = await openLive(t, { stateDir });
  await history.settled();
  assert.equal(entriesIn(stateDir).length, 4);
  await live.close();
  const again = await openLive(t, { stateDir, catalogDir, historyMb: 1 });
  await again.history.settled();
  assert.deepEqual(entriesIn(stateDir), [`000004-${again.live.snapshot()?.version}.json`]);
});

const quiet = { info() {}, warn() {}, error() {} };

/** All prices of the first fixture set become 0, while the state directory is not locked, as if it were read-only. */
async function dropPrices(t: TestContext, before: (task: ReaderTask) => void = () => {}) {
  const files = fixtureSet(1);
  const dirs = { catalogDir: await writeFiles(t, files), stateDir: await writeFiles(t, {}) };
  const settings = settingsFrom({ ...dirs, reloadPollMs: 20, reloadQuietMs: 0 });
  const history = openLiveHistory(settings, Promise.resolve({ mayWrite: () => false }), quiet);
  const readers = openReaders(settings);
  const open = () => {
    const loader = readers.open();
    const ask: Loader['ask'] = async (task, listener) => {
      before(task);
      return loader.ask(task, listener);
    };
    return { ...loader, ask };
  };
  const live = openLiveCatalog(settings, settings, quiet, history, { ...readers, open });
  afterTest(t, () => live.close());
  await live.loaded;
  const version = live.snapshot()?.version;
  assert.equal(live.status().unkept, 'the state directory is not locked');
  await writeInto(settings.catalogDir, {
    'prices.csv': String(files['prices.csv']).replace(/,[\d.]+$/gm, ',0'),
  });
  const { report } = await until(t, async () => live.status().held);
  assert.equal(live.snapshot()?.version, version);
  return {
    codes: report.holds?.map(({ code }) => code),
    place: history.before(live.status().served)?.stateDir,
    close: live.close,
  };
}

test('what the history cannot take is compared with the next set all the same, and deleted in the end', async t => {
  const { codes, place, close } = await dropPrices(t);
  assert.deepEqual(codes, ['ZERO_PRICE']);
  assert.ok(existsSync(String(place)));
  await close();
  assert.ok(!existsSync(String(place)));
});

test('what can be kept nowhere makes the next set wait, since a drastic change would not be recognised', async t => {
  const fail = (task: ReaderTask) => {
    if (task.task === 'keep' && task.aside !== undefined) throw new Error('no space left on device');
  };
  assert.deepEqual((await dropPrices(t, fail)).codes, ['NOT_COMPARED']);
});

for (const damage of ['entry', 'files'] as const) {
  test(`a start whose former set is lost serves the files, and its report says so: ${damage}`, async t => {
    const first = await openLive(t);
    await first.live.close();
    const history = join(first.stateDir, 'history');
    if (damage === 'entry')
      for (const name of entriesIn(first.stateDir)) await writeInto(history, { [name]: 'x' });
    else await rm(join(history, 'files'), { recursive: true });
    await writeInto(first.catalogDir, fixtureSet(2));
    const settings = settingsFrom({ catalogDir: first.catalogDir, stateDir: first.stateDir });
    const live = openLiveCatalog(settings, settings, quiet);
    afterTest(t, () => live.close());
    await live.loaded;
    assert.deepEqual(
      live.status().served?.report.holds?.map(({ code }) => code),
      ['NOT_COMPARED'],
    );
    assert.deepEqual(catalogReasons(live.status(), 0).slice(0, 1), [
      'drastic changes could not be recognised, because the set that was served before cannot be read: check what is served',
    ]);
  });
}
