import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Settings } from '../../src/settings/settings.ts';
import { newsUrl, shop } from '../support/catalogs.ts';
import { bearer, previewToken, startService, type TestRequest } from '../support/service.ts';
import { until } from '../support/until.ts';
import { feeds } from './addresses.ts';
import { parseMetrics } from './metrics-text.ts';
import { files, historyProbes, instants, requests } from './previews.ts';

const publicUrl = 'https://shown.test/shop';
const [BEFORE, DURING, AFTER] = instants;
const NEWS = `/preview/${DURING}/api/news`;
const origin = 'https://a.test';

/** The headers in which a preview differs: it is for nobody's cache and no search engine, and time passes. */
const own = ['cache-control', 'x-robots-tag', 'date', 'content-length'];
const withoutOwn = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));

test('a preview answers as a service does whose clock shows its instant; it is kept by no cache and counts nothing', async t => {
  const basePath = '/shop';
  const options = { newsUrl, publicUrl, basePath };
  const own = { ...options, previewToken, cacheMaxAge: 60 };
  const { dispatch, settings, services } = await startService(t, files, own, () => BEFORE);
  const revision = services.reads.revision();
  const seen = new Set<number>();
  for (const instant of instants) {
    const { imagesDir } = settings;
    const there = await startService(t, files, { ...options, imagesDir }, () => instant);
    const details = [1, 2, 3, 4].map((id): TestRequest => ({ url: `/api/news/${id}` }));
    for (const { url, headers = {}, ...request } of [...requests, ...details]) {
      const what = `${request.method ?? 'GET'} ${url} at ${instant}`;
      const expected = await there.dispatch({ ...request, url: basePath + url, headers });
      const address = `${basePath}/preview/${instant}${url}`;
      const preview = await dispatch({ ...request, url: address, headers: { ...headers, ...bearer } });
      const uncounted = /^\/api\/news\/\d$/.test(url)
        ? expected.body.replace(/(?<="read":)\d+/, read => String(Number(read) - 1))
        : expected.body;
      assert.deepEqual([preview.statusCode, preview.body], [expected.statusCode, uncounted], what);
      const [one, other] = [preview, expected].map(answer => withoutOwn(answer.headers));
      assert.deepEqual(one, other, what);
      assert.equal(preview.headers['cache-control'], 'no-store', what);
      if (preview.statusCode >= 400) continue;
      assert.equal(preview.headers['x-robots-tag'], 'noindex', what);
      seen.add(preview.statusCode);
    }
  }
  assert.deepEqual([...seen].sort(), [200, 206, 304]);
  assert.deepEqual([services.reads.revision(), services.reads.health().counted], [revision, 0]);
  const bodyOf = async (url: string) => (await dispatch({ url: basePath + url, headers: bearer })).body;
  for (const url of ['/api/news', '/api/news?keyword=text', '/feeds/news.atom'])
    assert.equal(await bodyOf(url), await bodyOf(`/preview/${BEFORE}${url}`), 'now is the first instant');
  for (const prefix of ['', `/preview/${AFTER}`])
    assert.match(await bodyOf(`${prefix}/api/news/1`), /"read":10,/);
});

const EXPECTED =
  'must be held, or a time such as 2026-03-31 or 2026-03-31T18:00:00 in Europe/Berlin, 2026-03-31T18:00:00Z, or Unix seconds';

