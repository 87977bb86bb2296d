import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest } from '../support/after-test.ts';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { converse, envelopeCode, readAnswers } from '../support/wire.ts';

const REQUEST = 'GET /api/news HTTP/1.1\r\nHost: a\r\n\r\n';

async function startLimited(t: TestContext, options: Partial<Settings>, files = shopWith({})) {
  const { app, listen } = await startService(t, files, options);
  const port = await listen();
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    // Some are reset; readAnswers fails over it where they are not to be.
    socket.on('error', () => {});
    afterTest(t, () => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  return { app, port, open, connections };
}

test('a request that is incomplete after the timeout is 408, and its connection is closed', async t => {
  const { open } = await startLimited(t, { clientTimeoutMs: 100 });
  for (const sent of ['GET /api/news HTTP/1.1\r\n', `${REQUEST}GET /api`]) {
    const socket = await open();
    socket.write(sent);
    const answers = await readAnswers(socket);
    assert.deepEqual(answers.map(envelopeCode), [
      ...(sent.startsWith(REQUEST) ? ['ok'] : []),
      'REQUEST_TIMEOUT',
    ]);
    assert.equal(answers.at(-1)?.headers.connection, 'close');
  }
});

test('a connection that sends nothing is closed without a response', async t => {
  const { open } = await startLimited(t, { clientTimeoutMs: 100 });
  assert.deepEqual(await readAnswers(await open()), []);
});

test('a client that disconnects before its response does no harm', async t => {
  const { port, open } = await startLimited(t, {});
  for (const sent of [
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    REQUEST,
    'rubbish\r\n',
    `${REQUEST}GET /api`,
  ]) {
    for (let count = 0; count < 20; count += 1) {
      const socket = await open();
      socket.write(sent);
      socket.resetAndDestroy();
    }
  }
  assert.deepEqual((await converse(port, Buffer.from(REQUEST))).answers.map(envelopeCode), ['ok']);
});

test('a client that sends its request byte by byte is cut off', async t => {
  const { open } = await startLimited(t, { clientTimeoutMs: 300 });
  const socket = await open();
  socket.write('GET /api/news HTTP/1.1\r\nHost: a\r\nX: ');
  const drip = setInterval(() => socket.write('X'), 20);
  socket.once('end', () => clearInterval(drip));
  assert.deepEqual((await readAnswers(socket)).map(envelopeCode), ['REQUEST_TIMEOUT']);
});

test('a body that never arrives does not change the response, and the connection is closed after it', async t => {
  const { open } = await startLimited(t, { clientTimeoutMs: 100 });
  const socket = await open();
  socket.write('POST /api/news HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf');
  assert.deepEqual((await readAnswers(socket)).map(envelopeCode), ['METHOD_NOT_ALLOWED']);
});

test('an idle connection is closed', async t => {
  const { open } = await startLimited(t, { keepAliveMs: 1000 });
  const socket = await open();
  socket.write(REQUEST);
  const answers = await readAnswers(socket);
  assert.deepEqual(answers.map(envelopeCode), ['ok']);
  assert.equal(answers[0]?.headers['keep-alive'], 'timeout=1');
});

/** A list of 25 MB, of which the system takes over but a part before the client has read it. */
const LONG_LIST = 'GET /api/news?limit=100 HTTP/1.1\r\nHost: a\r\n\r\n';
const longNews = shopWith({
  'news.json': Array.from({ length: 100 }, (_, index) => ({
    id: index + 1,
    title: 'A',
    content: 'long '.repeat(50_000),
    create_time: 1_700_000_001,
  })),
});

/** An image of as many bytes, which is read from its file while it is sent. */
const LONG_IMAGE = 'GET /images/long.png HTTP/1.1\r\nHost: a\r\n\r\n';
const longImage = shopWith({
  'news.json': [{ id: 1, title: 'A', content: 'B', create_time: 1_700_000_001, img: 'long.png' }],
  'long.png': Buffer.alloc(25_000_000),
});

test('pipelined requests are handled in order, each after the client has received the response before it', async t => {
  const { app, open } = await startLimited(t, {}, longNews);
  const socket = await open();
  socket.write(`${LONG_LIST}GET /api/news/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await once(socket, 'readable');
  const read = async () => (await app.inject('/api/news?limit=100')).json().data.list[93].read;
  assert.equal(await read(), 0);
  const answers = await readAnswers(socket);
  assert.deepEqual(answers.map(envelopeCode), ['ok', 'ok']);
  assert.equal(await read(), 1);
});

test('100 pipelined requests are answered, again and again, and a connection with many more is closed', async t => {
  const { open } = await startLimited(t, {});
  const socket = await open();
  let answered = 0;
  socket
    .setEncoding('latin1')
    .on('data', (text: Buffer) => (answered += String(text).split('HTTP/1.1 200 OK').length - 1));
  for (const total of [100, 200, 300]) {
    socket.write(REQUEST.repeat(100));
    await until(t, async () => (answered === total ? total : undefined));
  }
  socket.write(REQUEST.repeat(1000));
  await new Promise(resolve => socket.once('close', resolve));
  assert.ok(answered < 1300);
});

test('a client that does not read its response is cut off', async t => {
  const { open, connections } = await startLimited(t, { clientTimeoutMs: 200 }, longNews);
  const socket = await open();
  socket.pause().write(LONG_LIST);
  await until(t, async () => ((await connections()) === 0 ? true : undefined));
});

test('clients that do not read their responses are reset, even if they keep sending', async t => {
  const { open, connections } = await startLimited(t, { clientTimeoutMs: 400 }, longImage);
  const sockets = await Promise.all(Array.from({ length: 5 }, open));
  for (const socket of sockets) socket.pause().write(`${LONG_IMAGE.repeat(2)}GET / HTTP/1.1\r\nX: `);
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('X');
  }, 20);
  afterTest(t, () => clearInterval(drip));
  await until(t, async () => ((await connections()) === 0 ? true : undefined));
});

test('connections over the limit get 503, except for probes, and are closed; far more are closed at once', async t => {
  const { port, open, connections } = await startLimited(t, { maxConnections: 1 });
  const first = await open();
  const { answers, closed } = await converse(port, Buffer.from(REQUEST));
  assert.deepEqual(answers.map(envelopeCode), ['OVERLOADED']);
  assert.equal(answers[0]?.headers['retry-after'], '1');
  assert.equal(answers[0]?.headers['access-control-allow-origin'], '*');
  assert.ok(closed);
  const live = await request(`http://127.0.0.1:${port}/health/live`, { reset: true });
  assert.equal(((await live.body.json()) as { code: number }).code, 200);

  await until(t, async () => ((await connections()) === 1 ? true : undefined));
  const others = await Promise.all(Array.from({ length: 100 }, open));
  const dropped = await open();
  dropped.write(REQUEST);
  await new Promise(resolve => dropped.once('close', resolve));
  assert.equal(dropped.bytesRead, 0);

  for (const socket of [first, ...others]) socket.destroy();
  await until(t, async () => ((await connections()) === 0 ? true : undefined));
  assert.deepEqual((await converse(port, Buffer.from(REQUEST))).answers.map(envelopeCode), ['ok']);
});
