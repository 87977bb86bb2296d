import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/clock.ts';
import { systemFs } from '../../src/files/atomic-write.ts';
import { type LiveCatalog, openLiveCatalog } from '../../src/live/live.ts';
import { type LiveHistory, openLiveHistory } from '../../src/live/live-history.ts';
import { type Loader, openReaders } from '../../src/live/readers.ts';
import type { ReaderTask } from '../../src/reader/reader-process.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest } from '../support/after-test.ts';
import { sourceIn, writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet, fixtureSetOf } from '../support/fixture-sets.ts';
import { keepAndPrune, setOf, UNBOUNDED } from '../support/history.ts';
import { childrenOf, isLinux } from '../support/programs.ts';
import { keepServed, readSource } from '../support/read-source.ts';
import '../support/reader-pool.ts';
import { keepingLog } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** What tests put in place of a part, or add to it. */
interface Parts {
  loaderOf?: (loader: Loader) => Loader;
  historyOf?: (history: LiveHistory) => LiveHistory;
  /** Whether the state directory is locked. */
  isLocked?: boolean;
}

/**
 * Opens the live catalog of a directory of fixture sets, as production does, but that it waits for the disk of the history
 * as long as it takes, and closes it after the test.
 */
async function startLive(
  t: TestContext,
  catalogDir: string,
  options: Partial<Settings> = {},
  { loaderOf = loader => loader, ...parts }: Parts = {},
) {
  const settings = settingsFrom({ catalogDir, stateDir: await writeFiles(t, {}), ...options });
  const { messages: logged, ...log } = keepingLog();
  const opening = Promise.resolve({ mayWrite: async () => parts.isLocked ?? true });
  const ownHistory = openLiveHistory(settings, opening, log, {
    clock: { ...systemClock, sleep: () => new Promise(() => {}) },
  });
  const history = parts.historyOf?.(ownHistory) ?? ownHistory;
  const readers = openReaders(settings);
  const ownReaders = { ...readers, open: () => loaderOf(readers.open()) };
  const live = openLiveCatalog(settings, settings, log, { history, readers: ownReaders });
  afterTest(t, () => live.close());
  await live.loaded;

  /** Resolves to the first value of `check` that is not undefined or false. */
  const outcome = <Value>(check: (live: LiveCatalog) => Value | false | undefined) =>
    until(t, async () => check(live));
  /** Resolves when the fixture set of this digit is served. */
  const serves = (digit: number) =>
    outcome(() => {
      const snapshot = live.snapshot();
      return snapshot && fixtureSetOf(snapshot) === digit;
    });
  return { live, history, stateDir: settings.stateDir, logged, outcome, serves };
}

test('a change event triggers a reload long before the next poll', async t => {
  const dir = await writeFiles(t, fixtureSet(1));
  const { serves } = await startLive(t, dir, { reloadPollMs: 3_600_000 });
  const served = serves(2).then(() => true);
  // The watcher takes a moment to start, and has no event for it.
  do {
    await writeInto(dir, fixtureSet(2));
  } while (!(await Promise.race([served, delay(500, false)])));
});

test('files that could not be read are read again, even if they do not change', {
  skip: !isLinux,
}, async t => {
  const dir = await writeFiles(t, fixtureSet(1));
  const { live, serves } = await startLive(t, dir, { reloadPollMs: 50 });
  await writeInto(dir, fixtureSet(2));
  const problem = await until(t, async () => {
    for (const reader of childrenOf()) process.kill(reader, 'SIGQUIT');
    return live.status().attempt?.report.problems[0];
  });
  const message = 'the set could not be read: the reader process ended unexpectedly (SIGQUIT)';
  assert.deepEqual([problem?.code, problem?.message], ['LOAD_FAILED', message]);
  await serves(2);
});

