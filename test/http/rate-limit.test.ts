import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startService } from '../support/service.ts';

/** How many requests of each address, sent in turn, are answered before the first 429. */
async function served(
  t: TestContext,
  trustProxy: string[],
  clients: { remoteAddress: string; forwarded?: string }[],
): Promise<number> {
  const { ask } = await startService(t, undefined, { rateLimit: 3, trustProxy });
  for (let count = 0; count < 20; count += 1) {
    const { remoteAddress, forwarded } = clients[count % clients.length] ?? assert.fail('no clients');
    const headers = { ...(forwarded && { 'x-forwarded-for': forwarded }) };
    if ((await ask('/api/news', { remoteAddress, headers })).status === 429) return count;
  }
  return Number.POSITIVE_INFINITY;
}

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

const NO_LIMIT = Number.POSITIVE_INFINITY;
const proxy = { remoteAddress: '10.0.0.7' };

for (const [what, trustProxy, clients, expected] of [
  [
    'two addresses have a limit each',
    [],
    [{ remoteAddress: '192.0.2.1' }, { remoteAddress: '192.0.2.2' }],
    6,
  ],
  [
    'all addresses of an IPv6 network /64 share one',
    [],
    [{ remoteAddress: '2001:db8:0:1::1' }, { remoteAddress: '2001:db8:0:1:ffff:ffff:ffff:ffff' }],
    3,
  ],
  [
    'two networks /64 do not',
    [],
    [{ remoteAddress: '2001:db8:0:1::1' }, { remoteAddress: '2001:db8:0:2::1' }],
    6,
  ],
  [
    'an IPv4 address is the same written as IPv6',
    [],
    [{ remoteAddress: '192.0.2.1' }, { remoteAddress: '::ffff:192.0.2.1' }],
    3,
  ],
  [
    'what a client says of itself changes nothing',
    [],
    Array.from({ length: 20 }, (_, index) => ({ ...proxy, forwarded: `192.0.2.${index}` })),
    3,
  ],
  [
    'nor does it where another proxy is trusted',
    ['10.0.0.8', '127.0.0.1'],
    Array.from({ length: 20 }, (_, index) => ({ ...proxy, forwarded: `192.0.2.${index}` })),
    3,
  ],
  [
    'a trusted proxy tells who the client is',
    ['10.0.0.0/8'],
    Array.from({ length: 20 }, (_, index) => ({ ...proxy, forwarded: `192.0.2.${index}` })),
    NO_LIMIT,
  ],
  [
    'also one that is seen as IPv4 in IPv6',
    ['10.0.0.7'],
    Array.from({ length: 20 }, (_, index) => ({
      remoteAddress: '::ffff:10.0.0.7',
      forwarded: `192.0.2.${index}`,
    })),
    NO_LIMIT,
  ],
  [
    'through a trusted proxy only what that says counts, not what the client said before',
    ['10.0.0.7'],
    Array.from({ length: 20 }, (_, index) => ({ ...proxy, forwarded: `203.0.113.${index}, 192.0.2.1` })),
    3,
  ],
  [
    'a chain of trusted proxies is followed to its end',
    ['10.0.0.7', '2001:db8::/32'],
    Array.from({ length: 20 }, (_, index) => ({ ...proxy, forwarded: `192.0.2.${index}, 2001:db8::5` })),
    NO_LIMIT,
  ],
  [
    'and through proxies that add ports',
    ['10.0.0.0/8'],
    Array.from({ length: 20 }, (_, index) => ({ ...proxy, forwarded: `192.0.2.${index}:80, 10.0.0.8:4711` })),
    NO_LIMIT,
  ],
  [
    'the ports of an address are one client',
    ['10.0.0.7'],
    Array.from({ length: 20 }, (_, index) => ({ ...proxy, forwarded: `192.0.2.1:${5000 + index}` })),
    3,
  ],
  [
    'so are those of an IPv6 network /64',
    ['10.0.0.7'],
    Array.from({ length: 20 }, (_, index) => ({ ...proxy, forwarded: `[2001:db8:0:1::${index}]:${index}` })),
    3,
  ],
  [
    'an address is the same however it is written',
    ['10.0.0.7'],
    ['192.0.2.1', '192.0.2.1:80', '::ffff:192.0.2.1', '[::FFFF:c000:201]:80', '0:0:0:0:0:ffff:192.0.2.1'].map(
      forwarded => ({ ...proxy, forwarded }),
    ),
    3,
  ],
  [
    'what is no address is the proxy that said it',
    ['10.0.0.0/8'],
    Array.from({ length: 20 }, (_, index) => ({
      ...proxy,
      forwarded: index % 2 === 0 ? `unknown-${index}, 10.0.0.8` : '10.0.0.8',
    })),
    3,
  ],
] as const) {
  test(`with TRUST_PROXY ${trustProxy.join() || 'unset'}: ${what}`, async t => {
    assert.equal(await served(t, [...trustProxy], [...clients]), expected);
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
