import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemFs } from '../../src/files/atomic-write.ts';
import { catalogReasons } from '../../src/http/endpoints/health.ts';
import { type Loader, openReaders } from '../../src/live/readers.ts';
import type { OnStatus } from '../../src/live/status.ts';
import type { ReaderTask } from '../../src/reader/reader-process.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { keepAndPrune, setOf, UNBOUNDED } from '../support/catalog/history.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { entriesOf } from '../support/kept-shop.ts';
import { startLive } from '../support/live.ts';

const quick = { reloadPollMs: 20, reloadQuietMs: 0 };
const isFault = (line: string) => !line.startsWith('info: ');

test('in whatever way a set goes live, it is the newest of the history before any answer shows it', async t => {
  const catalogDir = await writeFiles(t, fixtureSet(1));
  const stateDir = await writeFiles(t, {});
  const seen: string[] = [];
  const onStatus: OnStatus = (event, { served }) => {
    const newest = readdirSync(join(stateDir, 'history'))
      .filter(name => name.endsWith('.json'))
      .sort()
      .at(-1);
    const isKept = newest?.endsWith(`-${served?.snapshot.version}.json`);
    seen.push(isKept ? event : `${event}: ${served?.snapshot.version} is not ${newest}`);
  };
  const { live, outcome, logged } = await startLive(t, catalogDir, { stateDir, ...quick }, { onStatus });
  const first = String(live.snapshot()?.version);
  for (const [count, change] of [
    [2, () => writeInto(catalogDir, fixtureSet(2))],
    [4, () => writeInto(join(stateDir, 'history'), { pin: first })],
    [6, () => rm(join(stateDir, 'history/pin'))],
  ] as const) {
    await change();
    await outcome(() => (seen.length === count ? true : undefined));
  }
  assert.deepEqual(seen, ['loaded', 'loaded', 'rolledBack', 'pinned', 'unpinned', 'loaded']);
  assert.deepEqual(logged.filter(isFault), []);
});

test('a history that is larger than HISTORY_MB is made smaller at the start, even if no set is new', async t => {
  const catalogDir = await writeFiles(t, fixtureSet(1));
  const stateDir = await writeFiles(t, {});
  for (let count = 0; count < 3; count += 1) {
    const set = setOf({ 'products.json': randomBytes(2 ** 20).toString('base64') }, Date.now() / 1000);
    await keepAndPrune(systemFs, set, UNBOUNDED, assert.fail, join(stateDir, 'history'));
  }
  const first = await startLive(t, catalogDir, { stateDir });
  await first.history.settled();
  assert.equal((await entriesOf(first)).length, 4);
  await first.live.close();
  const again = await startLive(t, catalogDir, { stateDir, historyMb: 1 });
  await again.history.settled();
  assert.deepEqual(await entriesOf(again), [`000004-${again.live.snapshot()?.version}.json`]);
  for (const { logged } of [first, again]) assert.deepEqual(logged.filter(isFault), []);
});

test('a set is compared once the one before it is in the history', async t => {
  const catalogDir = await writeFiles(t, fixtureSet(1));
  let settled = async () => {};
  const { live, serves } = await startLive(t, catalogDir, quick, {
    historyOf: history => ({ ...history, settled: () => settled() }),
  });
  const version = live.snapshot()?.version;
  const waiting = new Promise<() => void>(resolve => {
    settled = () => new Promise(release => resolve(release));
  });
  await writeInto(catalogDir, fixtureSet(2));
  const release = await waiting;
  assert.equal(live.snapshot()?.version, version);
  settled = async () => {};
  release();
  await serves(2);
  const { head = [] } = live.snapshot()?.changes ?? {};
  assert.match(Buffer.from(head).toString(), new RegExp(`"from":"${version}"`));
});

/** All prices of the first fixture set become 0, while the state directory is not locked, as if it were read-only. */
async function dropPrices(t: TestContext, before: (task: ReaderTask) => void = () => {}) {
  const files = fixtureSet(1);
  const catalogDir = await writeFiles(t, files);
  const readersOf = (settings: Settings) => {
    const readers = openReaders(settings);
    const open = () => {
      const loader = readers.open();
      const ask: Loader['ask'] = async (task, listener) => {
        before(task);
        return loader.ask(task, listener);
      };
      return { ...loader, ask };
    };
    return { ...readers, open };
  };
  const parts = { readersOf, isLocked: false };
  const { live, history, stateDir, outcome } = await startLive(t, catalogDir, quick, parts);
  const version = live.snapshot()?.version;
  assert.equal(live.status().unkept, 'the state directory is not locked');
  assert.deepEqual(readdirSync(stateDir), []);
  await writeInto(catalogDir, { 'prices.csv': String(files['prices.csv']).replace(/,[\d.]+$/gm, ',0') });
  const { report } = await outcome(({ status }) => status().held);
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
    const catalogDir = await writeFiles(t, fixtureSet(1));
    const first = await startLive(t, catalogDir);
    await first.live.close();
    const history = join(first.stateDir, 'history');
    if (damage === 'entry')
      for (const name of await entriesOf(first)) await writeInto(history, { [name]: 'x' });
    else await rm(join(history, 'files'), { recursive: true });
    await writeInto(catalogDir, fixtureSet(2));
    const { live } = await startLive(t, catalogDir, { stateDir: first.stateDir });
    assert.deepEqual(
      live.status().served?.report.holds?.map(({ code }) => code),
      ['NOT_COMPARED'],
    );
    assert.deepEqual(catalogReasons(live.status(), 0).slice(0, 1), [
      'drastic changes could not be recognised, because the set that was served before cannot be read: check what is served',
    ]);
  });
}
