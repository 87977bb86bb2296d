import assert from 'node:assert/strict';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import Fastify from 'fastify';
import { createClient } from '../../src/client.ts';
import { vitrine } from '../../src/index.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { newsUrl } from '../support/http/feeds.ts';
import { parseMetrics } from '../support/http/metrics-text.ts';
import type { TestRequest } from '../support/http/over-connection.ts';
import { bearer, files, historyProbes, instants, previewToken, requests } from '../support/http/previews.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const [BEFORE, DURING] = instants;
const NEWS = `/preview/${DURING}/api/news`;

/** Credentials without the token. */
const strangers: Record<string, string>[] = [
  {},
  { authorization: previewToken },
  { authorization: 'Bearer' },
  { authorization: 'Bearer ' },
  { authorization: `Bearer ${previewToken}x` },
  { authorization: `Bearer ${previewToken.slice(1)}` },
  { authorization: `Bearer ${previewToken.toUpperCase()}` },
  { authorization: `Bearer ${previewToken} ${previewToken}` },
  { authorization: `Basic ${Buffer.from(`:${previewToken}`).toString('base64')}` },
  { cookie: previewToken },
  { cookie: 'vitrine_preview=' },
  { cookie: 'vitrine_preview' },
  { cookie: `vitrine_preview=${previewToken}x` },
  { cookie: `xvitrine_preview=${previewToken}` },
  { cookie: `other=vitrine_preview=${previewToken}` },
  { 'x-preview-token': previewToken },
];

/** Each request as a preview at a good and at a bad instant, and more that would disclose that there are previews. */
const probes: TestRequest[] = [
  ...requests.flatMap(request =>
    [DURING, 'tomorrow'].map(instant => ({ ...request, url: `/preview/${instant}${request.url}` })),
  ),
  ...[
    ...['/preview', '/preview/', '/preview/1', '/preview/1/', '/preview//api/news', '/preview/%zz/api/news'],
    ...['/%70review/1/api/news', '/preview/1/api/news/%zz', '/preview/1/api/news/1/', '/PREVIEW/1/api/news'],
    ...[`${NEWS}?token=${previewToken}`, `/preview/${previewToken}/api/news`, '/preview/1%2Fapi/news'],
    `/preview/${'1'.repeat(500)}/api/news`,
  ].map(url => ({ url })),
  ...['/preview/1/api/news', '/preview/1/overview', '/preview/1/nothing'].map(url => ({
    method: 'OPTIONS' as const,
    url,
    headers: { origin: 'https://a.test', 'access-control-request-method': 'GET' },
  })),
];

const places: [name: string, options: Partial<Settings>][] = [
  ['anywhere', {}],
  ['below a path', { basePath: '/shop' }],
  ['with listed origins and a rate limit', { corsOrigin: ['https://a.test'], rateLimit: 1_000_000 }],
];
for (const [name, options] of places) {
  test(`without the token, there are no previews and no history ${name}`, async t => {
    const now = () => BEFORE;
    const { basePath = '' } = options;
    const on = await startService(t, files, { ...options, newsUrl, previewToken }, now);
    const { imagesDir } = on.settings;
    const off = await startService(t, files, { ...options, newsUrl, imagesDir }, now);
    const answer = async ({ dispatch }: typeof on, request: TestRequest) => {
      const { statusCode, headers, rawPayload } = await dispatch(request);
      const { date: _, 'ratelimit-reset': __, 'ratelimit-remaining': ___, ...rest } = headers;
      return { statusCode, headers: rest, order: Object.keys(headers), body: rawPayload.toString() };
    };
    for (const [index, probe] of [...historyProbes, ...probes].entries()) {
      const stranger = strangers[index % strangers.length];
      const request = {
        ...probe,
        url: basePath + probe.url,
        headers: { ...probe.headers, origin: 'https://a.test', ...stranger },
      };
      const what = `${probe.method ?? 'GET'} ${probe.url} ${JSON.stringify(stranger)}`;
      assert.deepEqual(await answer(on, request), await answer(off, request), what);
    }
    for (const headers of strangers) {
      const preview = { url: basePath + NEWS, headers };
      const unknown = { url: `${basePath}/preview/1/api/nothing`, headers };
      assert.deepEqual(await answer(on, preview), await answer(on, unknown));
      await answer(off, preview);
      await answer(off, unknown);
    }
    const counts = async ({ dispatch }: typeof on) => {
      const samples = parseMetrics((await dispatch(`${basePath}/metrics`)).body);
      return Object.fromEntries([...samples].filter(([key]) => /^http_request\w+_count/.test(key)));
    };
    assert.deepEqual(await counts(on), await counts(off));
  });
}

test('the token comes as a bearer token or in the cookie', async t => {
  const { ask } = await startService(t, files, { previewToken });
  for (const headers of [
    bearer,
    { authorization: `bearer  ${previewToken}` },
    { cookie: `vitrine_preview=${previewToken}` },
    { cookie: `a=b; vitrine_preview=${previewToken}; c="d"` },
    { cookie: `vitrine_preview=stale; vitrine_preview=${previewToken}` },
    { authorization: 'Bearer another', cookie: `vitrine_preview=${previewToken}` },
    { ...bearer, cookie: 'vitrine_preview=stale' },
  ]) {
    assert.equal((await ask(NEWS, { headers })).status, 200, JSON.stringify(headers));
    assert.equal((await ask(NEWS, { headers, method: 'POST' })).status, 405, JSON.stringify(headers));
  }
});

