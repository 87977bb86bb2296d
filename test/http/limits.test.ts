import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { request } from 'undici';
import { clientOf, registerRateLimit } from '../../src/http/plugins/clients.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest } from '../support/after-test.ts';
import { newsItems, shopWith } from '../support/catalogs.ts';
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
  const connections = promisify(app.server.getConnections.bind(app.server));
  const noneIsLeft = (left = 0) => until(t, async () => (await connections()) === left);
  return { app, port, open, noneIsLeft };
}

test('a request that is incomplete after the timeout is 408, and an idle connection is closed without an answer', async t => {
  const { open } = await startLimited(t, { clientTimeoutMs: 300, keepAliveMs: 1000 });
  for (const [sent, dripped, codes] of [
    ['', '', []],
    [REQUEST, '', ['ok']],
    ['GET /api/news HTTP/1.1\r\n', '', ['REQUEST_TIMEOUT']],
    [`${REQUEST}GET /api`, '', ['ok', 'REQUEST_TIMEOUT']],
    ['GET /api/news HTTP/1.1\r\nHost: a\r\nX: ', 'X', ['REQUEST_TIMEOUT']],
    // A body that never arrives does not change the response.
    ['POST /api/news HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf', '', ['METHOD_NOT_ALLOWED']],
  ] as const) {
    const socket = await open();
    if (sent) socket.write(sent);
    const drip = setInterval(() => socket.write(dripped), 20);
    socket.once('end', () => clearInterval(drip));
    if (!dripped) clearInterval(drip);
    const answers = await readAnswers(socket);
    assert.deepEqual(answers.map(envelopeCode), codes, sent);
    if (codes[0] === 'ok') assert.equal(answers[0]?.headers['keep-alive'], 'timeout=1');
    if (codes.at(-1) === 'REQUEST_TIMEOUT') assert.equal(answers.at(-1)?.headers.connection, 'close');
  }
});

test('a client that disconnects before its response does no harm', async t => {
  const { port, open } = await startLimited(t, {});
  const connect = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
  for (const sent of [connect, REQUEST, 'rubbish\r\n', `${REQUEST}GET /api`])
    for (let count = 0; count < 20; count += 1) {
      const socket = await open();
      socket.write(sent);
      socket.resetAndDestroy();
    }
  assert.deepEqual((await converse(port, Buffer.from(REQUEST))).answers.map(envelopeCode), ['ok']);
});

/** A list and an image, of which the system takes over but a part before the client has read them. */
const LONG_LIST = 'GET /api/news?limit=100 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10);
const LONG_IMAGE = 'GET /images/long.png HTTP/1.1\r\nHost: a\r\n\r\n';
const long = shopWith({
  'news.json': newsItems(100, () => ({ content: 'long '.repeat(5_000), img: 'long.png' })),
  'long.png': Buffer.alloc(25_000_000),
});

