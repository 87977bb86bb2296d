import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Settings } from '../../src/settings/settings.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { everything, seen, startHost } from '../support/http/all-routes.ts';
import { requestOver } from '../support/http/over-connection.ts';
import { startService } from '../support/service.ts';

test('a target in absolute form gets the headers and bytes of the same in origin form', async t => {
  const imagesDir = await writeFiles(t, { 'launch.png': 'an image' });
  const start = async (own: Partial<Settings>) =>
    (await startService(t, shop, { ...everything, imagesDir, ...own })).app;
  const { app: host, requests } = await startHost(t, imagesDir);
  for (const [what, mount, app] of [
    ['the service', '', await start({})],
    ['below a base path, without the fast path', '/my', await start({ basePath: '/my', logLevel: 'debug' })],
    ['the plugin', '/shop', host],
  ] as const) {
    await app.ready();
    for (const { url, ...request } of requests) {
      const plain = await seen(app, { ...request, url: mount + url });
      const absolute = await seen(app, { ...request, url: `http://a.test:80${mount}${url}` });
      assert.deepEqual(absolute, plain, `${what}: ${request.method ?? 'GET'} ${url}`);
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
