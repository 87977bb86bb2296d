import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shop } from '../support/catalogs.ts';
import { newsUrl } from '../support/http/feeds.ts';
import { bearer, files, instants, previewToken, requests } from '../support/http/previews.ts';
import { startService } from '../support/service.ts';
import { countWork } from '../support/work.ts';

const publicUrl = 'https://shown.test/shop';
const [BEFORE, DURING, AFTER] = instants;

/** The headers in which a preview differs: it is for nobody's cache and no search engine, and time passes. */
const own = ['cache-control', 'x-robots-tag', 'date'];
const withoutOwn = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));

for (const basePath of ['', '/shop']) {
  test(`a preview below "${basePath}" answers each request as a service does whose clock shows its instant`, async t => {
    const options = { newsUrl, publicUrl, basePath };
    const { dispatch, settings } = await startService(t, files, { ...options, previewToken }, () => BEFORE);
    const { imagesDir } = settings;
    for (const instant of instants) {
      const there = await startService(t, files, { ...options, imagesDir }, () => instant);
      for (const { url, headers, ...request } of requests) {
        const what = `${request.method ?? 'GET'} ${url} at ${instant}`;
        const expected = await there.dispatch({ ...request, url: basePath + url, headers: { ...headers } });
        const preview = await dispatch({
          ...request,
          url: `${basePath}/preview/${instant}${url}`,
          headers: { ...headers, ...bearer },
        });
        assert.equal(preview.statusCode, expected.statusCode, what);
        assert.deepEqual(preview.rawPayload, expected.rawPayload, what);
        assert.deepEqual(withoutOwn(preview.headers), withoutOwn(expected.headers), what);
      }
      for (const url of [1, 2, 3, 4].map(id => `/api/news/${id}`)) {
        const { statusCode, body } = await there.dispatch(basePath + url);
        const preview = await dispatch({ url: `${basePath}/preview/${instant}${url}`, headers: bearer });
        const uncounted = body.replace(/(?<="read":)\d+/, read => String(Number(read) - 1));
        assert.deepEqual([preview.statusCode, preview.body], [statusCode, uncounted], `${url} at ${instant}`);
      }
    }
  });
}

test('a preview of a detail shows the present count, and nothing counts', async t => {
  const { ask, services } = await startService(t, files, { previewToken }, () => BEFORE);
  const revision = services.reads.revision();
  const shown: Record<number, [id: number, read: number][]> = {
    [BEFORE]: [
      [1, 9],
      [4, 0],
    ],
    [DURING]: [
      [1, 9],
      [2, 3],
      [3, 30],
    ],
    [AFTER]: [
      [1, 9],
      [2, 3],
    ],
  };
  for (const instant of instants) {
    const seen: [number, number][] = [];
    for (const id of [1, 2, 3, 4]) {
      const url = `/preview/${instant}/api/news/${id}`;
      for (let time = 0; time < 4; time += 1) await ask(url, { headers: bearer });
      const { status, data, headers } = await ask(url, { headers: bearer });
      const head = await ask(url, { method: 'HEAD', headers: bearer });
      assert.deepEqual([head.status, head.headers['content-length']], [status, headers['content-length']]);
      if (status === 200) seen.push([data.id, data.read]);
      else assert.deepEqual([status, data.error], [404, 'NEWS_NOT_FOUND']);
    }
    assert.deepEqual(seen, shown[instant]);
  }
  assert.equal(services.reads.revision(), revision);
  assert.equal(services.reads.health().counted, 0);
  assert.equal((await ask('/api/news/1')).data.read, 10);
  assert.equal((await ask(`/preview/${AFTER}/api/news/1`, { headers: bearer })).data.read, 10);
});

test('no cache keeps a preview, and no search engine shows it', async t => {
  const { dispatch } = await startService(t, files, { previewToken, newsUrl }, () => BEFORE);
  const seen = new Set<number>();
  for (const { url, ...request } of requests) {
    const headers = { ...request.headers, ...bearer };
    const preview = await dispatch({ ...request, url: `/preview/${DURING}${url}`, headers });
    assert.equal(preview.headers['cache-control'], 'no-store', String(url));
    if (preview.statusCode >= 400) continue;
    assert.equal(preview.headers['x-robots-tag'], 'noindex', String(url));
    seen.add(preview.statusCode);
  }
  assert.deepEqual([...seen].sort(), [200, 206, 304]);
});

