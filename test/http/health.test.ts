import assert from 'node:assert/strict';
import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { catalogReasons, healthOf, problemsOf } from '../../src/http/endpoints/health.ts';
import { type CatalogStatus, nothingServed } from '../../src/live/status.ts';
import type { SetReport } from '../../src/reader/read-set.ts';
import type { ReadHealth } from '../../src/reads/counts.ts';
import { shop, shopWith, writeFiles, writeInto } from '../support/catalogs.ts';
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

test('without catalogs, the API is 503 with Retry-After, and nothing else is; health says why, and names no path', async t => {
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
  const { text, data } = await ask('/health');
  const { status, reasons, catalogs, last_attempt } = data;
  assert.deepEqual([status, reasons, catalogs], ['degraded', ['no catalogs have been loaded yet'], null]);
  const message = 'this folder does not exist: create it, or ask your administrator to correct CATALOG_DIR';
  const problem = { severity: 'error', code: 'NO_DIRECTORY', file: 'later', message };
  assert.deepEqual([last_attempt.outcome, last_attempt.problems], ['pending', [problem]]);
  assert.ok(!text.includes(root), 'the path of a directory');

  await writeInto(`${catalogDir}.new`, { ...shop, 'prices.csv': null });
  await symlink('prices.csv', join(`${catalogDir}.new`, 'prices.csv'));
  await rename(`${catalogDir}.new`, catalogDir);
  const unreadable = /UNREADABLE_FILE.*this is a link to a file that does not exist/;
  const found = await until(t, async () => unreadable.exec((await ask('/health')).text)?.input);
  const answers = await Promise.all(['/', '/metrics', '/overview', '/changes'].map(url => dispatch(url)));
  for (const text of [found, ...answers.map(({ body }) => body)]) assert.ok(!text.includes(root), text);
  await rm(join(catalogDir, 'prices.csv'));
  await writeInto(catalogDir, shop);
  await until(t, async () => ((await ask('/api/news')).status === 200 ? true : undefined));
});

test('health says why loading is degraded', () => {
  const served = { since: 1_767_225_600, report: {} } as NonNullable<CatalogStatus['served']>;
  const after = (outcome: string) => ({ served, attempt: { outcome } as CatalogStatus['attempt'] });
  const pinnedFor = (seconds: number, fault?: string) => ({
    served,
    pinned: { version: 'abcdef012345', since: served.since - seconds, fault },
  });
  const loading = { rows: 40_000, percent: 60 };
  const progress = 'the catalogs are loading: 40,000 rows so far (60 %)';
  const stalled =
    'reading the catalogs has made no progress for 11 s: check that the disk or the network mount responds';
  for (const [status, ...reasons] of [
    [{}, 'no catalogs have been loaded yet'],
    [{ loading }, progress],
    [{ loading: { ...loading, stalledSeconds: 11 } }, progress, stalled],
    ...['loaded', 'unchanged', 'pending'].map((outcome): [Partial<CatalogStatus>] => [after(outcome)]),
    [
      after('failed'),
      'the last change of the catalogs was refused, and the set of 2026-01-01T00:00:00Z is served',
    ],
    [pinnedFor(86_399)],
    [
      pinnedFor(86_400, 'it is not there'),
      'version abcdef012345 is pinned, but cannot be served: it is not there',
    ],
    [
      pinnedFor(86_400),
      'version abcdef012345 has been pinned since 2025-12-31T00:00:00Z: changed files are not loaded',
    ],
  ] satisfies [Partial<CatalogStatus>, ...string[]][])
    assert.deepEqual(catalogReasons({ ...nothingServed, ...status }, served.since), reasons);
  const stalledHealth = { ...nothingServed, loading: { ...loading, stalledSeconds: 11 } };
  const webhook = { waiting: 1, delivered: 2, lastDelivery: served.since, reasons: [] };
  const health = healthOf(stalledHealth, wellKept, 0, webhook);
  assert.deepEqual(health.loading, loading);
  assert.deepEqual(health.webhook, { waiting: 1, last_delivery: '2026-01-01T00:00:00Z' });
});

test('health stays small, however many problems there are', async t => {
  const row = { title: 'A title', content: 'A text', create_time: '2024-01-01' };
  const news = Array.from({ length: 200 }, (_, index) => {
    return { id: index + 1, ...row, [`${index}${'あ'.repeat(1_000)}`]: 1 };
  });
  const { ask } = await startService(t, shopWith({ 'news.json': news }));
  const { text, data } = await ask('/health');
  assert.deepEqual([data.last_attempt.warnings, data.last_attempt.problems.length], [200, 100]);
  assert.ok(Buffer.byteLength(text) < 150_000, `${text.length} characters`);
  const [file, message] = ['news.json', 'x'.repeat(400)];
  const report = { files: [], problems: [{ file, code: 'BAD_TEXT', message }] };
  const { problems } = problemsOf(report as unknown as SetReport);
  assert.equal(problems[0]?.message, `${'x'.repeat(300)}…`);
});
