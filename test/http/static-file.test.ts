import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterTest } from '../support/after-test.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

test('after a failed read, the next request reads the file again', async t => {
  const { ask, dispatch } = await startService(t);
  const url = '/documentation/static/swagger-ui.css';
  await ask('/health/live');
  const failure = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  const failures = [
    t.mock.method(fs, 'readFileSync', () => {
      throw failure;
    }),
    t.mock.method(fs.promises, 'readFile', () => Promise.reject(failure)),
  ];
  syncBuiltinESMExports();
  try {
    assert.equal((await ask(url)).data.error, 'INTERNAL_ERROR');
  } finally {
    for (const failure of failures) failure.mock.restore();
    syncBuiltinESMExports();
  }
  assert.equal((await dispatch(url)).statusCode, 200);
});

test('clients that do not read the script of the docs share one copy of it', async t => {
  const CLIENTS = 50;
  const { app, listen, dispatch } = await startService(t);
  const url = '/documentation/static/swagger-ui-bundle.js';
  const size = (await dispatch(url)).rawPayload.length;
  const port = await listen();
  const answers: ServerResponse[] = [];
  app.server.on('request', (_request, response) => answers.push(response));
  const before = process.memoryUsage().arrayBuffers;
  const sockets = Array.from({ length: CLIENTS }, () => connect(port, '127.0.0.1'));
  afterTest(t, () => sockets.forEach(socket => void socket.destroy()));
  for (const socket of sockets) socket.pause().write(`GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await until(t, async () =>
    answers.length === CLIENTS && answers.every(({ headersSent }) => headersSent) ? true : undefined,
  );
  const grown = process.memoryUsage().arrayBuffers - before;
  assert.ok(grown < 5 * size, `${CLIENTS} clients take ${grown} bytes of buffers`);
});

test('a text is sent compressed to clients that accept it, with a tag of its own', async t => {
  const { dispatch } = await startService(t);
  const plain = await dispatch('/page/style.css');
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(plain.headers.vary, 'Accept-Encoding');
  const tags = [plain.headers.etag];
  for (const [coding, decompress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const ask = (headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
      dispatch({ url: '/page/style.css', method, headers: { 'accept-encoding': coding, ...headers } });
    const { headers, rawPayload } = await ask();
    assert.deepEqual([headers['content-encoding'], headers.vary], [coding, 'Accept-Encoding']);
    assert.equal(headers['content-type'], plain.headers['content-type']);
    assert.equal(headers['content-length'], String(rawPayload.length));
    assert.ok(rawPayload.length < plain.rawPayload.length / 2);
    assert.deepEqual(decompress(rawPayload), plain.rawPayload);
    const head = await ask({}, 'HEAD');
    assert.deepEqual({ ...head.headers, date: '' }, { ...headers, date: '' });
    assert.equal(head.rawPayload.length, 0);
    const again = await ask({ 'if-none-match': headers.etag });
    assert.deepEqual(
      [again.statusCode, again.headers.vary, again.headers.etag],
      [304, 'Accept-Encoding', headers.etag],
    );
    assert.equal((await ask({ 'if-none-match': tags.join(', ') })).statusCode, 200, 'it has another coding');
    tags.push(headers.etag);
  }
});

test('small files are sent as they are', async t => {
  const { dispatch } = await startService(t);
  for (const name of ['index.css', 'favicon-32x32.png']) {
    const url = `/documentation/static/${name}`;
    const { headers, statusCode } = await dispatch({ url, headers: { 'accept-encoding': 'br, gzip' } });
    assert.deepEqual(
      [statusCode, headers['content-encoding'], headers.vary],
      [200, undefined, undefined],
      url,
    );
  }
});

test('a file for pages of some origins varies by both headers', async t => {
  const { dispatch } = await startService(t, undefined, { corsOrigin: ['https://shop.test'] });
  const { headers } = await dispatch('/documentation/json');
  assert.equal(headers.vary, 'Origin, Accept-Encoding');
});
