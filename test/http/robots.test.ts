import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Fastify from 'fastify';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const publicUrl = 'https://shown.test/my/shop';

test('crawlers are kept from the API and the operator routes, below any mount point', async t => {
  const lines = (root: string) =>
    `User-agent: *\n${['/api/', '/changes', '/overview', '/health', '/metrics'].map(path => `Disallow: ${root}${path}\n`).join('')}`;
  for (const [options, path, root] of [
    [{}, '/robots.txt', ''],
    [{ basePath: '/shop' }, '/shop/robots.txt', '/shop'],
    [{ basePath: '/shop', publicUrl }, '/shop/robots.txt', '/my/shop'],
    [{ publicUrl: 'https://shown.test' }, '/robots.txt', ''],
  ] as const) {
    const { dispatch } = await startService(t, {}, options);
    const { statusCode, headers, body } = await dispatch(path);
    assert.deepEqual([statusCode, body], [200, lines(root)], path);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(
      (await dispatch({ method: 'HEAD', url: path })).headers['content-length'],
      String(body.length),
    );
  }
});

test('a host keeps its own robots.txt, docs and OpenAPI document', async t => {
  const host = Fastify({ pluginTimeout: 0 });
  const dir = await writeFiles(t, shop);
  afterTest(t, () => host.close());
  for (const path of ['/robots.txt', '/docs', '/openapi.json']) host.get(path, () => 'of the host');
  const options = { catalogDir: dir, imagesDir: dir };
  host.register(vitrine, { ...options, stateDir: join(dir, 'one') });
  host.register(vitrine, { prefix: '/two', ...options, stateDir: join(dir, 'two') });
  for (const path of ['/robots.txt', '/docs', '/openapi.json']) {
    assert.equal((await host.inject(path)).body, 'of the host');
    assert.notEqual((await host.inject(`/two${path}`)).body, 'of the host');
  }
  assert.match((await host.inject('/two/robots.txt')).body, /^Disallow: \/two\/api\/$/m);
});