test('a long load is logged every ten seconds, close() aborts it, and nothing is loaded after that', async t => {
  const dir = await writeFiles(t, fixtureSet(1));
  let live: LiveCatalog | undefined;
  const untilAborted: Loader['load'] = (_expected, _served, { onProgress, signal }) => {
    const now = performance.now() + 10_000;
    t.mock.method(performance, 'now', () => now);
    onProgress?.({ rows: 40_000, percent: 60 });
    t.mock.reset();
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const loaderOf = (loader: Loader) => ({ ...loader, ...(live && { load: untilAborted }) });
  const { logged, ...started } = await startLive(t, dir, { reloadPollMs: 10 }, { loaderOf });
  live = started.live;
  await writeInto(dir, fixtureSet(2));
  await until(t, async () => live?.status().loading?.percent === 60);
  const { length } = logged;
  assert.equal(logged.at(-1), 'info: reading the catalogs: 60 %, 40,000 rows');
  await live.close();
  await writeInto(dir, fixtureSet(3));
  const other = await startLive(t, dir);
  await other.serves(3);
  assert.equal(logged.length, length);
  assert.equal(live.status().loading, undefined);
});

test('the warning of a missing image goes away when the image arrives, under its name in any Unicode form', async t => {
  const imagesDir = await writeFiles(t, {});
  const [head, ...rows] = String(fixtureSet(1)['news.csv']).trim().split('\n');
  const news = [`${head},img`, ...rows.map(row => `${row},caf\u00e9.png`), ''].join('\n');
  const dir = await writeFiles(t, { ...fixtureSet(1), 'news.csv': news });
  const { live, outcome } = await startLive(t, dir, { imagesDir, reloadPollMs: 20 });
  const warnings = live.status().attempt?.report.warnings ?? 0;
  assert.ok(warnings > 0);
  const before = live.snapshot();
  // It is not there before it has bytes.
  await writeFile(join(imagesDir, 'cafe\u0301.png'), '');
  await writeFile(join(imagesDir, 'cafe\u0301.png'), 'image');
  const { report } = await outcome(({ status }) =>
    status().attempt?.outcome === 'unchanged' ? status().attempt : undefined,
  );
  assert.equal(report.warnings, 0);
  assert.equal(live.snapshot(), before);
});

/** The names of the entries of its history, oldest first. */
async function entriesOf({ stateDir }: { stateDir: string }): Promise<string[]> {
  const names = await readdir(join(stateDir, 'history')).catch(() => []);
  return names.filter(name => name.endsWith('.json')).sort();
}

const quick = { reloadPollMs: 20, reloadQuietMs: 0 };
const isFault = (line: string) => !line.startsWith('info: ');

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
  const loaderOf = (loader: Loader): Loader => ({
    ...loader,
    async ask(task, listener) {
      before(task);
      return loader.ask(task, listener);
    },
  });
  const parts = { loaderOf, isLocked: false };
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
    if (task.task === 'keep' && task.copyDir !== undefined) throw new Error('no space left on device');
  };
  assert.deepEqual((await dropPrices(t, fail)).codes, ['NOT_COMPARED']);
});

test('items that the build before an upgrade did not read wait once for somebody, also over restarts', async t => {
  const catalogDir = await writeFiles(t, fixtureSet(1));
  const stateDir = await writeFiles(t, {});
  const { report } = await readSource({ ...sourceIn(catalogDir), rules: 1 });
  await keepServed({ ...sourceIn(catalogDir), stateDir }, report);
  const item = '---\ntype_id: 99\ntitle: A\ndate: 2026-03-01\n---\nText\n';
  const names = ['news/2026-03-31-a.md', 'news/70-b.markdown', 'news/2026-04-01-c/index.md'];
  await writeInto(catalogDir, Object.fromEntries(names.map(name => [name, item])));
  const start = () => startLive(t, catalogDir, { stateDir, ...quick });
  const count = ({ snapshot }: LiveCatalog) => snapshot()?.news.read.length;
  const isHeld = async ({ live, outcome }: Awaited<ReturnType<typeof start>>) => {
    const { version, report } = await outcome(({ status }) => status().held);
    assert.deepEqual([count(live), report.holds?.map(({ code }) => code)], [6, ['NEWLY_READ']]);
    return version;
  };
  const first = await start();
  await isHeld(first);
  await first.live.close();
  const { live, outcome, ...second } = await start();
  await writeInto(catalogDir, { publish: await isHeld({ live, outcome, ...second }) });
  await outcome(live => count(live) === 9);
  await writeInto(catalogDir, { 'news/2026-04-02-d.md': item });
  await outcome(live => count(live) === 10);
  await live.close();
  await writeInto(catalogDir, { 'news/2026-04-03-e.md': item });
  await (await start()).outcome(live => count(live) === 11);
});
