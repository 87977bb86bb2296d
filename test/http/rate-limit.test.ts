import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from '../../src/http/server/client-address.ts';
import { startService } from '../support/service.ts';

test('a client over the limit gets 429 with Retry-After', async t => {
  const { ask } = await startService(t, undefined, { rateLimit: 3 });
  const urls = ['/api/news', '/nothing', '/api/news/abc'];
  for (const [index, url] of urls.entries()) {
    const { headers } = await ask(url);
    assert.equal(headers['ratelimit-limit'], '3', url);
    assert.equal(headers['ratelimit-remaining'], String(2 - index), url);
  }
  for (const options of [
    {},
    { method: 'POST' },
    { url: '/api/nothing' },
    { headers: { 'if-none-match': '*' } },
  ] as const) {
    const { status, headers, data, body } = await ask('/api/news', options);
    assert.equal(status, 429);
    assert.equal(data.error, 'TOO_MANY_REQUESTS');
    assert.match(body.message, /^more than 3 requests per minute; try again in [1-6]?\d s$/);
    assert.equal(headers['retry-after'], /(\d+) s$/.exec(body.message)?.[1]);
    assert.equal(headers['access-control-allow-origin'], '*');
  }
});

test('probes and preflights are not limited', async t => {
  const { ask } = await startService(t, undefined, { rateLimit: 1 });
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.test', 'access-control-request-method': 'GET' },
  } as const;
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await ask('/health')).status, 200);
    assert.equal((await ask('/health/live')).status, 200);
    assert.equal((await ask('/api/news', preflight)).status, 204);
  }
});

test('by default there is no limit, and no header mentions one', async t => {
  const { ask } = await startService(t);
  const { headers } = await ask('/api/news');
  assert.equal(headers['ratelimit-limit'], undefined);
});

test('limits count an IPv4 address or an IPv6 network /64 as one client, however it is written', () => {
  for (const [client, ...writings] of [
    [
      '192.0.2.1',
      '192.0.2.1',
      '192.0.2.1:80',
      '::ffff:192.0.2.1',
      '[::FFFF:c000:201]:80',
      '0:0:0:0:0:ffff:192.0.2.1',
    ],
    ['192.0.2.2', '192.0.2.2'],
    ['2001:db8:0:1::/64', '2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:ffff', '[2001:DB8:0:1::2]:4711'],
    ['2001:db8:0:2::/64', '2001:db8:0:2::1'],
  ] as const)
    for (const address of writings) assert.equal(clientOf([address]), client, address);
  assert.equal(
    clientOf(['10.0.0.7', '10.0.0.8', 'unknown']),
    '10.0.0.8',
    'what is no address is the proxy that said it',
  );
});

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
  test(`with TRUST_PROXY ${trustProxy.join() || 'unset'}: ${what}`, async t => {
    const { ask } = await startService(t, undefined, { rateLimit: 3, trustProxy: [...trustProxy] });
    const statuses = [];
    for (const index of [1, 2, 3, 4]) {
      const headers = { 'x-forwarded-for': forwarded.replace('$', String(index)) };
      statuses.push((await ask('/api/news', { remoteAddress, headers })).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, isLimited ? 429 : 200]);
  });
}

test('the minute of a client does not depend on the wall clock', async t => {
  const { ask } = await startService(t, undefined, { rateLimit: 1 });
  await ask('/api/news');
  const clock = t.mock.method(Date, 'now', () => 0);
  const { status, headers } = await ask('/api/news');
  clock.mock.restore();
  assert.equal(status, 429);
  assert.match(String(headers['ratelimit-reset']), /^[1-6]?\d$/);
});

test('a client may send requests again after its minute', async t => {
  const { ask } = await startService(t, undefined, { rateLimit: 1 });
  await ask('/api/news');
  assert.equal((await ask('/api/news')).status, 429);
  const from = performance.now();
  t.mock.method(performance, 'now', () => from + 60_001);
  assert.equal((await ask('/api/news')).status, 200);
});

test('a client stays limited, however many others follow', async t => {
  const { ask, app } = await startService(t, undefined, { rateLimit: 1 });
  const limited = { remoteAddress: '192.0.2.1' };
  await ask('/api/news', limited);
  for (let index = 0; index < 6000; index += 1) {
    await app.inject({ url: '/nothing', remoteAddress: `10.0.${index >> 8}.${index & 255}` });
  }
  assert.equal((await ask('/api/news', limited)).status, 429);
});