test('previews and live requests get their own answers in any order, also at once', async t => {
  const now = BEFORE;
  const { dispatch } = await startService(t, files, { previewToken, newsUrl }, () => now);
  const urls = ['/api/news', '/api/news?keyword=text', '/overview', '/overview/news', '/feeds/news.atom'];
  const prefixes = ['', ...instants.map(instant => `/preview/${instant}`)];
  const bodyOf = async (url: string) => (await dispatch({ url, headers: bearer })).body;
  const expected = new Map<string, string>();
  for (const prefix of prefixes)
    for (const url of urls) expected.set(prefix + url, await bodyOf(prefix + url));
  for (const url of urls) {
    const bodies = prefixes.map(prefix => expected.get(prefix + url));
    assert.equal(bodies[0], bodies[1], 'now is the first of the instants');
    assert.equal(new Set(bodies).size, instants.length, url);
  }
  for (let round = 0; round < 5; round += 1) {
    const order = [...expected].map(
      (_, index, all) => all[(index * 7 + round * 3) % all.length] ?? assert.fail(),
    );
    for (const [url, body] of order) assert.equal(await bodyOf(url), body, url);
    await Promise.all(order.map(async ([url, body]) => assert.equal(await bodyOf(url), body, url)));
  }
});

test('previews leave the caches of live requests alone, and live requests their fast path', async t => {
  const { dispatch, routedRequests } = await startService(t, files, { previewToken, newsUrl }, () => BEFORE);
  const live = async () => {
    const work: object[] = [];
    for (const url of [
      '/api/news',
      '/api/news?keyword=text',
      '/feeds/news.atom',
      '/overview',
      '/api/products',
    ]) {
      const { result, ...rest } = await countWork(() => dispatch(url));
      work.push({ url, ...rest, status: result.statusCode });
    }
    return { work, routed: routedRequests() };
  };
  await live();
  const { work, routed } = await live();
  for (const instant of instants) {
    for (const { url } of requests) await dispatch({ url: `/preview/${instant}${url}`, headers: bearer });
  }
  const before = routedRequests();
  const after = await live();
  assert.deepEqual(after.work, work);
  assert.equal(after.routed - before, routed / 2, 'only feeds and the overview pass Fastify');
  assert.equal(routed, 4);
});

test('the instant is written as in a catalog, in the time zone of the site', async t => {
  const timeZone = 'Europe/Berlin';
  const news = [
    {
      ...{ id: 1, title: 'A', content: 'B', create_time: '2026-01-01' },
      ...{ publish_time: '2026-03-31 18:00', unpublish_time: '2026-03-31 18:00:01' },
    },
  ];
  const { ask } = await startService(t, { ...shop, 'news.json': news }, { previewToken, timeZone });
  for (const instant of [
    ...['2026-03-31 18:00:00', '2026-03-31T18:00:00', '2026-03-31T18:00', '2026/3/31 18:00', '1774972800'],
    ...['2026-03-31T16:00:00Z', '2026-03-31T16:00:00.000Z', '2026-03-31T18:00:00+02:00'],
  ]) {
    const url = `/preview/${encodeURIComponent(instant)}/api/news/1`;
    assert.equal((await ask(url, { headers: bearer })).status, 200, instant);
  }
  for (const instant of [
    '2026-03-31',
    '2026-03-31T18:00:01',
    '2026-03-31T18:00:00Z',
    '1774972799',
    '9999-12-31',
  ]) {
    assert.equal((await ask(`/preview/${instant}/api/news/1`, { headers: bearer })).status, 404, instant);
  }
});

test('any other instant is 400 with what to write', async t => {
  const { ask } = await startService(t, files, { previewToken });
  for (const instant of [
    ...[
      'tomorrow',
      'now',
      '0',
      '5',
      '-1',
      '20260331',
      '31.03.2026',
      '03%2F04%2F2026',
      '2026-02-30',
      '%20',
      '%00',
    ],
    ...[
      '2026-03-31T25:00',
      '253402300800',
      '1969-12-31',
      '1774972800000',
      '1e9',
      '2026-03-31T18:00:00%2B15:00',
    ],
  ]) {
    for (const path of [
      '/api/news',
      '/api/news/x',
      '/overview',
      '/images/later.png',
      '/api/recommend-config',
    ]) {
      const { status, data, body, headers } = await ask(`/preview/${instant}${path}`, { headers: bearer });
      assert.equal(status, 400, instant);
      const message =
        'must be held, or a time such as 2026-03-31 or 2026-03-31T18:00:00 in UTC, 2026-03-31T18:00:00Z, or Unix seconds';
      assert.equal(body.message, `instant ${message}`);
      assert.deepEqual(data, { error: 'INVALID_PARAMETER', details: [{ parameter: 'instant', message }] });
      assert.equal(headers['cache-control'], 'no-store');
    }
  }
});

test('what says nothing about the content has no preview', async t => {
  const { ask } = await startService(t, files, { previewToken });
  for (const path of [
    ...['/', '', '/health', '/health/live', '/health/ready', '/metrics', '/page/main.js', '/favicon.ico'],
    ...[
      '/documentation',
      '/documentation/json',
      '/docs',
      '/openapi.json',
      '/robots.txt',
      '/preview/0/api/news',
    ],
  ]) {
    const { status, data } = await ask(`/preview/${DURING}${path}`, { headers: bearer });
    assert.deepEqual([status, data.error], [404, 'ROUTE_NOT_FOUND'], path);
  }
});
