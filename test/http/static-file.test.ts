import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import { test } from 'node:test';
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