test('the instant is written as in a catalog, in the time zone of the site; any other is 400 with what to write', async t => {
  const times = { publish_time: '2026-03-31 18:00', unpublish_time: '2026-03-31 18:00:01' };
  const news = [{ id: 1, title: 'A', content: 'B', create_time: '2026-01-01', ...times }];
  const options = { previewToken, timeZone: 'Europe/Berlin' };
  const { ask } = await startService(t, { ...shop, 'news.json': news }, options);
  const written = {
    200: '2026-03-31 18:00:00|2026-03-31T18:00:00|2026-03-31T18:00|2026/3/31 18:00|1774972800|2026-03-31T16:00:00Z|2026-03-31T16:00:00.000Z|2026-03-31T18:00:00+02:00',
    404: '2026-03-31|2026-03-31T18:00:01|2026-03-31T18:00:00Z|1774972799|9999-12-31',
    400: 'tomorrow|now|0|5|-1|20260331|31.03.2026|03/04/2026|2026-02-30| |\0|2026-03-31T25:00|253402300800|1969-12-31|1774972800000|1e9|2026-03-31T18:00:00+15:00',
  };
  for (const [status, texts] of Object.entries(written))
    for (const instant of texts.split('|'))
      for (const path of ['/api/news/1', ...(status === '400' ? ['/overview', '/images/a.png'] : [])]) {
        const answer = await ask(`/preview/${encodeURIComponent(instant)}${path}`, { headers: bearer });
        assert.equal(answer.status, Number(status), instant);
        if (status === '400') assert.equal(answer.body.message, `instant ${EXPECTED}`);
      }
});

test('what says nothing about the content has no preview', async t => {
  const { ask } = await startService(t, files, { previewToken });
  const paths =
    '/  /health /health/live /health/ready /metrics /page/main.js /favicon.ico /documentation /documentation/json /docs /robots.txt /preview/0/api/news';
  for (const path of paths.split(' '))
    assert.equal((await ask(`/preview/${DURING}${path}`, { headers: bearer })).data.error, 'ROUTE_NOT_FOUND');
});

/** Credentials without the token. */
const strangers: Record<string, string>[] = [
  ...[{}, { 'x-preview-token': previewToken }],
  ...[
    ...[previewToken, 'Bearer', 'Bearer ', `Bearer ${previewToken}x`, `Bearer ${previewToken.slice(1)}`],
    ...[`Bearer ${previewToken.toUpperCase()}`, `Bearer ${previewToken} ${previewToken}`],
    `Basic ${Buffer.from(`:${previewToken}`).toString('base64')}`,
  ].map(authorization => ({ authorization })),
  ...[
    ...[previewToken, 'vitrine_preview=', 'vitrine_preview', `vitrine_preview=${previewToken}x`],
    ...[`xvitrine_preview=${previewToken}`, `other=vitrine_preview=${previewToken}`],
  ].map(cookie => ({ cookie })),
];

/** Each request as a preview at a good and at a bad instant, and more that would disclose that there are previews. */
const probes: TestRequest[] = [
  ...requests.flatMap(request =>
    [DURING, 'tomorrow'].map(instant => ({ ...request, url: `/preview/${instant}${request.url}` })),
  ),
  ...[
    ...'/preview /preview/ /preview/held/api/news /preview/1 /preview/1/ /preview//api/news'.split(' '),
    ...'/preview/%zz/api/news /%70review/1/api/news /preview/1/api/news/%zz /PREVIEW/1/api/news'.split(' '),
    ...`/preview/1/api/news/1/ ${NEWS}?token=${previewToken} /preview/${previewToken}/api/news`.split(' '),
    ...`/preview/1%2Fapi/news /preview/${'1'.repeat(500)}/api/news`.split(' '),
  ].map(url => ({ url })),
  ...['/preview/1/api/news', '/preview/1/overview', '/preview/1/nothing'].map(url => ({
    ...{ method: 'OPTIONS', url },
    headers: { origin, 'access-control-request-method': 'GET' },
  })),
];

