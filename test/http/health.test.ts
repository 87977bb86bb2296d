import assert from 'node:assert/strict';
import { rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { healthOf } from '../../src/http/endpoints/health.ts';
import { loadCatalog } from '../../src/live/readers.ts';
import { nothingServed, openStatus } from '../../src/live/status.ts';
import type { ReadHealth } from '../../src/reads/counts.ts';
import { shop, shopWith, sourceIn, writeFiles, writeInto } from '../support/catalogs.ts';
import { bearer, previewToken } from '../support/http/previews.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Counting in which all is well. */
const wellKept: ReadHealth = { store: 'file', counted: 0, unsaved: 0, lastFlush: undefined, reasons: [] };

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

test('health reports what is served and since when, and the rows and format of each file', async t => {
  const { ask } = await startService(t);
  const { data, headers } = await ask('/health');
  const { status, reasons, catalogs, last_attempt } = data;
  assert.deepEqual([status, reasons], ['ok', []]);
  assert.equal(catalogs.version, headers['catalog-version']);
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(catalogs.loaded, TIME);
  assert.deepEqual(catalogs.files, [
    { catalog: 'products', file: 'products.json', rows: 3, encoding: 'utf-8' },
    { catalog: 'configurations', file: 'configurations.csv', rows: 5, encoding: 'utf-8', delimiter: ',' },
    { catalog: 'durations', file: 'durations.json', rows: 4, encoding: 'utf-8' },
    { catalog: 'prices', file: 'prices.csv', rows: 8, encoding: 'utf-8', delimiter: ',' },
    { catalog: 'news_types', file: 'news_types.json', rows: 2, encoding: 'utf-8' },
    { catalog: 'news', file: 'news.json', rows: 6, encoding: 'utf-8' },
  ]);
  const { time, ...found } = last_attempt;
  assert.match(time, TIME);
  const message = 'img launch.png is not in the images directory: add the file, or correct the name';
  const place = { file: 'news.json', line: 7, column: 12, heading: 'img' };
  const problems = [{ severity: 'warning', code: 'NO_IMAGE', ...place, message }];
  assert.deepEqual(found, { outcome: 'loaded', errors: 0, warnings: 1, problems });
});

test('a change that stays refused makes the service degraded, until a good one follows', async t => {
  const { report, snapshot } = await loadCatalog(sourceIn(await writeFiles(t, shop)));
  const broken = shopWith({ 'news.json': '[' });
  const { report: refused } = await loadCatalog(sourceIn(await writeFiles(t, broken)));
  assert.ok(snapshot);
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_767_225_600_000 });
  const keeper = openStatus(() => {});
  const health = () => healthOf(keeper.status(), wellKept, Date.now() / 1000);
  keeper.apply({ type: 'loaded', set: { report, snapshot, since: Date.now() / 1000 } });
  keeper.apply({ type: 'refused', report: refused, isFinal: false });
  assert.equal(health().status, 'ok');
  t.mock.timers.tick(10_000);
  keeper.apply({ type: 'polled' });
  const { status, reasons, catalogs, last_attempt } = health();
  assert.equal(status, 'degraded');
  assert.deepEqual(reasons, [
    'the last change of the catalogs was refused, and the set of 2026-01-01T00:00:00Z is served',
  ]);
  assert.deepEqual([catalogs?.version, catalogs?.loaded], [snapshot.version, '2026-01-01T00:00:00Z']);
  assert.deepEqual([last_attempt?.outcome, last_attempt?.time], ['failed', '2026-01-01T00:00:10Z']);
  keeper.apply({ type: 'loaded', set: { report, snapshot, since: Date.now() / 1000 } });
  assert.deepEqual([health().status, health().reasons], ['ok', []]);
});

