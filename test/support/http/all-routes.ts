import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { vitrine } from '../../../src/index.ts';
import type { Settings } from '../../../src/settings/settings.ts';
import { afterTest } from '../after-test.ts';
import { shop, writeFiles } from '../catalogs.ts';
import { requestOver, type TestRequest } from './over-connection.ts';

const TOKEN = 'a-token-of-the-preview';
/** With these, the service has all its routes and all its headers. */
export const everything: Partial<Settings> = {
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
  ...['/preview/2026-03-31/api/news?limit=1', '/api/news?limit=0'],
  ...['/api/nothing', '/api/news/', '/api/news/%zz', '/nothing', '/images/none.png', '/preview/x/api/news'],
];
const ways: Omit<TestRequest, 'url'>[] = [
  {},
  { headers: { origin: 'https://shop.test', authorization: `Bearer ${TOKEN}` } },
  { method: 'HEAD' },
  { method: 'POST' },
  { method: 'OPTIONS', headers: { origin: 'https://shop.test', 'access-control-request-method': 'GET' } },
];

/** A host that has the plugin below `/shop`, and requests for each of its routes and more, without that prefix. */
export async function startHost(t: TestContext, imagesDir: string, fastify = Fastify) {
  const app = fastify({ pluginTimeout: 0 });
  afterTest(t, () => app.close());
  const catalogDir = await writeFiles(t, shop);
  const dirs = { catalogDir, imagesDir, stateDir: join(catalogDir, 'state') };
  const routes = new Set<string>();
  app.addHook('onRoute', ({ url }) => void routes.add(url.slice('/shop'.length)));
  app.register(vitrine, { prefix: '/shop', ...everything, ...dirs });
  await app.ready();
  const requests = [...routes, ...more].flatMap(route => {
    const url = route.replace(/:[a-z]+|\*/g, name => samples[name] ?? assert.fail(name));
    return ways.map(way => ({ ...way, url }));
  });
  return { app, requests };
}

/** A response without what differs from one request to the next. */
export async function seen({ server }: FastifyInstance, request: TestRequest) {
  const { statusCode, headers, body } = await requestOver(server, request);
  const { date, ...others } = headers;
  if (/\/(metrics|health)$/.test(request.url))
    return { statusCode, headers: { ...others, 'content-length': '' } };
  return { statusCode, headers: others, body: body.replace(/"read":\d+|"since":"[^"]*"/g, '') };
}