test('pipelined requests are handled in order, each after the client has received the response before it', async t => {
  const { app, open } = await startLimited(t, {}, long);
  const socket = await open();
  socket.write(`${LONG_LIST}GET /api/news/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await once(socket, 'readable');
  const read = async () => (await app.inject('/api/news?limit=100')).json().data.list[93].read;
  assert.equal(await read(), 0);
  assert.deepEqual((await readAnswers(socket)).map(envelopeCode), Array(11).fill('ok'));
  assert.equal(await read(), 1);
});

test('what follows an answer that closes its connection is not carried out', async t => {
  const { app, open } = await startLimited(t, {});
  const detail = 'GET /api/news/1 HTTP/1.1\r\nHost: a\r\n';
  const read = async () => (await app.inject('/api/news?ids=1')).json().data.list[0].read;
  const before = await read();
  for (const [line, ...headers] of [
    ['GET /api/news/%ff HTTP/1.1', 'Host: a'],
    ['GET /api/news HTTP/1.1', 'Host: a', 'Connection: close'],
    ['GET /api/news HTTP/1.1', 'Host: a', 'Expect: x', 'Connection: close'],
    ['GET /api/news HTTP/1.0'],
  ]) {
    const socket = await open();
    socket.write(`${detail}\r\n${[line, ...headers].join('\r\n')}\r\n\r\n${`${detail}\r\n`.repeat(2)}`);
    assert.equal((await readAnswers(socket)).length, 2, line);
  }
  assert.equal(await read(), before + 4);
});

test('100 pipelined requests are answered, again and again, and a connection with many more is closed', async t => {
  const { open } = await startLimited(t, {});
  const socket = await open();
  let answered = 0;
  const count = (text: Buffer) => (answered += String(text).split('HTTP/1.1 200 OK').length - 1);
  socket.setEncoding('latin1').on('data', count);
  for (const total of [100, 200, 300]) {
    socket.write(REQUEST.repeat(100));
    await until(t, async () => (answered === total ? total : undefined));
  }
  socket.write(REQUEST.repeat(1000));
  await new Promise(resolve => socket.once('close', resolve));
  assert.ok(answered < 1300);
});

test('clients that do not read their responses are reset, even if they keep sending', async t => {
  const { open, noneIsLeft } = await startLimited(t, { clientTimeoutMs: 300 }, long);
  const sockets = await Promise.all(Array.from({ length: 4 }, open));
  for (const [index, socket] of sockets.entries())
    socket.pause().write(`${index === 0 ? LONG_LIST : LONG_IMAGE.repeat(2)}GET / HTTP/1.1\r\nX: `);
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('X');
  }, 20);
  afterTest(t, () => clearInterval(drip));
  await noneIsLeft();
});

test('connections over the limit get 503, except for probes, and are closed; far more are closed at once', async t => {
  const { port, open, noneIsLeft } = await startLimited(t, { maxConnections: 1 });
  const first = await open();
  const { answers, closed } = await converse(port, Buffer.from(REQUEST));
  assert.deepEqual(answers.map(envelopeCode), ['OVERLOADED']);
  assert.equal(answers[0]?.headers['retry-after'], '1');
  assert.equal(answers[0]?.headers['access-control-allow-origin'], '*');
  assert.ok(closed);
  const live = await request(`http://127.0.0.1:${port}/health/live`, { reset: true });
  assert.equal(((await live.body.json()) as { code: number }).code, 200);

  await noneIsLeft(1);
  const others = await Promise.all(Array.from({ length: 100 }, open));
  const dropped = await open();
  dropped.write(REQUEST);
  await new Promise(resolve => dropped.once('close', resolve));
  assert.equal(dropped.bytesRead, 0);

  for (const socket of [first, ...others]) socket.destroy();
  await noneIsLeft();
  assert.deepEqual((await converse(port, Buffer.from(REQUEST))).answers.map(envelopeCode), ['ok']);
});

test('a client over RATE_LIMIT gets 429 with Retry-After, but for probes and preflights; by default there is none', async t => {
  const { ask } = await startService(t, undefined, { rateLimit: 3 });
  for (const [index, url] of ['/api/news', '/nothing', '/api/news/abc'].entries()) {
    const { headers } = await ask(url);
    const told = [headers['ratelimit-limit'], headers['ratelimit-remaining']];
    assert.deepEqual(told, ['3', String(2 - index)], url);
  }
  for (const [url, options] of [
    ['/api/news', {}],
    ['/api/news', { method: 'POST' }],
    ['/api/nothing', {}],
    ['/api/news', { headers: { 'if-none-match': '*' } }],
  ] as const) {
    const { status, headers, data, body } = await ask(url, options);
    assert.deepEqual([status, data.error], [429, 'TOO_MANY_REQUESTS']);
    assert.match(body.message, /^more than 3 requests per minute; try again in [1-6]?\d s$/);
    assert.equal(headers['retry-after'], /(\d+) s$/.exec(body.message)?.[1]);
    assert.equal(headers['access-control-allow-origin'], '*');
  }
  const headers = { origin: 'https://shop.test', 'access-control-request-method': 'GET' };
  for (const url of ['/health', '/health/live']) assert.equal((await ask(url)).status, 200);
  assert.equal((await ask('/api/news', { method: 'OPTIONS', headers })).status, 204);
  const unlimited = await startService(t);
  assert.equal((await unlimited.ask('/api/news')).headers['ratelimit-limit'], undefined);
});

test('limits count an IPv4 address or an IPv6 network /64 as one client, however it is written', () => {
  for (const [client, ...writings] of [
    ['192.0.2.1', '192.0.2.1', '192.0.2.1:80', '::ffff:192.0.2.1', '[::FFFF:192.0.2.1]:80'],
    ['192.0.2.2', '192.0.2.2'],
    ['2001:db8:0:1::/64', '2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:ffff', '[2001:DB8:0:1::2]:4711'],
    ['2001:db8:0:2::/64', '2001:db8:0:2::1'],
  ] as const)
    for (const address of writings) assert.equal(clientOf([address]), client, address);
  // What is no address is the proxy that said it.
  assert.equal(clientOf(['10.0.0.7', '10.0.0.8', 'unknown']), '10.0.0.8');
});

test('TRUST_PROXY says whose word about clients counts, from the last proxy to the first that is not trusted', async t => {
  const proxy = '10.0.0.7';
  for (const [what, trustProxy, remoteAddress, forwarded, isLimited] of [
    ['what a client says of itself changes nothing', [], proxy, '192.0.2.$', true],
    ['nor does it if another proxy is trusted', ['10.0.0.8', '127.0.0.1'], proxy, '192.0.2.$', true],
    ['a trusted proxy says who the client is', ['10.0.0.0/8'], proxy, '192.0.2.$', false],
    ['also one that is seen as IPv4 in IPv6', [proxy], '::ffff:10.0.0.7', '192.0.2.$', false],
    ['what the client said before does not count', [proxy], proxy, '203.0.113.$, 192.0.2.1', true],
    ['a chain is followed to its end', [proxy, '2001:db8::/32'], proxy, '192.0.2.$, 2001:db8::5', false],
    ['also if proxies add ports', ['10.0.0.0/8'], proxy, '192.0.2.$:80, 10.0.0.8:4711', false],
  ] as const) {
    const { ask } = await startService(t, undefined, { rateLimit: 1, trustProxy: [...trustProxy] });
    const statuses = [];
    for (const index of [1, 2]) {
      const headers = { 'x-forwarded-for': forwarded.replace('$', String(index)) };
      statuses.push((await ask('/api/news', { remoteAddress, headers })).status);
    }
    assert.deepEqual(statuses, [200, isLimited ? 429 : 200], what);
  }
});

test('a client stays limited for its minute, whatever the wall clock says and however many others follow', async t => {
  const { ask, app } = await startService(t, undefined, { rateLimit: 1 });
  await ask('/api/news');
  const clock = t.mock.method(Date, 'now', () => 0);
  const { status, headers } = await ask('/api/news');
  clock.mock.restore();
  assert.equal(status, 429);
  assert.match(String(headers['ratelimit-reset']), /^[1-6]?\d$/);
  for (let index = 0; index < 1000; index += 1)
    await app.inject({ url: '/nothing', remoteAddress: `10.0.${index >> 8}.${index & 255}` });
  assert.equal((await ask('/api/news')).status, 429);
  const from = performance.now();
  t.mock.method(performance, 'now', () => from + 60_001);
  assert.equal((await ask('/api/news')).status, 200);
});

test('RATE_LIMIT remembers the 100,000 clients that asked last', () => {
  let limit: (...args: object[]) => void = () => {};
  const app = { addHook: (_: string, hook: typeof limit) => (limit = hook) };
  registerRateLimit(app as unknown as FastifyInstance, 1);
  const isRefused = (client: number) => {
    let refused: unknown;
    const ip = `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`;
    const reply = { headers() {}, header() {} };
    limit({ ip, routeOptions: {} }, reply, (error?: Error) => (refused = error));
    return refused !== undefined;
  };
  for (let client = 0; client < 100_000; client += 1) isRefused(client);
  assert.deepEqual([0, 100_000, 1, 0].map(isRefused), [true, false, false, true]);
});
