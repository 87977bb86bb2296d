import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { type ClientOptions, createClient, VitrineError } from '../src/client.ts';
import { errors } from '../src/errors.ts';
import { newsItems, shop, shopWith } from './support/catalogs.ts';
import { startService } from './support/service.ts';
import { listen } from './support/wire.ts';

async function startClient(t: TestContext, files = shop, options: ClientOptions = {}) {
  const { listen } = await startService(t, files, { basePath: '/shop' });
  return createClient(`http://127.0.0.1:${await listen()}/shop/`, options);
}

test('each method sends its query and returns the data of the envelope', async t => {
  const client = await startClient(t);
  const query = { product_id: 1, limit: 1, include_durations: true };
  const { list: configurations, pagination } = await client.listConfigurations(query);
  assert.deepEqual(pagination, { current_page: 1, total: 3 });
  assert.deepEqual(configurations[0]?.durations?.[0]?.price, 9.9);
  const price = await client.getPrice({ product_id: 1, recommend_config_id: 11, duration_id: 4 });
  assert.deepEqual([price.id, price.price], [104, 19.99]);
  assert.deepEqual([(await client.readNews(1)).read, (await client.readNews(1)).read], [101, 102]);
  assert.deepEqual((await client.listProducts({ limit: 1 })).list, [
    { id: 1, name: 'Cloud server', description: 'Small & quick' },
  ]);
  assert.deepEqual((await client.listNewsTypes()).list[1], { id: 2, name: 'Maintenance' });
  const changed = await client.listChanges({ limit: 5 });
  assert.deepEqual([changed.list, changed.from], [[], null]);
  for await (const change of client.eachChange()) assert.fail(change.catalog);
  const between = { ids: [1, 2, 3], since: '2024-01-05', until: 1_706_754_600 };
  const { list } = await client.listNews({ ...between, sort: 'read', include: ['type_id', 'img'] });
  const seen = list.map(({ id, img, type_id }) => [id, img, type_id].join());
  assert.deepEqual(seen, ['1,launch.png,1', '2,,2']);
});

test('an each method yields every item once, with as few requests as possible, and stops when the caller does', async t => {
  const news = newsItems(250);
  const asked: string[] = [];
  const client = await startClient(t, shopWith({ 'news.json': news }), {
    fetch: (url, init) => {
      asked.push(new URL(url).search);
      return fetch(url, init);
    },
  });
  const ids = [];
  // @ts-expect-error The neighbours of an item are no list to go on with.
  client.eachNews({ around: 1 });
  for await (const { id } of client.eachNews()) ids.push(id);
  assert.deepEqual(ids, news.map(({ id }) => id).reverse());
  assert.deepEqual(asked.splice(0), ['?page=1&limit=100', '?page=2&limit=100', '?page=3&limit=100']);
  for await (const { id } of client.eachNews({ page: 2, limit: 10, include: ['img'] })) if (id === 231) break;
  assert.deepEqual(asked.splice(0), ['?page=2&limit=10&include=img']);
  // The last page is full.
  for await (const { id } of client.eachNews({ page: 24, limit: 10 })) assert.ok(id <= 20);
  assert.deepEqual(asked.splice(0), ['?page=24&limit=10', '?page=25&limit=10']);

  const names = [];
  for await (const { name } of client.eachProduct({ limit: 2 })) names.push(name);
  for await (const { name } of client.eachNewsType()) names.push(name);
  for await (const { name } of client.eachConfiguration({ product_id: 3 })) names.push(name);
  assert.deepEqual(names, ['Cloud server', '香港云服务器', 'Sold out', 'Announcements', 'Maintenance']);
  assert.equal(asked.length, 4);
});

test('imageUrl is below the base URL for any name, and empty for none', () => {
  const { imageUrl } = createClient('https://example.com/shop/');
  assert.equal(imageUrl('launch.png'), 'https://example.com/shop/images/launch.png');
  assert.equal(
    imageUrl('50% off? é#1.png'),
    'https://example.com/shop/images/50%25%20off%3F%20%C3%A9%231.png',
  );
  assert.equal(imageUrl(''), '');
});

test('the client encodes any text, and leaves out undefined parameters', async t => {
  const client = await startClient(t);
  const titlesOf = async (keyword: string | undefined) =>
    (await client.listNews({ keyword, type_id: undefined, limit: 2 })).list.map(({ title }) => title);
  assert.deepEqual(await titlesOf('Tonight & tomorrow'), ['Servers restart']);
  for (const text of ['Tonight#x', 'Tonight+x', 'Tonight%20'])
    assert.deepEqual(await titlesOf(text), [], text);
  assert.equal((await titlesOf(undefined)).length, 2);
});

test('an error response becomes a VitrineError with its code, status and details', async t => {
  const client = await startClient(t);
  await assert.rejects(client.readNews(99), error => {
    assert.ok(error instanceof VitrineError && error instanceof Error);
    const { code, status, message, details } = error;
    assert.deepEqual([code, status, message, details], ['NEWS_NOT_FOUND', 404, 'news item 99 not found', []]);
    return true;
  });
  await assert.rejects(client.listNews({ limit: 1000 }), {
    name: 'VitrineError',
    code: 'INVALID_PARAMETER',
    status: errors.INVALID_PARAMETER.status,
    details: [{ parameter: 'limit', message: 'must be a whole number from 1 to 100' }],
  });
});

test('a foreign response becomes a VitrineError, and no response the error of fetch', async t => {
  const answers = ['<h1>502</h1>', '"text"', '{"success":"yes","data":{}}', '{"success":true}', 'null', ''];
  const server = createServer((_request, response) => response.writeHead(502).end(answers.shift()));
  const address = await listen(t, server);
  const client = createClient(address);
  while (answers.length > 0) {
    await assert.rejects(client.readNews(1), {
      code: 'NO_ENVELOPE',
      status: 502,
      message: `${address}/api/news/1 answered 502 without an envelope`,
    });
  }
  await assert.rejects(client.listNews({}, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  server.close();
  server.closeAllConnections();
  await assert.rejects(client.listNews(), TypeError);
});
