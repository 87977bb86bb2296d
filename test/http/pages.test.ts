import assert from 'node:assert/strict';
import fs, { readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { pageFiles } from '../../src/http/pages.ts';
import { shop } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { skipWithoutBuild } from '../support/skipping.ts';

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