test('with the token, responses are counted by the route of the preview', async t => {
  const { ask, dispatch } = await startService(t, files, { previewToken });
  for (const instant of [...instants, 'tomorrow'])
    await ask(`/preview/${instant}/api/news/1`, { headers: bearer });
  await ask(NEWS, { headers: bearer, method: 'POST' });
  await ask(NEWS);
  const samples = parseMetrics((await dispatch('/metrics')).body);
  const counts = [...samples].filter(([key]) => key.startsWith('http_request_duration_seconds_count'));
  assert.deepEqual(
    counts.map(([key, count]) => [key.replace(/^\w+/, ''), count]),
    [
      ['{method="GET",route="/preview/:instant/api/news/:id",status_code="200"}', 3],
      ['{method="GET",route="/preview/:instant/api/news/:id",status_code="400"}', 1],
      ['{method="POST",route="none",status_code="405"}', 1],
      ['{method="GET",route="none",status_code="404"}', 1],
    ],
  );
});

test('pages of other origins may ask for previews of the API with the header, and never with the cookie', async t => {
  const origin = 'https://shop.test';
  const { ask } = await startService(t, files, { previewToken, corsOrigin: [origin] });
  const preflight = await ask(NEWS, {
    method: 'OPTIONS',
    headers: {
      ...{ origin, 'access-control-request-method': 'GET' },
      'access-control-request-headers': 'authorization',
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers['access-control-allow-headers'], 'authorization');
  for (const { headers } of [preflight, await ask(NEWS, { headers: { ...bearer, origin } })]) {
    assert.equal(headers['access-control-allow-origin'], origin);
    assert.equal(headers['access-control-allow-credentials'], undefined);
  }
  const overview = await ask(`/preview/${DURING}/overview`, { headers: { ...bearer, origin } });
  assert.deepEqual([overview.status, overview.headers['access-control-allow-origin']], [200, undefined]);
});

test('the client works in a preview', async t => {
  const { listen, services } = await startService(t, files, { previewToken, basePath: '/shop' });
  const base = `http://127.0.0.1:${await listen()}/shop/preview/2023-11-14T22:46:40Z`;
  const client = createClient(base, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...bearer, connection: 'close' } }),
  });
  const ids: number[] = [];
  for await (const { id, img } of client.eachNews({ limit: 1, include: ['img'] })) {
    ids.push(id);
    assert.equal((await fetch(client.imageUrl(img), { headers: bearer })).status, 200);
  }
  assert.deepEqual(ids, [3, 2, 1]);
  assert.equal((await client.readNews(2)).read, 3);
  assert.equal(services.reads.health().counted, 0);
});

test('links between pages stay in the preview', async t => {
  const { ask } = await startService(t, files, { previewToken, basePath: '/shop' });
  const seen: number[] = [];
  let url: string | undefined = `/shop${NEWS}?limit=1`;
  while (url) {
    const { data, headers } = await ask(url, { headers: bearer });
    seen.push(data.list[0].id);
    const [, next] = /<([^>]+)>; rel="next"/.exec(String(headers.link)) ?? [];
    const target: URL = new URL(next ?? '', `http://a.test${url}`);
    url = next && target.pathname + target.search;
  }
  assert.deepEqual(seen, [3, 2, 1]);
});

test('the rate limit holds for previews, and for guesses of the token', async t => {
  for (const headers of [bearer, {}]) {
    const { ask } = await startService(t, files, { previewToken, rateLimit: 3 });
    const statuses: number[] = [];
    for (let time = 0; time < 5; time += 1) statuses.push((await ask(NEWS, { headers })).status);
    const status = headers === bearer ? 200 : 404;
    assert.deepEqual(statuses, [status, status, status, 429, 429]);
  }
});

test('before there are catalogs, previews are 503 with the token, and unknown without it', async t => {
  const root = await writeFiles(t, {});
  const catalogDir = join(root, 'later');
  const { ask } = await startService(t, {}, { catalogDir, imagesDir: root, previewToken });
  const errorOf = async (headers: Record<string, string>) => (await ask(NEWS, { headers })).data.error;
  assert.deepEqual([await errorOf(bearer), await errorOf({})], ['NOT_READY', 'ROUTE_NOT_FOUND']);
  await writeInto(`${catalogDir}.new`, files);
  await rename(`${catalogDir}.new`, catalogDir);
  await until(t, async () => ((await ask(NEWS, { headers: bearer })).status === 200 ? true : undefined));
  await rm(catalogDir, { recursive: true });
});

test('shops in one host have previews with tokens of their own', async t => {
  const dir = await writeFiles(t, files);
  const host = Fastify({ pluginTimeout: 0 });
  afterTest(t, () => host.close());
  host.get('/host/:instant', request => request.params);
  const options = { catalogDir: dir, imagesDir: dir };
  const other = 'another-token-of-24-chars';
  host.register(vitrine, { prefix: '/one', ...options, stateDir: join(dir, 'one'), previewToken });
  host.register(vitrine, { prefix: '/two', ...options, stateDir: join(dir, 'two'), previewToken: other });
  host.register(vitrine, { prefix: '/three', ...options, stateDir: join(dir, 'three') });
  const statusOf = async (url: string, token: string) =>
    (await host.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode;
  for (const [shop, token, status] of [
    ['one', previewToken, 200],
    ['one', other, 404],
    ['two', previewToken, 404],
    ['two', other, 200],
    ['three', previewToken, 404],
    ['three', '', 404],
  ] as const) {
    assert.equal(await statusOf(`/${shop}${NEWS}`, token), status, `${shop} ${token}`);
  }
  assert.deepEqual((await host.inject('/host/7')).json(), { instant: '7' });
});
