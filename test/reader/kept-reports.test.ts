import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemFs } from '../../src/files/atomic-write.ts';
import { contentPath } from '../../src/history/contents.ts';
import { eachEntry, historyPath } from '../../src/history/entries.ts';
import type { Entry } from '../../src/history/entry.ts';
import { prune } from '../../src/history/keep.ts';
import { openLiveCatalog } from '../../src/live/live.ts';
import { openLiveHistory } from '../../src/live/live-history.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const prices = String(shop['prices.csv']);
const ignore = () => {};

/** Serves the shop, then its prices with another one for each of these. Returns the history, newest set first. */
async function serveInTurn(t: TestContext, others: readonly string[]) {
  const { app, settings } = await startService(t);
  const dir = historyPath(settings.stateDir);
  const kept = (count: number) =>
    until(t, async () => {
      const entries: Entry[] = [];
      for await (const { entry } of eachEntry(systemFs, dir, ignore)) entries.push(entry);
      return entries.length === count ? entries : undefined;
    });
  let entries: Entry[] = await kept(1);
  for (const price of others) {
    await writeInto(settings.catalogDir, { 'prices.csv': prices.replace('19.99', price) });
    entries = await kept(entries.length + 1);
  }
  await app.close();
  return { dir, entries, settings };
}

test('the history keeps the summary and the report of each set but the first', async t => {
  const { dir, entries } = await serveInTurn(t, ['24.99', '29.99']);
  const [third, second, first] = entries;
  assert.deepEqual(
    [third, second, first].map(entry => entry?.summary),
    ['1 price changed', '1 price changed', undefined],
  );
  assert.equal(first?.report, undefined);
  const contents = await readdir(join(dir, 'files'));
  for (const entry of [third, second]) assert.ok(contents.includes(`${entry?.report?.sha256}.gz`));
});

test('a report is deleted with its set, and not before', async t => {
  const { dir, entries } = await serveInTurn(t, ['24.99', '29.99']);
  const [third, second] = entries;
  const left = async (historyDays: number) => {
    await prune(systemFs, dir, { historyMb: 256, historyDays }, Date.now() / 1000 + 3600, ignore);
    const contents = await readdir(join(dir, 'files'));
    return [third, second].map(entry => contents.includes(`${entry?.report?.sha256}.gz`));
  };
  assert.deepEqual(await left(1), [true, true]);
  assert.deepEqual(await left(0.01), [true, false]);
});

test('a damaged report leads to a set without one', async t => {
  const { dir, entries, settings } = await serveInTurn(t, ['24.99']);
  await writeFile(contentPath(dir, String(entries[0]?.report?.sha256)), 'damaged');
  const { catalogDir, stateDir } = settings;
  const { ask } = await startService(t, {}, { catalogDir, stateDir });
  const { data, headers } = await ask('/changes');
  assert.deepEqual([data.list, data.from], [[], null]);
  assert.equal(headers['catalog-version'], entries[0]?.version);
});

test('files that change while the service is down are compared with those that it served', async t => {
  const { entries, settings } = await serveInTurn(t, []);
  const { catalogDir, stateDir } = settings;
  await writeInto(catalogDir, { 'prices.csv': prices.replace('19.99', '24.99') });
  const { ask } = await startService(t, {}, { catalogDir, stateDir });
  const { data } = await ask('/changes');
  assert.deepEqual([data.from, data.pagination.total], [entries[0]?.version, 1]);
  assert.equal((await ask('/health')).data.last_attempt.changes, '1 price changed');
});

test('a set is compared once the one before it is in the history', async t => {
  const catalogDir = await writeFiles(t, fixtureSet(1));
  const settings = settingsFrom({
    catalogDir,
    stateDir: await writeFiles(t, {}),
    reloadPollMs: 20,
    reloadQuietMs: 0,
  });
  const log = { info: ignore, warn: ignore, error: ignore };
  const opened = openLiveHistory(settings, Promise.resolve({ mayWrite: () => true }), log);
  let wait = opened.settled;
  const history = { ...opened, settled: () => wait() };
  const live = openLiveCatalog(settings, settings, log, history);
  afterTest(t, () => live.close());
  await live.loaded;
  const before = live.snapshot();
  const isWaiting = new Promise<() => void>(resolve => {
    wait = () => new Promise(release => resolve(release));
  });
  const alive = setInterval(ignore, 60_000);
  await writeInto(catalogDir, fixtureSet(2));
  const release = await isWaiting;
  assert.equal(live.snapshot(), before);
  wait = opened.settled;
  release();
  const changes = await until(t, async () => {
    const snapshot = live.snapshot();
    return snapshot === before ? undefined : snapshot?.changes;
  });
  clearInterval(alive);
  assert.match(Buffer.from(changes.head).toString(), new RegExp(`"from":"${before?.version}"`));
});
