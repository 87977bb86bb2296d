import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import Fastify from 'fastify';
import { pageFiles } from '../../src/http/pages.ts';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const FOLDER = new URL('../../dist/page/', import.meta.url);
const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};
const addresses = [
  { name: 'index.html', url: '/' },
  { name: 'icon.svg', url: '/favicon.ico' },
  ...pageFiles.map(name => ({ name, url: `/page/${name}` })),
];

test('every file of the page is served', () => {
  const files = readdirSync(FOLDER).sort();
  assert.deepEqual([...new Set(addresses.map(({ name }) => name))].sort(), files);
});

test('each file is served with its type, a strict policy, and revalidation', async t => {
  const { app } = await startService(t);
  for (const { name, url } of addresses) {
    const { statusCode, headers, body } = await app.inject(url);
    assert.equal(statusCode, 200, url);
    assert.equal(body, readFileSync(new URL(name, FOLDER), 'utf8'));
    assert.equal(headers['content-type'], types[name.split('.').at(-1) ?? '']);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(headers['cache-control'], 'no-cache');
    const tag = String(headers.etag);
    assert.match(tag, /^"[^"]+"$/);
    const again = await app.inject({ url, headers: { 'if-none-match': tag } });
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', tag]);
    const head = await app.inject({ url, method: 'HEAD' });
    assert.deepEqual([head.statusCode, head.body, head.headers.etag], [200, '', tag]);
  }
});

test('no other file of the folder is served, and no other method is allowed', async t => {
  const { ask } = await startService(t);
  for (const url of ['/index.html', '/page', '/page/', '/page/index.html', '/page/main.tsx']) {
    assert.equal((await ask(url)).data.error, 'ROUTE_NOT_FOUND', url);
  }
  for (const url of ['/page/nothing.js', '/page/..%2f..%2fpackage.json', '/page/../../package.json']) {
    assert.equal((await ask(url)).data.error, 'ROUTE_NOT_FOUND', url);
  }
  for (const url of ['/', '/page/main.js']) {
    const { data, headers } = await ask(url, { method: 'POST' });
    assert.deepEqual([data.error, headers.allow], ['METHOD_NOT_ALLOWED', 'GET, HEAD'], url);
  }
});

test('below a prefix, the URL without the slash redirects to the page, also behind a proxy', async t => {
  const { app } = await startService(t, shop, { basePath: '/my/shop' });
  assert.equal((await app.inject('/my/shop/')).headers['content-type'], types.html);
  for (const url of ['/my/shop', '/my/shop?from=mail', '/my/sh%6fp']) {
    const { statusCode, headers } = await app.inject(url);
    const last = url.split('?')[0]?.split('/').at(-1);
    assert.deepEqual(
      [statusCode, headers.location, headers['cache-control']],
      [308, `./${last}/`, 'no-cache'],
    );
  }
  assert.equal((await app.inject('/')).statusCode, 404);
});

test('the plugin serves the page below its prefix', async t => {
  const host = Fastify({ pluginTimeout: 0 });
  const dir = await writeFiles(t, shop);
  afterTest(t, () => host.close());
  host.register(vitrine, { prefix: '/one', catalogDir: dir, imagesDir: dir, stateDir: dir });
  assert.equal((await host.inject('/one')).headers.location, './one/');
  assert.equal((await host.inject('/one/')).headers['content-type'], types.html);
  assert.equal((await host.inject('/one/page/main.js')).headers['content-type'], types.js);
});
