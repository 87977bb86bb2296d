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
  const metrics = async () => parseMetrics((await service.dispatch('/metrics')).body);
  return { ...service, metrics };
}

const labelsOf = (method: string, route: string, status: number) =>
  `{method="${method}",route="${route}",status_code="${status}"}`;
const count = (method: string, route: string, status: number) =>
  `http_request_duration_seconds_count${labelsOf(method, route, status)}`;

test('requests are counted by method, route and status, on the fast path and on Fastify', async t => {
  const { dispatch, routedRequests } = await start(t, { basePath: '/shop' });
  const { headers } = await dispatch('/shop/api/news');
  await dispatch({ url: '/shop/api/news', headers: { 'if-none-match': String(headers.etag) } });
  await dispatch('/shop/api/news/1');
  await dispatch('/shop/api/news/2');
  assert.equal(routedRequests(), 0);
  await dispatch('/shop/api/news/%31');
  await dispatch('/shop/api/news/99');
  await dispatch({ url: '/shop/api/news/1', method: 'HEAD' });
  await dispatch('/shop/images/none.png');
  await dispatch('/nothing');
  await dispatch({ url: '/shop/api/news', method: 'POST' });
  const samples = parseMetrics((await dispatch('/shop/metrics')).body);
  const counts = [...samples].filter(([name]) => name.startsWith('http_request_duration_seconds_count'));
  assert.deepEqual(
    Object.fromEntries(counts),
    Object.fromEntries([
      [count('GET', '/shop/api/news', 200), 1],
      [count('GET', '/shop/api/news', 304), 1],
      [count('GET', '/shop/api/news/:id', 200), 3],
      [count('GET', '/shop/api/news/:id', 404), 1],
      [count('HEAD', '/shop/api/news/:id', 200), 1],
      [count('GET', '/shop/images/:name', 404), 1],
      [count('GET', 'none', 404), 1],
      [count('POST', 'none', 405), 1],
    ]),
  );
});

test('request durations are a histogram in seconds, on the fast path and on Fastify', async t => {
  const { dispatch, metrics } = await start(t);
  for (let time = 0; time < 5; time += 1) {
    await dispatch('/api/news');
    await dispatch({ url: '/api/news', method: 'HEAD' });
  }
  const samples = await metrics();
  for (const method of ['GET', 'HEAD']) {
    const labels = labelsOf(method, '/api/news', 200);
    const sum = samples.get(`http_request_duration_seconds_sum${labels}`);
    assert.ok(sum > 0 && sum < 60, String(sum));
    const buckets = [...samples].filter(
      ([name]) => name.includes('_bucket{') && name.endsWith(labels.slice(1)),
    );
    const counts = buckets.map(([, value]) => value);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    );
    assert.equal(counts.at(-1), 5);
    assert.match(buckets.at(-1)?.[0] ?? '', /le="\+Inf"/);
  }
});

test('URLs that clients make up add no series', async t => {
  const { dispatch, metrics } = await start(t);
  await dispatch('/made/up');
  const before = [...(await metrics()).keys()];
  for (let index = 0; index < 50; index += 1) await dispatch(`/made/up/${index}?x=${index}`);
  await metrics();
  const after = [...(await metrics()).keys()];
  const known = new Set(before);
  assert.deepEqual(
    after.filter(name => !known.has(name) && !name.includes('route="/metrics"')),
    [],
  );
});