for (const [name, options] of [
  ['anywhere', {}],
  ['below a path, with other settings', { basePath: '/shop', corsOrigin: [origin], rateLimit: 1e6 }],
] as [string, Partial<Settings>][]) {
  test(`without the token, there are no previews and no history ${name}`, async t => {
    const { basePath = '' } = options;
    const on = await startService(t, files, { ...options, newsUrl, previewToken }, () => BEFORE);
    const { imagesDir } = on.settings;
    const off = await startService(t, files, { ...options, newsUrl, imagesDir }, () => BEFORE);
    const answer = async ({ dispatch }: typeof on, request: TestRequest) => {
      const { statusCode, headers, rawPayload } = await dispatch(request);
      const { date: _, 'ratelimit-reset': __, ...rest } = headers;
      return { statusCode, headers: rest, order: Object.keys(headers), body: rawPayload.toString() };
    };
    const guesses = strangers.map(headers => ({ url: NEWS, headers }));
    for (const [index, probe] of [...historyProbes, ...probes, ...guesses].entries()) {
      const headers = { origin, ...strangers[index % strangers.length], ...probe.headers };
      const url = probe.url.replace(/^(https?:\/\/[^/]+)?/i, start => start + basePath);
      const request = { ...probe, url, headers };
      const what = `${request.url} ${JSON.stringify(headers)}`;
      assert.deepEqual(await answer(on, request), await answer(off, request), what);
    }
    const counts = async ({ dispatch }: typeof on) => {
      const samples = parseMetrics((await dispatch(`${basePath}/metrics`)).body);
      return Object.fromEntries([...samples].filter(([key]) => /^http_request\w+_count/.test(key)));
    };
    assert.deepEqual(await counts(on), await counts(off));
  });
}

test('the token comes as a bearer token or in the cookie, and responses are counted by the route of the preview', async t => {
  const { ask, dispatch } = await startService(t, files, { previewToken });
  const forms = [
    bearer,
    { authorization: `bearer  ${previewToken}` },
    { cookie: `a=b; vitrine_preview=${previewToken}; c="d"` },
    { cookie: `vitrine_preview=stale; vitrine_preview=${previewToken}` },
    { authorization: 'Bearer another', cookie: `vitrine_preview=${previewToken}` },
    { ...bearer, cookie: 'vitrine_preview=stale' },
  ];
  for (const headers of forms) {
    assert.equal((await ask(NEWS, { headers })).status, 200, JSON.stringify(headers));
    assert.equal((await ask(NEWS, { headers, method: 'POST' })).status, 405, JSON.stringify(headers));
  }
  await ask('/preview/tomorrow/api/news', { headers: bearer });
  const { body } = await dispatch('/metrics');
  assert.deepEqual(body.match(/(?<=http_request_duration_seconds_count).*/g), [
    '{method="GET",route="/preview/:instant/api/news",status_code="200"} 6',
    '{method="POST",route="none",status_code="405"} 6',
    '{method="GET",route="/preview/:instant/api/news",status_code="400"} 1',
  ]);
});

test('no line of the log has the token, and each request of the history that was followed has one with the client', async t => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const options = { newsUrl, previewToken, logLevel: 'trace' as const, trustProxy: ['127.0.0.1'] };
  const { app, dispatch, ask } = await startService(t, files, options, () => BEFORE, log);
  app.get('/broken', () => {
    throw new Error('broken');
  });
  const cookie = `vitrine_preview=${previewToken}`;
  for (const token of [bearer, { cookie }, { authorization: `Bearer ${previewToken}x` }])
    for (const { url, headers, ...request } of requests)
      await dispatch({ ...request, url: `/preview/${DURING}${url}`, headers: { ...headers, ...token } });
  await ask('/broken', { headers: bearer });
  const newest = async () => (await ask('/history', { headers: bearer })).data.list[0]?.version;
  const version = await until(t, newest);
  const headers = { 'x-forwarded-for': '192.0.2.7', ...bearer };
  for (const action of [`${version}/pin`, 'unpin', 'abcdef/pin'])
    await ask(`/history/${action}`, { method: 'POST', headers });
  const all = lines.join('');
  assert.match(all, /\/preview\/\d+\/api\/news/);
  assert.match(all, /a request failed/);
  assert.ok(!all.includes(previewToken.slice(0, 10)));
  const requested = lines.filter(line => line.includes('requested')).map(line => JSON.parse(line));
  assert.deepEqual(
    requested.map(({ level, client, version, msg }) => [level, client, version, msg]),
    ['pin', 'unpin'].map(action => [30, '192.0.2.7', version, `${action} requested through the history`]),
  );
});

