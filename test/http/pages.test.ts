import assert from 'node:assert/strict';
import fs, { readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { pageFiles } from '../../src/http/pages.ts';
import { shop } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { skipWithoutBuild } from '../support/skipping.ts';
import { countWork } from '../support/work.ts';

/** What is served are the files of the last build. */
const skip = skipWithoutBuild();

const FOLDER = new URL('../../dist/page/', import.meta.url);
const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};
const addresses = [
  { name: 'index.html', url: '/' },
  ...['http://a', 'http://a/', 'http://a?from=/mail'].map(url => ({ name: 'index.html', url })),
  { name: 'icon.svg', url: '/favicon.ico' },
  ...pageFiles.map(name => ({ name, url: `/page/${name}` })),
];

// The first test, since a process reads each file once.
test('after a failed read, the next request reads the file again', { skip }, async t => {
  const { ask, dispatch } = await startService(t);
  const url = '/documentation/static/swagger-ui.css';
  await ask('/health/live');
  const failure = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  const fail = t.mock.method(fs.promises, 'readFile', () => Promise.reject(failure));
  syncBuiltinESMExports();
  try {
    assert.equal((await ask(url)).data.error, 'INTERNAL_ERROR');
  } finally {
    fail.mock.restore();
    syncBuiltinESMExports();
  }
  assert.equal((await dispatch(url)).statusCode, 200);
});

test('each file of the page is served with its type and a strict policy', {
  skip,
}, async t => {
  const { dispatch } = await startService(t);
  assert.deepEqual([...new Set(addresses.map(({ name }) => name))].sort(), readdirSync(FOLDER).sort());
  for (const { name, url } of addresses) {
    const { statusCode, headers, body } = await dispatch(url);
    assert.deepEqual([statusCode, body], [200, readFileSync(new URL(name, FOLDER), 'utf8')], url);
    assert.equal(headers['content-type'], types[name.split('.').at(-1) ?? '']);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(headers['cache-control'], 'no-cache');
  }
});

test('no other file of page and docs is served, and no other method is allowed', async t => {
  const { ask } = await startService(t);
  for (const url of [
    ...['/index.html', '/page', '/page/', '/page/index.html', '/page/main.tsx', '/page/nothing.js'],
    ...['/page/..%2f..%2fpackage.json', '/page/../../package.json', '/documentation/x'],
    ...['/documentation/static/index.html', '/documentation/static/nothing.js'],
    '/documentation/static/%2e%2e%2fpackage.json',
  ])
    assert.equal((await ask(url)).data.error, 'ROUTE_NOT_FOUND', url);
  for (const url of ['/', '/page/main.js']) {
    const { data, headers } = await ask(url, { method: 'POST' });
    assert.deepEqual([data.error, headers.allow], ['METHOD_NOT_ALLOWED', 'GET, HEAD'], url);
  }
});

test('the docs page loads nothing from other origins, and no request generates any part of it', {
  skip,
}, async t => {
  const { dispatch } = await startService(t, undefined, { basePath: '/shop' });
  const page = await dispatch('/shop/documentation/');
  assert.match(page.body, /<title>Vitrine<\/title>/);
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'self';/);
  const linked = Array.from(page.body.matchAll(/(?:src|href)="([^"]+)"/g), ([, url = '']) => url);
  assert.ok(linked.length > 3);
  for (const url of [...linked, './json', './yaml']) {
    assert.match(url, /^\.\/(static\/[\w.-]+|json|yaml)$/);
    const { pathname } = new URL(url, 'http://a.test/shop/documentation/');
    const { result, stringified } = await countWork(() => dispatch(pathname));
    // Fastify makes JSON of the id of each request, for the log.
    assert.deepEqual([result.statusCode, stringified], [200, 1], url);
  }
});

test('every redirect is relative, so it works below a prefix and behind a proxy', { skip }, async t => {
  for (const basePath of ['', '/my/shop']) {
    const { dispatch } = await startService(t, shop, { basePath });
    for (const url of ['/documentation', '/%64ocumentation?from=mail', '/docs?from=mail', '', '?from=mail']) {
      const target = /oc/.test(url) ? '/documentation/' : '/';
      if (basePath === '' && target === '/') continue;
      const { statusCode, headers } = await dispatch(basePath + url);
      assert.deepEqual([statusCode, headers['cache-control']], [308, 'no-cache'], url);
      assert.match(String(headers.location), /^\.\/[^/]+\/$/, url);
      // The same address behind a proxy that adds a path of its own.
      const seen = new URL(String(headers.location), `http://proxy.test/elsewhere${basePath}${url}`);
      assert.equal(decodeURI(seen.pathname), `/elsewhere${basePath}${target}`, url);
      assert.equal((await dispatch(seen.pathname.slice('/elsewhere'.length))).statusCode, 200, url);
    }
  }
});

test('crawlers are kept from the API and the operator routes, below any mount point', async t => {
  const paths = ['/api/', '/changes', '/overview', '/health', '/metrics'];
  const publicUrl = 'https://shown.test/my/shop';
  for (const [options, root] of [
    [{}, ''],
    [{ basePath: '/shop' }, '/shop'],
    [{ basePath: '/shop', publicUrl }, '/my/shop'],
  ] as const) {
    const { dispatch, settings } = await startService(t, {}, options);
    const { headers, body } = await dispatch(`${settings.basePath}/robots.txt`);
    assert.equal(body, `User-agent: *\n${paths.map(path => `Disallow: ${root}${path}\n`).join('')}`);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  }
});

test('a text is sent compressed to clients that accept it, with a tag of its own; small files are not', {
  skip,
}, async t => {
  const { dispatch } = await startService(t, undefined, { corsOrigin: ['https://shop.test'] });
  const url = '/page/style.css';
  const plain = await dispatch(url);
  assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'Accept-Encoding']);
  const tags = [plain.headers.etag];
  for (const coding of ['br', 'gzip']) {
    const ask = (headers = {}, method = 'GET') =>
      dispatch({ url, method, headers: { 'accept-encoding': coding, ...headers } });
    const { headers, rawPayload, body } = await ask();
    const { etag, 'content-length': length, date: _, ...others } = headers;
    const { etag: __, 'content-length': ___, date: ____, ...same } = plain.headers;
    assert.deepEqual(others, { ...same, 'content-encoding': coding });
    assert.deepEqual([body, length], [plain.body, String(rawPayload.length)]);
    assert.ok(rawPayload.length < plain.rawPayload.length / 2);
    const head = await ask({}, 'HEAD');
    assert.deepEqual([{ ...head.headers, date: '' }, head.body], [{ ...headers, date: '' }, '']);
    const again = await ask({ 'if-none-match': etag });
    assert.deepEqual([again.statusCode, again.headers.vary, again.headers.etag], [304, others.vary, etag]);
    assert.equal((await ask({ 'if-none-match': tags.join(', ') })).statusCode, 200, 'it has another coding');
    tags.push(etag);
  }
  for (const name of ['index.css', 'favicon-32x32.png']) {
    const headers = { 'accept-encoding': 'br, gzip' };
    const small = await dispatch({ url: `/documentation/static/${name}`, headers });
    assert.deepEqual([small.headers['content-encoding'], small.headers.vary], [undefined, undefined], name);
  }
  assert.equal((await dispatch('/documentation/json')).headers.vary, 'Origin, Accept-Encoding');
});
