import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { vitrine } from '../../src/index.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { requestOver, type TestRequest } from '../support/http/over-connection.ts';
import { startService } from '../support/service.ts';

const TOKEN = 'a-token-of-the-preview';
const options: Partial<Settings> = {
  previewToken: TOKEN,
  newsUrl: 'https://shop.test/{id}',
  cacheMaxAge: 60,
  corsOrigin: ['https://shop.test'],
};

/** In place of the parameters in the path of a route. */
const samples: Record<string, string> = {
  ':id': '1',
  ':name': 'launch.png',
  ':instant': '2026-03-31',
  ':version': '0123456789ab',
  '*': 'main.js',
};
/** Besides each route: queries, and what is none. */
const more = [
  '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1',
  ...['/api/recommend-config?product_id=1', '/api/news?limit=1&page=2', '/api/news?keyword=a%2Bb'],
  ...['/preview/2026-03-31/api/news?limit=1', '/history/changes?from=served&to=held', '/api/news?limit=0'],
  ...['/api/nothing', '/api/news/', '/api/news/%zz', '/nothing', '/images/none.png', '/preview/x/api/news'],
];
const requests: Omit<TestRequest, 'url'>[] = [
  {},
  { headers: { origin: 'https://shop.test', authorization: `Bearer ${TOKEN}` } },
  { method: 'HEAD' },
  { method: 'POST' },
  { method: 'OPTIONS', headers: { origin: 'https://shop.test', 'access-control-request-method': 'GET' } },
];

/** A host of the plugin below `/shop`, and the patterns of its routes. */
async function startHost(t: TestContext, imagesDir: string) {
  const host = Fastify({ pluginTimeout: 0 });
  afterTest(t, () => host.close());
  const catalogDir = await writeFiles(t, shop);
  const routes = new Set<string>();
  host.addHook('onRoute', ({ url }) => void routes.add(url));
  host.register(vitrine, {
    ...options,
    ...{ prefix: '/shop', catalogDir, imagesDir, stateDir: join(catalogDir, 'state') },
  });
  await host.ready();
  return { host, routes };
}

/** A response without what differs from one request to the next. */
async function seen(app: FastifyInstance, request: TestRequest) {
  const { statusCode, headers, body } = await requestOver(app.server, request);
  const { date, ...others } = headers;
  if (/\/(metrics|health)$/.test(request.url))
    return { statusCode, headers: { ...others, 'content-length': '' } };
  return { statusCode, headers: others, body: body.replace(/"read":\d+/g, '') };
}

test('a target in absolute form gets the headers and bytes of the same in origin form', async t => {
  const imagesDir = await writeFiles(t, { 'launch.png': 'an image' });
  const start = async (own: Partial<Settings>) =>
    (await startService(t, shop, { ...options, imagesDir, ...own })).app;
  const { host, routes } = await startHost(t, imagesDir);
  const addresses = [...routes].map(url => url.slice('/shop'.length)).concat(more);
  const urls = addresses.map(url => url.replace(/:[a-z]+|\*/g, name => samples[name] ?? assert.fail(name)));
  for (const [what, mount, app] of [
    ['the service', '', await start({})],
    ['below a base path, without the fast path', '/my', await start({ basePath: '/my', logRequests: true })],
    ['the plugin', '/shop', host],
  ] as const) {
    await app.ready();
    for (const url of urls) {
      for (const request of requests) {
        const plain = await seen(app, { ...request, url: mount + url });
        const absolute = await seen(app, { ...request, url: `http://a.test:80${mount}${url}` });
        assert.deepEqual(absolute, plain, `${what}: ${request.method ?? 'GET'} ${url}`);
      }
    }
  }
});

test('a target in absolute form without a valid host is 400 with a sentence that says so', async t => {
  const { app } = await startService(t);
  await app.ready();
  for (const [url, sentence] of [
    ['http:///api/news', 'malformed request: the URL has no valid host'],
    ['http://a:99999/api/news', 'malformed request: the URL has no valid host'],
    [
      'http://a/api/%zz',
      'malformed request: the URL has an invalid percent-encoding; write a percent sign as %25',
    ],
  ] as const) {
    const { statusCode, json } = await requestOver(app.server, { url });
    assert.deepEqual([statusCode, json().message], [400, sentence], url);
  }
});
