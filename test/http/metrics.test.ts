import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type TestContext, test } from 'node:test';
import { packageVersion } from '../../src/package-version.ts';
import { afterTest } from '../support/after-test.ts';
import { shop } from '../support/catalogs.ts';
import { isLinux } from '../support/children.ts';
import { parseMetrics } from '../support/http/metrics-text.ts';
import { NOW, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { converse } from '../support/wire.ts';

/** A service of the shop, and a scrape of its metrics. */
async function start(t: TestContext, options = {}, now = () => NOW) {
  const service = await startService(t, shop, options, now);
  const { basePath } = service.settings;
  const metrics = async () => parseMetrics((await service.dispatch(`${basePath}/metrics`)).body);
  return { ...service, metrics };
}

const labelsOf = (method: string, route: string, status: number) =>
  `{method="${method}",route="${route}",status_code="${status}"}`;
const DURATION = 'http_request_duration_seconds';

test('requests are counted by method, route and status, on the fast path and on Fastify, in histograms', async t => {
  const { dispatch, routedRequests, metrics } = await start(t, { basePath: '/shop' });
  const other = await start(t);
  await dispatch('/shop/api/news');
  await dispatch({ url: '/shop/api/news', headers: { 'if-none-match': '*' } });
  await dispatch('/shop/api/news/1');
  await dispatch('/shop/api/news/2');
  assert.equal(routedRequests(), 0);
  for (const url of ['/shop/api/news/%31', '/shop/api/news/99', '/shop/images/none.png', '/nothing'])
    await dispatch(url);
  await dispatch({ url: '/shop/api/news/1', method: 'HEAD' });
  await dispatch({ url: '/shop/api/news', method: 'POST' });
  // Addresses that clients make up add no series.
  for (let index = 0; index < 50; index += 1) await dispatch(`/made/up/${index}?x=${index}`);
  const samples = await metrics();
  const expected: [labels: string, count: number][] = [
    [labelsOf('GET', '/shop/api/news', 200), 1],
    [labelsOf('GET', '/shop/api/news', 304), 1],
    [labelsOf('GET', '/shop/api/news/:id', 200), 3],
    [labelsOf('GET', '/shop/api/news/:id', 404), 1],
    [labelsOf('HEAD', '/shop/api/news/:id', 200), 1],
    [labelsOf('GET', '/shop/images/:name', 404), 1],
    [labelsOf('GET', 'none', 404), 51],
    [labelsOf('POST', 'none', 405), 1],
  ];
  const counts = [...samples].filter(([name]) => name.startsWith(`${DURATION}_count`));
  assert.deepEqual(
    Object.fromEntries(counts),
    Object.fromEntries(expected.map(([labels, count]) => [`${DURATION}_count${labels}`, count])),
  );
  for (const [labels, count] of expected) {
    const sum = samples.get(`${DURATION}_sum${labels}`);
    assert.ok(sum > 0 && sum < 60, String(sum));
    const isOf = (name: string) => name.startsWith(`${DURATION}_bucket`) && name.endsWith(labels.slice(1));
    const buckets = [...samples].filter(([name]) => isOf(name));
    const values = buckets.map(([, value]) => value);
    assert.deepEqual(
      values,
      values.toSorted((one, another) => one - another),
    );
    assert.equal(values.at(-1), count);
    assert.match(buckets.at(-1)?.[0] ?? '', /le="\+Inf"/);
  }
  assert.equal(samples.get('vitrine_reads_total'), 3);
  assert.equal((await other.metrics()).get('vitrine_reads_total'), 0, 'each service has metrics of its own');
});

test('malformed requests are counted by their error', async t => {
  const { listen, metrics } = await start(t);
  const port = await listen();
  for (const bytes of ['RUBBISH\r\n\r\n', 'RUBBISH\r\n\r\n', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'])
    await converse(port, Buffer.from(bytes));
  const samples = await metrics();
  assert.equal(samples.get('http_broken_requests_total{error="BAD_REQUEST"}'), 2);
  assert.equal(samples.get('http_broken_requests_total{error="VERSION_NOT_SUPPORTED"}'), 1);
});

test('the row counts leave out hidden rows, and news before its publish_time', async t => {
  let now = NOW;
  const { services, metrics } = await start(t, {}, () => now);
  const rows = async () =>
    [...(await metrics())].flatMap(([name, value]) =>
      name.startsWith('vitrine_catalog_rows') ? [[/"(\w+)"/.exec(name)?.[1], value]] : [],
    );
  const expected = { products: 3, configurations: 4, durations: 4, prices: 7, news_types: 2, news: 4 };
  assert.deepEqual(await rows(), Object.entries(expected));
  const version = services.catalog.snapshot()?.version;
  assert.equal((await metrics()).get(`vitrine_catalog_info{version="${version}"}`), 1);
  now = 1_900_000_000;
  assert.deepEqual((await rows()).at(-1), ['news', 5]);
});

test('a refused reload shows in the metrics, and so does its repair', async t => {
  const { settings, ask, metrics } = await start(t);
  const reload = async (news: string, isSuccess: number) => {
    await writeFile(join(settings.catalogDir, 'news.json'), news);
    return until(t, async () => {
      const samples = await metrics();
      return samples.get('vitrine_catalog_last_reload_successful') === isSuccess ? samples : undefined;
    });
  };
  const success = 'vitrine_catalog_last_reload_success_timestamp_seconds';
  const first = await metrics();
  assert.equal(first.get('vitrine_catalog_last_reload_successful'), 1);
  const { catalogs, last_attempt } = (await ask('/health')).data;
  assert.equal(first.get(success), Date.parse(last_attempt.time) / 1000);
  const seconds = first.get('vitrine_catalog_last_reload_duration_seconds');
  assert.ok(seconds > 0 && seconds < 60);
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
  const reads = async () => {
    const samples = await metrics();
    return names.map(name => samples.get(name));
  };
  for (const method of ['GET', 'GET', 'HEAD']) await dispatch({ url: '/api/news/1', method });
  assert.deepEqual(await reads(), [2, 2, 0]);
  await mkdir(temporary);
  await services.reads.flush();
  assert.deepEqual(await reads(), [2, 2, 1]);
  await rmdir(temporary);
  await services.reads.flush();
  assert.deepEqual(await reads(), [2, 0, 0]);
  const last = (await metrics()).get('vitrine_reads_last_flush_timestamp_seconds');
  assert.ok(last > Date.now() / 1000 - 600);
});

test('the process, the event loop and the version have the standard metrics of Prometheus clients', async t => {
  const { metrics } = await start(t);
  const BLOCKED_MS = 100;
  const samples = await until(t, async () => {
    for (const begin = performance.now(); performance.now() < begin + BLOCKED_MS; );
    await new Promise(resolve => setTimeout(resolve, 1));
    const found = await metrics();
    return found.get('nodejs_eventloop_lag_max_seconds') >= (BLOCKED_MS - 20) / 1000 ? found : undefined;
  });
  const lag = (name: string) => samples.get(`nodejs_eventloop_lag_${name}_seconds`);
  for (const name of ['mean', 'p50', 'p99']) assert.ok(lag(name) > 0 && lag(name) <= lag('max'), name);
  assert.ok(samples.get('process_cpu_seconds_total') > 0);
  assert.ok(samples.get('process_resident_memory_bytes') > 10_000_000);
  const used = samples.get('nodejs_heap_size_used_bytes');
  assert.ok(used > 1_000_000 && samples.get('nodejs_heap_size_total_bytes') >= used);
  const started = samples.get('process_start_time_seconds');
  assert.ok(started <= Date.now() / 1000 && started > Date.now() / 1000 - 3600);
  assert.equal(samples.get(`vitrine_build_info{version="${packageVersion()}"}`), 1);
});

test('open connections and their file descriptors are counted', { skip: !isLinux }, async t => {
  const { listen, metrics } = await start(t);
  const port = await listen();
  const before = await metrics();
  assert.equal(before.get('http_open_connections'), 0);
  for (let count = 0; count < 3; count += 1) {
    const socket = connect(port, '127.0.0.1');
    afterTest(t, () => socket.destroy());
    await once(socket, 'connect');
  }
  const after = await until(t, async () => {
    const samples = await metrics();
    return samples.get('http_open_connections') === 3 ? samples : undefined;
  });
  // Both ends of the connections are in this process.
  const opened = after.get('process_open_fds') - before.get('process_open_fds');
  assert.ok(opened >= 5, String(opened));
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
  assert.equal(after.get('process_max_fds'), limit);
});

test('the event loop is measured from the first scrape until close', async t => {
  const { app, metrics } = await start(t);
  const prototype = Object.getPrototypeOf(monitorEventLoopDelay());
  const [enabled, disabled] = ['enable', 'disable'].map(name => t.mock.method(prototype, name));
  assert.equal((await metrics()).get('nodejs_eventloop_lag_max_seconds'), 0);
  assert.equal(enabled?.mock.callCount(), 1);
  await app.close();
  assert.deepEqual(disabled?.mock.calls.at(-1)?.this, enabled?.mock.calls[0]?.this);
});
