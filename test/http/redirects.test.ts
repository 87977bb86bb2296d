import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shop } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { skipWithoutBuild } from '../support/skipping.ts';
import { converse, envelopeCode, send } from '../support/wire.ts';

test('every redirect is relative, so it works below a prefix and behind a proxy', {
  skip: skipWithoutBuild(),
}, async t => {
  for (const basePath of ['', '/my/shop']) {
    const { dispatch } = await startService(t, shop, { basePath });
    const redirects: [url: string, target: string][] = [
      ['/documentation', '/documentation/'],
      ['/documentation?from=mail', '/documentation/'],
      ['/%64ocumentation', '/documentation/'],
      ['/docs', '/documentation/'],
      ['/docs?from=mail', '/documentation/'],
      ['/openapi.json', '/documentation/json'],
    ];
    if (basePath !== '') redirects.push(['', '/'], ['?from=mail', '/']);
    for (const [url, target] of redirects) {
      const { statusCode, headers } = await dispatch(basePath + url);
      assert.equal(statusCode, 308, url);
      assert.equal(headers['cache-control'], 'no-cache', url);
      const location = String(headers.location);
      assert.match(location, /^\.\/[^/]+\/(json)?$/, url);
      // The same address behind a proxy that adds a path of its own.
      const seen = new URL(location, `http://proxy.test/elsewhere${basePath}${url}`);
      assert.equal(decodeURI(seen.pathname), `/elsewhere${basePath}${target}`, url);
      assert.equal((await dispatch(seen.pathname.slice('/elsewhere'.length))).statusCode, 200, url);
    }
  }
});

test('an asterisk instead of a path is an error, not a redirect', async t => {
  for (const basePath of ['', '/shop']) {
    const port = await (await startService(t, shop, { basePath })).listen();
    for (const [line, code] of [
      ['GET *', 'BAD_REQUEST'],
      ['POST *', 'BAD_REQUEST'],
      ['GET *api/news', 'BAD_REQUEST'],
      ['OPTIONS *', 'METHOD_NOT_ALLOWED'],
    ]) {
      const [answer = assert.fail(line)] = await send(
        port,
        Buffer.from(`${line} HTTP/1.1\r\nHost: a\r\n\r\n`),
      );
      assert.deepEqual([envelopeCode(answer), answer.headers.location], [code, undefined], line);
    }
    const [head] = await send(port, Buffer.from('HEAD * HTTP/1.1\r\nHost: a\r\n\r\n'));
    assert.equal(head?.status, 400);
  }
});

test('an absolute URL without a path is the page', async t => {
  const port = await (await startService(t)).listen();
  for (const target of ['http://a', 'http://a/', 'http://a?from=mail', 'http://a?from=/mail']) {
    const { answers } = await converse(port, Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`));
    const [answer] = answers;
    assert.deepEqual([answer?.status, answer?.headers.location], [200, undefined], target);
    assert.match(String(answer?.headers['content-type']), /^text\/html/, target);
  }
});

test('the docs have no directory index', async t => {
  const { ask } = await startService(t);
  assert.equal((await ask('/documentation/static/index.html')).data.error, 'ROUTE_NOT_FOUND');
});