test('malformed requests are counted by their error', async t => {
  const { listen, metrics } = await start(t);
  const port = await listen();
  for (const bytes of ['RUBBISH\r\n\r\n', 'RUBBISH\r\n\r\n', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n']) {
    await converse(port, Buffer.from(bytes));
  }
  const samples = await metrics();
  assert.equal(samples.get('http_broken_requests_total{error="BAD_REQUEST"}'), 2);
  assert.equal(samples.get('http_broken_requests_total{error="VERSION_NOT_SUPPORTED"}'), 1);
});

test('the row counts leave out hidden rows, and news before its publish_time', async t => {
  let now = NOW;
  const { ask, metrics } = await start(t, {}, () => now);
  const { headers } = await ask('/api/news');
  const rows = async () =>
    [...(await metrics())].flatMap(([name, value]) =>
      name.startsWith('vitrine_catalog_rows') ? [[/"(\w+)"/.exec(name)?.[1], value]] : [],
    );
  assert.deepEqual(await rows(), [
    ['products', 3],
    ['configurations', 4],
    ['durations', 4],
    ['prices', 7],
    ['news_types', 2],
    ['news', 4],
  ]);
  assert.equal((await metrics()).get(`vitrine_catalog_info{version="${headers['catalog-version']}"}`), 1);
  now = 1_900_000_000;
  assert.deepEqual((await rows()).at(-1), ['news', 5]);
});

test('a refused reload shows in the metrics, and so does its repair', async t => {
  const { settings, ask, metrics } = await start(t);
  const loadedAt = async () => Date.parse((await ask('/health')).data.catalogs.loaded) / 1000;
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
  const { last_attempt: last } = (await ask('/health')).data;
  assert.equal(first.get(success), Date.parse(last.time) / 1000);
  const seconds = first.get('vitrine_catalog_last_reload_duration_seconds');
  assert.ok(seconds > 0 && seconds < 60);

  const refused = await reload('[', 0);
  assert.equal(refused.get(success), await loadedAt());
  assert.equal(refused.get('vitrine_degraded{part="catalogs"}'), 0);

  const repaired = await reload(JSON.stringify(shop['news.json']), 1);
  assert.ok(repaired.get(success) >= refused.get(success));
});

test('the metrics show reads that are counted, unsaved, and failing to save', async t => {
  const { dispatch, settings, services, metrics } = await start(t, { flushIntervalMs: 3_600_000 });
  const temporary = join(settings.stateDir, 'read-counts.json.tmp');
  const reads = async () => {
    const samples = await metrics();
    return ['vitrine_reads_total', 'vitrine_reads_unsaved', 'vitrine_degraded{part="reads"}'].map(name =>
      samples.get(name),
    );
  };
  await dispatch('/api/news/1');
  await dispatch('/api/news/1');
  await dispatch({ url: '/api/news/1', method: 'HEAD' });
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

test('services in one process have metrics of their own', async t => {
  const one = await start(t);
  const two = await start(t);
  await one.dispatch('/api/news/1');
  assert.deepEqual(
    [(await one.metrics()).get('vitrine_reads_total'), (await two.metrics()).get('vitrine_reads_total')],
    [1, 0],
  );
  assert.ok(!(await two.metrics()).has(count('GET', '/api/news/:id', 200)));
});

test('the process, the event loop and the version have the standard metrics of Prometheus clients', async t => {
  const { metrics } = await start(t);
  const blockedMs = 100;
  const samples = await until(t, async () => {
    for (const begin = performance.now(); performance.now() < begin + blockedMs; );
    await new Promise(resolve => setTimeout(resolve, 1));
    const found = await metrics();
    return found.get('nodejs_eventloop_lag_max_seconds') >= (blockedMs - 20) / 1000 ? found : undefined;
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
  const sockets = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const socket = connect(port, '127.0.0.1');
      afterTest(t, () => socket.destroy());
      await once(socket, 'connect');
      return socket;
    }),
  );
  await until(t, async () =>
    (await metrics()).get('http_open_connections') === sockets.length ? true : undefined,
  );
  const after = await metrics();
  // Both ends of the connections are in this process.
  const opened = after.get('process_open_fds') - before.get('process_open_fds');
  assert.ok(opened >= 2 * sockets.length - 1, String(opened));
  assert.equal(
    after.get('process_max_fds'),
    Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })),
  );
});

test('the event loop is measured from the first scrape until close', async t => {
  const { app, metrics } = await start(t);
  const lag = monitorEventLoopDelay();
  const prototype = Object.getPrototypeOf(lag);
  const [enabled, disabled] = ['enable', 'disable'].map(name => t.mock.method(prototype, name));
  assert.equal((await metrics()).get('nodejs_eventloop_lag_max_seconds'), 0);
  assert.equal(enabled?.mock.callCount(), 1);
  await app.close();
  assert.deepEqual(disabled?.mock.calls.at(-1)?.this, enabled?.mock.calls[0]?.this);
});
