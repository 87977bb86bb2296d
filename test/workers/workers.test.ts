import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { shopWith, writeInto } from '../support/catalogs.ts';
import { until } from '../support/until.ts';
import { envelopeCode } from '../support/wire.ts';
import { ask, startWorkers } from '../support/workers.ts';

const READ = /"read":(\d+)/;

test('reads in all threads get consecutive counts, which are in one file', async t => {
  const { app, settings, openMany, isOfMain } = await startWorkers(t);
  const sockets = await openMany(12);
  let ofMain = 0;
  app.server.on('request', () => (ofMain += 1));
  const counts: number[] = [];
  const readOften = async (socket: (typeof sockets)[number]) => {
    for (let round = 0; round < 40; round += 1) {
      const { body } = await ask(socket, '/api/news/2');
      counts.push(Number(READ.exec(body)?.[1]));
    }
  };
  await Promise.all(sockets.map(readOften));
  const others = sockets.filter(socket => !isOfMain(socket)).length;
  assert.ok(others > 0 && others < 12, `${others} of 12 connections are of the other thread`);
  assert.equal(ofMain, 40 * (12 - others));
  counts.sort((one, other) => one - other);
  assert.deepEqual(
    counts,
    Array.from(counts, (_, index) => (counts[0] ?? 0) + index),
  );
  const first = sockets[0];
  assert.ok(first);
  const { body } = await ask(first, '/api/news?ids=2');
  assert.equal(Number(READ.exec(body)?.[1]), counts.at(-1));
  await app.close();
  const { counts: saved } = JSON.parse(await readFile(join(settings.stateDir, 'read-counts.json'), 'utf8'));
  assert.deepEqual(saved, { 2: counts.at(-1) });
});

test('every thread sends the same answers', async t => {
  const { openBoth } = await startWorkers(t);
  let { main, other } = await openBoth();
  for (const [url, method, headers] of [
    ['/api/news'],
    ['/api/news', 'HEAD'],
    ['/api/news', 'POST', 'Content-Length: 0\r\n'],
    ['/api/news', 'OPTIONS', 'Origin: http://a\r\nAccess-Control-Request-Method: GET\r\n'],
    ['/api/news?keyword=a'],
    ['/api/news?page=x'],
    ['/api/%6eews?limit=1'],
    ['/api/products', 'GET', 'If-None-Match: *\r\n'],
    ['/api/recommend-config?product_id=1&include_durations=true'],
    ['/api/news/999'],
    ['/api/nothing'],
    ['/%zz'],
    ['/api/news', 'GET', 'Expect: something\r\n'],
    ['/health/ready'],
    ['/overview'],
    ['/changes'],
    ['/'],
    ['/documentation/json'],
  ] as const) {
    const [one, two] = [await ask(main, url, method, headers), await ask(other, url, method, headers)];
    delete one.headers.date;
    delete two.headers.date;
    assert.deepEqual(two, one, url);
    if (one.headers.connection === 'close') ({ main, other } = await openBoth());
  }
});

test('a thread that ends is replaced, and no read is lost', async t => {
  const { threads, openBoth } = await startWorkers(t);
  const { main, other } = await openBoth();
  const before = Number(READ.exec((await ask(other, '/api/news/2')).body)?.[1]);
  const closed = once(other, 'close');
  await threads[0]?.terminate();
  await closed;
  await until(t, async () => threads[1]);
  const { main: second, other: third } = await openBoth();
  for (const [index, socket] of [main, second, third].entries())
    assert.equal(Number(READ.exec((await ask(socket, '/api/news/2')).body)?.[1]), before + 1 + index);
});

test('reads while threads end get different counts, and those that were answered are saved', async t => {
  const { app, settings, threads, open, openBoth } = await startWorkers(t);
  await openBoth();
  const counts: number[] = [];
  let isOver = false;
  /** Reads over one connection after the other. */
  const readOn = async () => {
    while (!isOver) {
      const socket = await open();
      for (let isAnswered = true; isAnswered && !isOver; ) {
        const answer = await ask(socket, '/api/news/2').catch(() => undefined);
        isAnswered = answer !== undefined;
        if (answer) counts.push(Number(READ.exec(answer.body)?.[1]));
      }
      socket.destroy();
    }
  };
  const clients = Array.from({ length: 8 }, readOn);
  for (let ends = 1; ends <= 3; ends += 1) {
    const { length } = counts;
    await until(t, async () => (counts.length > length + 100 ? true : undefined));
    await threads.at(-1)?.terminate();
    await until(t, async () => threads[ends]);
    await openBoth();
  }
  isOver = true;
  await Promise.all(clients);
  assert.equal(new Set(counts).size, counts.length);
  await app.close();
  const { counts: saved } = JSON.parse(await readFile(join(settings.stateDir, 'read-counts.json'), 'utf8'));
  assert.ok(saved[2] >= Math.max(...counts), `${saved[2]} of ${Math.max(...counts)}`);
});

