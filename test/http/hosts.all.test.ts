import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { requestOver } from '../support/http/over-connection.ts';
import { bearer, previewToken } from '../support/http/previews.ts';
import { oldestFastify, skipWithoutOldest } from '../support/oldest.ts';
import { root } from '../support/package.ts';

const origin = 'https://shop.test';
/** In place of the parameters in the path of a route. */
const samples: Record<string, string> = {
  ...{ ':id': '1', ':name': 'launch.png', ':instant': '2026-03-31', ':version': '0123456789ab' },
  '*': 'main.js',
};
const ways = [
  {},
  { headers: { origin, ...bearer } },
  { method: 'HEAD' },
  { method: 'POST' },
  { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } },
];

/** A host that has the plugin below `/shop`, with all routes and headers, and the addresses of its routes. */
async function startHost(t: TestContext, imagesDir: string, fastify = Fastify) {
  const app = fastify({ pluginTimeout: 0 });
  afterTest(t, () => app.close());
  const catalogDir = await writeFiles(t, shop);
  const addresses = new Set(['/shop/api/news?limit=0', '/shop/api/nothing', '/shop/nothing']);
  app.addHook('onRoute', ({ url }) => {
    addresses.add(url.replace(/:[a-z]+|\*/g, name => samples[name] ?? assert.fail(name)));
  });
  const dirs = { catalogDir, imagesDir, stateDir: join(catalogDir, 'state') };
  const everything = {
    newsUrl: 'https://shop.test/{id}',
    cacheMaxAge: 60,
    corsOrigin: [origin],
    previewToken,
  };
  app.register(vitrine, { prefix: '/shop', ...everything, ...dirs });
  await app.ready();
  /** A response without what differs from one request to the next. */
  const seen = async (url: string, way: (typeof ways)[number]) => {
    const { statusCode, headers, body } = await requestOver(app.server, { url, ...way });
    const isFixed = !/\/(metrics|health)$/.test(url);
    const length = isFixed && headers['content-length'];
    const text = isFixed && body.replace(/"read":\d+|"since":"[^"]*"/g, '');
    return { statusCode, headers: { ...headers, date: '', 'content-length': length }, text };
  };
  return { app, addresses, seen };
}

test('each route of the plugin answers the same in the oldest Fastify that the package allows and in the newest', {
  skip: skipWithoutOldest,
}, async t => {
  const imagesDir = await writeFiles(t, { 'launch.png': 'an image' });
  const { addresses, seen } = await startHost(t, imagesDir);
  const oldest = await startHost(t, imagesDir, await oldestFastify());
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(`^${oldest.app.version}`, peerDependencies.fastify);
  for (const url of addresses)
    for (const way of ways) assert.deepEqual(await oldest.seen(url, way), await seen(url, way), url);
});