test('without catalogs, the API is 503 with Retry-After, and nothing else is', async t => {
  const root = await writeFiles(t, {});
  const catalogDir = join(root, 'later');
  const { ask, dispatch } = await startService(t, {}, { catalogDir, previewToken });
  for (const url of [
    ...['/api/news', '/api/news/1', '/api/recommend-config?product_id=1'],
    ...['/images/launch.png', '/health/ready', '/overview', '/preview/2026-01-01/api/news'],
  ]) {
    const { status, headers, data } = await ask(url, { headers: bearer });
    assert.deepEqual([status, data.error], [503, 'NOT_READY'], url);
    assert.match(String(headers['retry-after']), /^\d+$/);
    assert.equal(headers['catalog-version'], undefined);
  }
  assert.equal((await ask('/health/live')).status, 200);
  assert.equal((await dispatch('/')).statusCode, 200);
  for (const url of ['/api/nothing', '/preview/2026-01-01/api/news'])
    assert.equal((await ask(url)).status, 404);
  assert.equal((await ask('/api/news', { method: 'POST' })).status, 405);
  const { status, reasons, catalogs, last_attempt } = (await ask('/health')).data;
  assert.deepEqual([status, reasons, catalogs], ['degraded', ['no catalogs have been loaded yet'], null]);
  assert.deepEqual([last_attempt.outcome, last_attempt.problems[0].code], ['pending', 'NO_DIRECTORY']);

  await writeInto(`${catalogDir}.new`, shop);
  await rename(`${catalogDir}.new`, catalogDir);
  await until(t, async () => ((await ask('/api/news')).status === 200 ? true : undefined));
  await rm(catalogDir, { recursive: true });
});

test('problems name files, never their paths', async t => {
  const catalogDir = join(await writeFiles(t, {}), 'catalog');
  const { ask } = await startService(t, {}, { catalogDir });
  /** The problems as soon as health says this. */
  const problemsAt = (words: RegExp) =>
    until(t, async () => {
      const { text, data } = await ask('/health');
      assert.ok(!text.includes(tmpdir()), text);
      return words.test(text) ? data.last_attempt.problems : undefined;
    });
  const message = 'this folder does not exist: create it, or ask your administrator to correct CATALOG_DIR';
  const problem = { severity: 'error', code: 'NO_DIRECTORY', file: 'catalog', message };
  assert.deepEqual(await problemsAt(/NO_DIRECTORY/), [problem]);
  await writeInto(`${catalogDir}.new`, shopWith({ 'prices.csv': null }));
  await symlink('prices.csv', join(`${catalogDir}.new`, 'prices.csv'));
  await rename(`${catalogDir}.new`, catalogDir);
  await problemsAt(/UNREADABLE_FILE.*this is a link to a file that does not exist/);
});

test('health reports how far loading is, and is degraded while reading makes no progress', () => {
  const loading = { rows: 40_000, percent: 60 };
  const stalled = { ...loading, stalledSeconds: 11 };
  const [slow, still] = [loading, stalled].map(now =>
    healthOf({ ...nothingServed, loading: now }, wellKept, 0),
  );
  assert.deepEqual([slow?.status, slow?.loading, still?.loading], ['degraded', loading, loading]);
  assert.deepEqual(slow?.reasons, ['the catalogs are loading: 40,000 rows so far (60 %)']);
  assert.equal(
    still?.reasons.at(-1),
    'reading the catalogs has made no progress for 11 s: check that the disk or the network mount responds',
  );
});

test('health stays small, however many problems there are', async t => {
  const row = { title: 'A title', content: 'A text', create_time: '2024-01-01' };
  const news = Array.from({ length: 200 }, (_, index) => {
    return { id: index + 1, ...row, [`${index}${'あ'.repeat(50_000)}`]: 1 };
  });
  const { ask } = await startService(t, shopWith({ 'news.json': news }));
  const { text, data } = await ask('/health');
  assert.deepEqual([data.last_attempt.warnings, data.last_attempt.problems.length], [200, 100]);
  assert.ok(Buffer.byteLength(text) < 150_000, `${text.length} characters`);
});