test('a change of the files goes live in every thread', async t => {
  const { catalogDir, openBoth } = await startWorkers(t);
  const { main, other } = await openBoth();
  const versionOf = async (socket: typeof main) =>
    (await ask(socket, '/api/products')).headers['catalog-version'];
  const before = await versionOf(main);
  assert.equal(await versionOf(other), before);
  await writeInto(catalogDir, {
    'products.json': [
      { id: 1, name: 'Renamed' },
      { id: 2, name: 'Other' },
    ],
  });
  for (const socket of [main, other])
    await until(t, async () => ((await versionOf(socket)) === before ? undefined : true));
  for (const socket of [main, other]) assert.match((await ask(socket, '/api/products')).body, /Renamed/);
});

test('a connection never sees an older version after a newer one, whichever thread answers', async t => {
  const configurations = Array.from({ length: 20_000 }, (_, index) => {
    return { id: index + 1, product_id: 1, name: `Configuration ${index}`, cpu: 1, memory: 512 };
  });
  const prices = [{ id: 1, product_id: 1, rel_id: 1, duration_id: 1, price: 1 }];
  const large = shopWith({ 'configurations.csv': null, 'configurations.json': configurations });
  const files = { ...large, 'prices.csv': null, 'prices.json': prices };
  const { catalogDir, openBoth } = await startWorkers(t, { holdBack: 'off' }, files);
  const { main, other } = await openBoth();
  const seen: (string | undefined)[] = [];
  const look = async (method: string) => {
    const { headers } = await ask(other, '/api/products', method);
    seen.push(headers['catalog-version']);
  };
  await look('GET');
  await writeInto(catalogDir, { 'prices.json': prices.map(row => ({ ...row, price: 2 })) });
  // The main thread answers HEAD, and the other one GET.
  const isBehind = async () => (await ask(main, '/api/products')).headers['catalog-version'] === seen[0];
  while (await isBehind()) for (const method of ['HEAD', 'GET']) await look(method);
  for (let round = 0; round < 200; round += 1) for (const method of ['HEAD', 'GET']) await look(method);
  assert.equal(new Set(seen).size, 2);
  assert.equal(
    seen.lastIndexOf(seen[0]) + 1,
    seen.findIndex(version => version !== seen[0]),
  );
});

test('a news item that a change adds is counted in every thread', async t => {
  const { catalogDir, openBoth } = await startWorkers(t, { holdBack: 'off' });
  const { main, other } = await openBoth();
  const rows = [{ id: 77, title: 'New', content: 'New', create_time: 1_700_000_000, read: 5 }];
  await writeInto(catalogDir, { 'news.json': rows });
  const isListed = async (socket: typeof main) => (await ask(socket, '/api/news')).body.includes('"id":77');
  for (const socket of [main, other])
    await until(t, async () => ((await isListed(socket)) ? true : undefined));
  const counts = [];
  for (const socket of [other, main, other])
    counts.push(READ.exec((await ask(socket, '/api/news/77')).body)?.[1]);
  assert.deepEqual(counts, ['6', '7', '8']);
});

for (const [name, options] of [
  ['all', { maxConnections: 6 }],
  ['one client', { maxConnectionsPerIp: 6 }],
] as const) {
  test(`the limit of the connections of ${name} holds for all threads together`, async t => {
    const { openMany } = await startWorkers(t, options);
    const sockets = await openMany(10);
    const codes = await Promise.all(
      sockets.map(async socket => envelopeCode(await ask(socket, '/api/products'))),
    );
    assert.deepEqual(codes.toSorted(), [...Array(4).fill('OVERLOADED'), ...Array(6).fill('ok')]);
  });
}

test('every thread compresses', async t => {
  const item = { id: 1, title: 'Long', content: 'Again. '.repeat(200), create_time: '2024-01-01' };
  const { openBoth } = await startWorkers(t, {}, shopWith({ 'news.json': [item] }));
  for (const socket of Object.values(await openBoth()))
    await until(t, async () => {
      const { headers } = await ask(socket, '/api/news', 'GET', 'Accept-Encoding: br\r\n');
      return headers['content-encoding'];
    });
});

test('the rate limit holds for all threads together', async t => {
  const { openMany } = await startWorkers(t, { rateLimit: 15 });
  const sockets = await openMany(6);
  const codes = [];
  for (let round = 0; round < 3; round += 1)
    for (const socket of sockets) codes.push(envelopeCode(await ask(socket, '/api/products')));
  assert.deepEqual(codes, [...Array(15).fill('ok'), ...Array(3).fill('TOO_MANY_REQUESTS')]);
});

test('the metrics are those of all threads', async t => {
  const { openBoth } = await startWorkers(t);
  const { main, other } = await openBoth();
  for (const socket of [main, other, other]) await ask(socket, '/api/products');
  const expected = [
    /^http_request_duration_seconds_count\{method="GET",route="\/api\/products",status_code="200"\} 3$/m,
    /^http_open_connections 2$/m,
  ];
  await until(t, async () => {
    const { body } = await ask(main, '/metrics');
    return expected.every(line => line.test(body)) ? true : undefined;
  });
});