test('an item is shown from its publish_time until just before its unpublish_time, wherever items are shown', async t => {
  let now: number = BEFORE;
  const { ask, dispatch } = await startService(t, files, { newsUrl }, () => now);
  const idOf = ({ id }: { id: number }) => id;
  const listed = async (query: string) => String((await ask(`/api/news?${query}`)).data.list.map(idOf));
  let [etag, last, reads] = ['"a"', '', 0];
  for (const [moment, shown] of [
    [DURING - 2, '4,1'],
    [DURING - 1, '4,3,1'],
    [DURING, '3,2,1'],
    [AFTER - 1, '3,2,1'],
    [AFTER, '2,1'],
    [AFTER + 86_400 * 3650, '2,1'],
    // The clock is set back.
    [AFTER - 0.5, '3,2,1'],
    [BEFORE, '4,1'],
    [AFTER, '2,1'],
  ] as const) {
    now = moment;
    const known = await dispatch({ url: '/api/news', headers: { 'if-none-match': etag } });
    if (shown !== last) assert.equal(known.statusCode, 200, 'a client gets the new list');
    [etag, last] = [String(known.headers.etag), shown];
    for (const query of ['', 'ids=1,2,3,4', 'keyword=e'])
      assert.equal(await listed(query), shown, `${query} at ${now}`);
    const mostRead: number[] = (await ask('/overview')).data.most_read.map(idOf);
    assert.equal(String(mostRead.sort().reverse()), shown);
    const title = { 1: 'Lasting', 2: 'Later', 3: 'Offer', 4: 'Over' };
    for (const [id, name] of Object.entries(title)) {
      const isShown = shown.includes(id);
      assert.equal(await listed(`keyword=${name}`), isShown ? id : '');
      for (const [feed] of feeds) assert.equal((await dispatch(feed)).body.includes(name), isShown, feed);
      const urls = [`/api/news/${id}`, ...(id === '4' ? [] : [`/images/${name.toLowerCase()}.png`])];
      for (const url of urls)
        assert.equal((await dispatch(url)).statusCode, isShown ? 200 : 404, `${url} at ${now}`);
      if (isShown) reads += 1;
    }
    const metrics = parseMetrics((await dispatch('/metrics')).body);
    assert.equal(metrics.get('vitrine_catalog_rows{catalog="news"}'), shown.split(',').length);
    assert.equal(metrics.get('vitrine_reads_total'), reads, 'only reads of what is shown are counted');
  }
});

test('requests with a wrong token leave one log line a minute, with their number and the last address', async t => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: line => void lines.push(line) });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { app } = await startService(t, shop, { previewToken, trustProxy: ['127.0.0.1'] }, undefined, log);
  const ask = (url: string, headers: Record<string, string>) => app.inject({ url, headers });
  const wrong = { authorization: 'Bearer wrong', 'x-forwarded-for': '192.0.2.7' };
  const seen = () => {
    const entries = lines.splice(0).map(line => JSON.parse(line));
    return entries.flatMap(({ msg, count, client }) => (count ? [[msg, count, client]] : []));
  };
  for (const round of [1, 2]) {
    for (const url of ['/history', '/health', '/preview/held/api/news', '/check']) await ask(url, wrong);
    await ask('/history', { cookie: 'vitrine_preview=wrong', 'x-forwarded-for': '192.0.2.8' });
    // None of these is a guess.
    for (const url of ['/history', '/health'])
      for (const headers of [bearer, {}]) await ask(url, headers as typeof bearer);
    await ask('/api/news', wrong);
    assert.deepEqual(seen(), [], `round ${round}`);
    t.mock.timers.tick(60_000);
    assert.deepEqual(seen(), [['5 requests with a wrong token, the last from 192.0.2.8', 5, '192.0.2.8']]);
  }
  t.mock.timers.tick(60_000);
  assert.deepEqual(seen(), []);
});
