import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { addresses } from '../support/http/addresses.ts';
import { newsUrl } from '../support/http/feeds.ts';
import { requestOver } from '../support/http/over-connection.ts';
import { bearer, previewToken } from '../support/http/previews.ts';
import { fastifies, skipWithoutOldest } from '../support/oldest.ts';
import { root } from '../support/package.ts';

const origin = 'https://shop.test';
const ways = [
  { headers: { origin, ...bearer } },
  ...['GET', 'HEAD', 'POST'].map(method => ({ method })),
  { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } },
];

test('the plugin answers the same in the oldest Fastify that the package allows and in the newest', {
  skip: skipWithoutOldest,
}, async t => {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(`^${fastifies[1]?.[0]}`, peerDependencies.fastify);
  const dir = await writeFiles(t, { ...shop, 'launch.png': 'an image' });
  const options = { newsUrl, cacheMaxAge: 60, corsOrigin: [origin], previewToken };
  const [newest, oldest] = fastifies.map(([version, fastify]) => {
    const app = fastify({ pluginTimeout: 0 });
    afterTest(t, () => app.close());
    const dirs = { catalogDir: dir, imagesDir: dir, stateDir: join(dir, version) };
    return app.register(vitrine, { prefix: '/shop', ...options, ...dirs });
  });
  const urls = addresses
    .map(({ url }) => url)
    .concat('/history/0123456789ab/pin', '/history/unpin', '/check');
  for (const url of urls.filter(url => !/\/(metrics|health)$/.test(url)))
    for (const way of ways) {
      // Without what differs from one request to the next.
      const seen = async (app = newest) => {
        await app?.ready();
        const server = app?.server ?? assert.fail();
        const { statusCode, headers, body } = await requestOver(server, { url: `/shop${url}`, ...way });
        const text = body.replace(/"read":\d+|"since":"[^"]*"/g, '');
        return { statusCode, headers: { ...headers, date: '' }, text };
      };
      assert.deepEqual(await seen(oldest), await seen(), url);
    }
});
