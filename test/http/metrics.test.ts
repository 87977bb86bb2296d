import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { packageVersion } from '../../src/package-version.ts';
import { afterTest } from '../support/after-test.ts';
import { shop } from '../support/catalogs.ts';
import { parseMetrics } from '../support/http/metrics-text.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { converse } from '../support/wire.ts';

/** A service of the shop, and a scrape of its metrics. */
async function start(t: TestContext, options = {}) {
  const service = await startService(t, shop, options);
  const { basePath } = service.settings;
  const metrics = async () => parseMetrics((await service.dispatch(`${basePath}/metrics`)).body);
  return { ...service, metrics };
}

test('requests are counted by method, route and status, on the fast path and on Fastify', async t => {
  const { dispatch, routedRequests, services, metrics } = await start(t, { basePath: '/shop' });
  const other = await start(t);
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
  const { listen, metrics } = await start(t);
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
  const { settings, services, ask, metrics } = await start(t);
  const { catalog } = services;
  const reload = async (news: string, isSuccess: number) => {
    const before = catalog.status().attempt;
    await writeFile(join(settings.catalogDir, 'news.json'), news);
    await until(t, async () => catalog.status().attempt !== before || undefined);
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
  const { dispatch, settings, services, metrics } = await start(t, { flushIntervalMs: 3_600_000 });
  const temporary = join(settings.stateDir, 'read-counts.json.tmp');
  const names = ['vitrine_reads_total', 'vitrine_reads_unsaved', 'vitrine_degraded{part="reads"}'];
  const assertReads = async (...values: number[]) => {
    const samples = await metrics();
    assert.deepEqual(
      names.map(name => samples.get(name)),
      values,
    );
    return samples.get('vitrine_reads_last_flush_timestamp_seconds');
  };
  for (const method of ['GET', 'GET', 'HEAD']) await dispatch({ url: '/api/news/1', method });
  await assertReads(2, 2, 0);
  await mkdir(temporary);
  await services.reads.flush();
  await assertReads(2, 2, 1);
  await rmdir(temporary);
  await services.reads.flush();
  assert.ok((await assertReads(2, 0, 0)) > Date.now() / 1000 - 600);
});
