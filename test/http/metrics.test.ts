import assert from 'node:assert/strict';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { shop } from '../catalogs.ts';
import { NOW, startService } from '../service.ts';
import { until } from '../until.ts';
import { converse } from '../wire.ts';

/** The shop, and a look at its metrics: each sample by its name and labels, as they are written. */
async function start(t: TestContext, options = {}, now = () => NOW) {
  const service = await startService(t, shop, options, now);
  const metrics = async () => parse((await service.dispatch('/metrics')).body);
  return { ...service, metrics };
}

/** Reads the text format of Prometheus, and asserts that it is one: each metric with its help, type and samples. */
function parse(text: string): Record<string, number> {
  assert.ok(text.endsWith('\n'));
  const samples: Record<string, number> = {};
  for (const block of text.trim().split('\n\n')) {
    const [help = '', type = '', ...lines] = block.split('\n');
    const [, name = ''] = /^# HELP ([a-z][a-z0-9_]*) \S.*$/.exec(help) ?? assert.fail(help);
    const [, kind] = /^# TYPE [a-z0-9_]+ (counter|gauge|histogram)$/.exec(type) ?? assert.fail(type);
    assert.equal(kind === 'counter', name.endsWith('_total'), name);
    for (const line of lines) {
      const [, sample = '', value] =
        /^([a-z0-9_]+(?:\{(?:[a-z_]+="[^"\\]*",?)+\})?) (-?[\d.e+-]+|NaN)$/.exec(line) ?? assert.fail(line);
      const ofHistogram = kind === 'histogram' ? '(_bucket|_sum|_count)' : '';
      assert.match(sample, new RegExp(`^${name}${ofHistogram}($|\\{)`));
      assert.ok(!(sample in samples), `${sample} twice`);
      samples[sample] = Number(value);
    }
  }
  return samples;
}

const labelsOf = (method: string, route: string, status: number) =>
  `{method="${method}",route="${route}",status_code="${status}"}`;
const count = (method: string, route: string, status: number) =>
  `http_request_duration_seconds_count${labelsOf(method, route, status)}`;

test('requests are counted by method, route and status, whichever way they take', async t => {
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
  const samples = parse((await dispatch('/shop/metrics')).body);
  const counts = Object.entries(samples).filter(([name]) =>
    name.startsWith('http_request_duration_seconds_count'),
  );
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

test('the time of requests is a histogram in seconds, whichever way they take', async t => {
  const { dispatch, metrics } = await start(t);
  for (let time = 0; time < 5; time += 1) {
    await dispatch('/api/news');
    await dispatch({ url: '/api/news', method: 'HEAD' });
  }
  const samples = await metrics();
  for (const method of ['GET', 'HEAD']) {
    const labels = labelsOf(method, '/api/news', 200);
    const sum = samples[`http_request_duration_seconds_sum${labels}`] ?? 0;
    assert.ok(sum > 0 && sum < 60, String(sum));
    const buckets = Object.entries(samples).filter(
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

test('what clients make up adds no series', async t => {
  const { dispatch, metrics } = await start(t);
  await dispatch('/made/up');
  const before = Object.keys(await metrics());
  for (let index = 0; index < 50; index += 1) await dispatch(`/made/up/${index}?x=${index}`);
  await metrics();
  const after = Object.keys(await metrics());
  const known = new Set(before);
  assert.deepEqual(
    after.filter(name => !known.has(name) && !name.includes('route="/metrics"')),
    [],
  );
});

test('what is no request is counted by its error', async t => {
  const { listen, metrics } = await start(t);
  const port = await listen();
  for (const bytes of ['RUBBISH\r\n\r\n', 'RUBBISH\r\n\r\n', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n']) {
    await converse(port, Buffer.from(bytes));
  }
  const samples = await metrics();
  assert.equal(samples['http_broken_requests_total{error="BAD_REQUEST"}'], 2);
  assert.equal(samples['http_broken_requests_total{error="VERSION_NOT_SUPPORTED"}'], 1);
});

test('served rows are those that can be asked for, and news are counted from their publish_time on', async t => {
  let now = NOW;
  const { ask, metrics } = await start(t, {}, () => now);
  const { headers } = await ask('/api/news');
  const rows = async () =>
    Object.entries(await metrics()).flatMap(([name, value]) =>
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
  assert.equal((await metrics())[`vitrine_catalog_info{version="${headers['catalog-version']}"}`], 1);
  now = 1_900_000_000;
  assert.deepEqual((await rows()).at(-1), ['news', 5]);
});

test('a refused reload shows, and so does its repair', async t => {
  const { settings, metrics } = await start(t);
  const good = await metrics();
  assert.equal(good.vitrine_catalog_last_reload_successful, 1);
  const news = join(settings.catalogDir, 'news.json');
  const successful = (wanted: number) =>
    until(t, async () => {
      const samples = await metrics();
      return samples.vitrine_catalog_last_reload_successful === wanted ? samples : undefined;
    });
  await writeFile(news, '[');
  const refused = await successful(0);
  const name = 'vitrine_catalog_last_reload_success_timestamp_seconds';
  assert.equal(refused[name], good[name]);
  assert.equal(refused['vitrine_degraded{part="catalogs"}'], 0);
  await writeFile(news, JSON.stringify(shop['news.json']));
  assert.ok(((await successful(1))[name] ?? 0) >= (good[name] ?? 0));
});

test('counted reads are told, and that they are not saved yet or cannot be', async t => {
  const { dispatch, settings, parts, metrics } = await start(t, { flushIntervalMs: 3_600_000 });
  await dispatch('/api/news/1');
  await dispatch('/api/news/1');
  await dispatch({ url: '/api/news/1', method: 'HEAD' });
  const told = async () => {
    const samples = await metrics();
    return ['vitrine_reads_total', 'vitrine_reads_unsaved', 'vitrine_degraded{part="reads"}'].map(
      name => samples[name],
    );
  };
  assert.deepEqual(await told(), [2, 2, 0]);
  await mkdir(join(settings.stateDir, 'read-counts.json.tmp'));
  await parts.reads.flush();
  assert.deepEqual(await told(), [2, 2, 1]);
  await rmdir(join(settings.stateDir, 'read-counts.json.tmp'));
  await parts.reads.flush();
  assert.deepEqual(await told(), [2, 0, 0]);
  const { vitrine_reads_last_flush_timestamp_seconds: last = 0 } = await metrics();
  assert.ok(last > Date.now() / 1000 - 600);
});

test('services in one process have metrics of their own', async t => {
  const one = await start(t);
  const two = await start(t);
  await one.dispatch('/api/news/1');
  assert.deepEqual(
    [(await one.metrics()).vitrine_reads_total, (await two.metrics()).vitrine_reads_total],
    [1, 0],
  );
  assert.equal((await two.metrics())[count('GET', '/api/news/:id', 200)], undefined);
});

test('the process and its event loop are told under the names that they have everywhere', async t => {
  const { metrics } = await start(t);
  await metrics();
  const blockedMs = 100;
  for (const begin = performance.now(); performance.now() < begin + blockedMs; );
  await new Promise(resolve => setTimeout(resolve, 1));
  const samples = await metrics();
  assert.ok((samples.nodejs_eventloop_lag_max_seconds ?? 0) >= (blockedMs - 20) / 1000);
  const { process_cpu_seconds_total: cpu = 0, process_resident_memory_bytes: memory = 0 } = samples;
  assert.ok(cpu > 0 && memory > 10_000_000);
  const { process_start_time_seconds: begin = 0 } = samples;
  assert.ok(begin <= Date.now() / 1000 && begin > Date.now() / 1000 - 3600);
});

test('closing ends what measures the event loop', async t => {
  const opened = t.mock.method(globalThis, 'setInterval');
  const closed = t.mock.method(globalThis, 'clearInterval');
  const { app, metrics } = await start(t);
  const before = opened.mock.callCount();
  await metrics();
  const timers = opened.mock.calls.slice(before).map(({ result }) => result);
  assert.equal(timers.length, 1);
  await app.close();
  const ended = closed.mock.calls.map(({ arguments: [timer] }) => timer);
  assert.ok(timers.every(timer => ended.includes(timer)));
});
