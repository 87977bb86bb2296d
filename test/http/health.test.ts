import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { catalogReasons, healthOf } from '../../src/http/endpoints/health.ts';
import { type CatalogStatus, nothingServed } from '../../src/live/status.ts';
import { packageVersion } from '../../src/package-version.ts';
import type { ReadHealth } from '../../src/reads/counts.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest } from '../support/after-test.ts';
import { newsItems, shop, shopWith, writeFiles, writeInto } from '../support/catalogs.ts';
import { bearer, previewToken, startService } from '../support/service.ts';
import { reportOf } from '../support/sets.ts';
import { until } from '../support/until.ts';
import { converse } from '../support/wire.ts';
import { parseMetrics } from './metrics-text.ts';

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
  assert.deepEqual(catalogs.files.slice(0, 2), [
    { catalog: 'products', file: 'products.json', rows: 3, encoding: 'utf-8' },
    { catalog: 'configurations', file: 'configurations.csv', rows: 5, encoding: 'utf-8', delimiter: ',' },
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
  await until(t, async () => (await ask('/api/news')).status === 200);
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
    assert.deepEqual(catalogReasons({ ...nothingServed, ...status }, served.since, true), reasons);
  const stalledHealth = { ...nothingServed, loading: { ...loading, stalledSeconds: 11 } };
  const webhook = { waiting: 1, delivered: 2, lastDelivery: served.since, reasons: [] };
  const health = healthOf(stalledHealth, wellKept, 0, webhook);
  assert.deepEqual(health.loading, loading);
  assert.deepEqual(health.webhook, { waiting: 1, last_delivery: '2026-01-01T00:00:00Z' });
});

test('messages of health quote cells only for the token or, without one, on a loopback address without a proxy', async t => {
  const secret = 'SECRET';
  const files = shopWith({
    'prices.csv': `id,product_id,rel_id,duration_id,price,hidden\n1,1,1,1,${secret},yes\n`,
  });
  const hidden = { severity: 'error', code: 'BAD_NUMBER', file: 'prices.csv', heading: 'price', cell: 'E2' };
  for (const [options, headers, isShown] of [
    [{}, {}, true],
    [{ host: '::1' }, {}, true],
    [{ host: '0.0.0.0' }, {}, false],
    [{ trustProxy: ['10.0.0.1'] }, {}, false],
    [{ previewToken }, {}, false],
    [{ previewToken }, { authorization: 'Bearer wrong' }, false],
    [{ previewToken, host: '0.0.0.0', trustProxy: ['10.0.0.1'] }, bearer, true],
  ] satisfies [Partial<Settings>, Record<string, string>, boolean][]) {
    const { ask, settings, services } = await startService(t, shop, options);
    await writeInto(settings.catalogDir, files);
    await until(t, async () => services.catalog.status().attempt?.outcome === 'pending');
    const { text, data } = await ask('/health', { headers });
    const what = JSON.stringify([options, headers]);
    assert.equal(text.includes(secret), isShown, what);
    const { severity, code, file, heading, cell } = data.last_attempt.problems.find(
      (problem: { code: string }) => problem.code === 'BAD_NUMBER',
    );
    assert.deepEqual({ severity, code, file, heading, cell }, hidden, what);
  }
  const report = reportOf('a', { holds: [{ code: 'ZERO_PRICE', message: secret }] });
  const status = {
    held: { version: 'a', since: 0, report, snapshot: undefined },
    pinned: { version: 'b', since: 0, fault: secret },
  };
  for (const hasCells of [true, false]) {
    const health = healthOf({ ...nothingServed, ...status }, wellKept, 0, undefined, hasCells);
    assert.equal(JSON.stringify(health).split(secret).length - 1, hasCells ? 2 : 0);
    assert.equal(health.held?.reasons[0]?.code, 'ZERO_PRICE');
  }
});

test('health stays small, however many problems there are', async t => {
  const news = newsItems(200, index => ({ [`${index}${'あ'.repeat(1_000)}`]: 1 }));
  const { ask } = await startService(t, shopWith({ 'news.json': news }));
  const { text, data } = await ask('/health');
  assert.deepEqual([data.last_attempt.warnings, data.last_attempt.problems.length], [200, 100]);
  assert.ok(Buffer.byteLength(text) < 150_000, `${text.length} characters`);
});

async function startScraped(t: TestContext, options = {}) {
  const service = await startService(t, shop, options);
  const { basePath } = service.settings;
  const metrics = async () => parseMetrics((await service.dispatch(`${basePath}/metrics`)).body);
  return { ...service, metrics };
}

