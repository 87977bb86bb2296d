import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { isShared, routedPath } from '../../src/http/plugins/headers.ts';

test("the path of a request is the one that Fastify's router matches, however the target is written", () => {
  const app = Fastify();
  app.get('/', () => {});
  app.get('/api/news', () => {});
  const routeOf = (url: string) => app.findRoute({ method: 'GET', url })?.handler ?? assert.fail(url);
  for (const [target, path] of [
    ['/api/news', '/api/news'],
    ['/api/news?a=/b', '/api/news'],
    ['/api/news#top', '/api/news'],
    ['/%61pi/new%73?a', '/api/news'],
    ['http://a/api/news?b', '/api/news'],
    ['HTTPS://user@a:1/%61pi/news', '/api/news'],
    ['http://[::1]:80/api/news', '/api/news'],
    ['http://a', '/'],
    ['http://a?b=/c', '/'],
  ] as const) {
    assert.equal(routedPath(target), path, target);
    assert.equal(routeOf(target), routeOf(path), target);
  }
});

test('a target that the router does not match is no path of the API either', () => {
  const app = Fastify();
  app.get('/api/news', () => {});
  for (const target of ['*', '/api%2Fnews', '//api/news', '/%2561pi/news', 'ftp://a/api/news']) {
    assert.equal(app.findRoute({ method: 'GET', url: target }), null, target);
    assert.equal(isShared(routedPath(target), ''), false, target);
  }
});