test('requests are counted by method, route and status, on the fast path and on Fastify', async t => {
  const { dispatch, routedRequests, services, metrics } = await startScraped(t, { basePath: '/shop' });
  const other = await startScraped(t);
  await dispatch('/shop/api/news');
  await dispatch({ url: '/shop/api/news', headers: { 'if-none-match': '*' } });
  for (const id of [1, 2]) await dispatch(`/shop/api/news/${id}`);
  assert.equal(routedRequests(), 0);
  for (const url of ['/shop/api/news/%31', '/shop/api/news/99', '/shop/images/none.png', '/nothing'])
    await dispatch(url);
  for (const method of ['HEAD', 'POST']) await dispatch({ url: '/shop/api/news/1', method });
  // Addresses that clients make up add no series.
  for (let index = 0; index < 50; index += 1) await dispatch(`/made/up/${index}?x=${index}`);
  const samples = await metrics();
  const labels = /^http_request_duration_seconds_count\{method="(.*)",route="(.*)",status_code="(.*)"\}$/;
  const counts = [...samples].flatMap(([name, value]) => {
    const found = labels.exec(name);
    return found ? [[...found.slice(1), value].join(' ')] : [];
  });
  assert.deepEqual(counts.sort(), [
    ...['GET /shop/api/news 200 1', 'GET /shop/api/news 304 1'],
    ...['GET /shop/api/news/:id 200 3', 'GET /shop/api/news/:id 404 1', 'GET /shop/images/:name 404 1'],
    ...['GET none 404 51', 'HEAD /shop/api/news/:id 200 1', 'POST none 405 1'],
  ]);
  assert.equal(samples.get('vitrine_reads_total'), 3);
  assert.equal((await other.metrics()).get('vitrine_reads_total'), 0, 'each service has metrics of its own');
  // Without hidden rows, and news before its publish_time.
  const rows = { products: 3, configurations: 4, durations: 4, prices: 7, news_types: 2, news: 4 };
  for (const [catalog, count] of Object.entries(rows))
    assert.equal(samples.get(`vitrine_catalog_rows{catalog="${catalog}"}`), count);
  const version = services.catalog.snapshot()?.version;
  assert.equal(samples.get(`vitrine_catalog_info{version="${version}"}`), 1);
  assert.equal(samples.get(`vitrine_build_info{version="${packageVersion()}"}`), 1);
});

test('malformed requests are counted by their error, and open connections', async t => {
  const { listen, metrics } = await startScraped(t);
  const port = await listen();
  for (const bytes of ['RUBBISH\r\n\r\n', 'RUBBISH\r\n\r\n', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'])
    await converse(port, Buffer.from(bytes));
  const socket = connect(port, '127.0.0.1');
  afterTest(t, () => socket.destroy());
  await once(socket, 'connect');
  const samples = await until(t, async () => {
    const found = await metrics();
    return found.get('http_open_connections') === 1 ? found : undefined;
  });
  assert.equal(samples.get('http_broken_requests_total{error="BAD_REQUEST"}'), 2);
  assert.equal(samples.get('http_broken_requests_total{error="VERSION_NOT_SUPPORTED"}'), 1);
});

test('a refused reload shows in the metrics, and so does its repair', async t => {
  const { settings, services, ask, metrics } = await startScraped(t);
  const { catalog } = services;
  const reload = async (news: string, isSuccess: number) => {
    const before = catalog.status().attempt;
    await writeFile(join(settings.catalogDir, 'news.json'), news);
    await until(t, async () => catalog.status().attempt !== before);
    const samples = await metrics();
    assert.equal(samples.get('vitrine_catalog_last_reload_successful'), isSuccess);
    return samples;
  };
  const success = 'vitrine_catalog_last_reload_success_timestamp_seconds';
  const { catalogs, last_attempt } = (await ask('/health')).data;
  const first = await metrics();
  assert.equal(first.get(success), Date.parse(last_attempt.time) / 1000);
  assert.ok(first.get('vitrine_catalog_last_reload_duration_seconds') > 0);
  const refused = await reload('[', 0);
  assert.equal(refused.get(success), Date.parse(catalogs.loaded) / 1000);
  assert.equal(refused.get('vitrine_degraded{part="catalogs"}'), 0);
  const repaired = await reload(JSON.stringify(shop['news.json']), 1);
  assert.ok(repaired.get(success) >= refused.get(success));
});

test('the metrics show reads that are counted, unsaved, and failing to save', async t => {
  const { dispatch, settings, services, metrics } = await startScraped(t, { flushIntervalMs: 3_600_000 });
  const temporary = join(settings.stateDir, 'read-counts.json.tmp');
  const names = ['vitrine_reads_total', 'vitrine_reads_unsaved', 'vitrine_degraded{part="reads"}'];
  const assertReads = async (...values: number[]) => {
    const samples = await metrics();
    for (const [index, name] of names.entries()) assert.equal(samples.get(name), values[index], name);
    return samples.get('vitrine_reads_last_flush_timestamp_seconds');
  };
  // The first set that is loaded saves reads, too.
  await services.reads.flush();
  for (const method of ['GET', 'GET', 'HEAD']) await dispatch({ url: '/api/news/1', method });
  await assertReads(2, 2, 0);
  await mkdir(temporary);
  await services.reads.flush();
  await assertReads(2, 2, 1);
  await rmdir(temporary);
  await services.reads.flush();
  assert.ok((await assertReads(2, 0, 0)) > Date.now() / 1000 - 600);
});
