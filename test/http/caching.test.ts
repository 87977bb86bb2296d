import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shop, shopWith } from '../support/catalogs.ts';
import { newsUrl } from '../support/http/feeds.ts';
import { startService } from '../support/service.ts';

const LIST = '/api/recommend-config?product_id=1&include_durations=1';
const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1';
const NEWS = '/api/news';

test('configurations and prices have a strong ETag, news lists a weak one, and all are revalidated', async t => {
  const { ask } = await startService(t);
  for (const [url, form] of [
    [LIST, /^"[\w-]+"$/],
    [PRICE, /^"[\w-]+"$/],
    [NEWS, /^W\/"[\w-]+"$/],
  ] as const) {
    const { headers } = await ask(url);
    assert.match(String(headers.etag), form);
    assert.equal(headers['cache-control'], 'no-cache');
  }
});

test('a client that has the response gets 304 without a body, with the ETag and the Catalog-Version', async t => {
  const { ask } = await startService(t);
  for (const url of [LIST, PRICE, NEWS]) {
    const { headers } = await ask(url);
    const tag = String(headers.etag);
    const opaque = tag.replace('W/', '');
    for (const header of [
      tag,
      opaque,
      `W/${opaque}`,
      '*',
      `"other", ${tag}`,
      `W/"other",${opaque} , "more"`,
    ]) {
      const answer = await ask(url, { headers: { 'if-none-match': header } });
      assert.equal(answer.status, 304, header);
      assert.equal(answer.text, '');
      assert.equal(answer.headers.etag, tag);
      assert.equal(answer.headers['catalog-version'], headers['catalog-version']);
      assert.equal(answer.headers['content-type'], undefined);
    }
    for (const header of ['"other"', 'W/"other"', opaque.slice(1), '']) {
      assert.equal((await ask(url, { headers: { 'if-none-match': header } })).status, 200, header);
    }
  }
});

test('the ETag of a news list changes with a count', async t => {
  const { ask } = await startService(t);
  const before = await ask(NEWS);
  await ask('/api/news/1');
  const after = await ask(NEWS, { headers: { 'if-none-match': String(before.headers.etag) } });
  assert.equal(after.status, 200);
  assert.notEqual(after.headers.etag, before.headers.etag);
});

test('the ETag of a response depends on its content alone, not on the rest of the catalogs', async t => {
  const one = await startService(t);
  const other = await startService(
    t,
    shopWith({
      'news_types.json': [
        { id: 1, name: 'Renamed' },
        { id: 2, name: 'B' },
      ],
    }),
  );
  assert.equal((await one.ask(PRICE)).headers.etag, (await other.ask(PRICE)).headers.etag);
  assert.notEqual(
    (await one.ask(PRICE)).headers['catalog-version'],
    (await other.ask(PRICE)).headers['catalog-version'],
  );
});

test('responses to different queries have different ETags', async t => {
  const { ask } = await startService(t);
  const urls = [
    ...[LIST, '/api/recommend-config?product_id=1', '/api/recommend-config?product_id=1&limit=1'],
    ...['/api/recommend-config?product_id=2', '/api/recommend-config?product_id=1&page=2'],
    ...[PRICE, PRICE.replace('duration_id=1', 'duration_id=2')],
    ...[
      NEWS,
      `${NEWS}?limit=1`,
      `${NEWS}?type_id=1`,
      `${NEWS}?limit=1&page=2`,
      `${NEWS}?page=2`,
      `${NEWS}?page=3`,
    ],
    ...[`${NEWS}?keyword=same`, `${NEWS}?keyword=restart`],
  ];
  const tags = await Promise.all(urls.map(async url => String((await ask(url)).headers.etag)));
  assert.equal(new Set(tags).size, urls.length);
  for (const [index, url] of urls.entries()) {
    for (const [other, tag] of tags.entries()) {
      const { status } = await ask(url, { headers: { 'if-none-match': tag } });
      assert.equal(status, index === other ? 304 : 200, `${url} with the tag of ${urls[other]}`);
    }
  }
});

test('another replica recognizes an ETag that it has never sent', async t => {
  const [one, other] = [await startService(t), await startService(t)];
  for (const url of [LIST, PRICE, NEWS]) {
    const tag = String((await one.ask(url)).headers.etag);
    const { status, text, headers } = await other.ask(url, { headers: { 'if-none-match': tag } });
    assert.deepEqual([status, text, headers.etag, headers['content-type']], [304, '', tag, undefined]);
  }
});

test('an edited news item changes the ETag of the list, even if it was not read', async t => {
  const [item] = Array.isArray(shop['news.json']) ? shop['news.json'] : [];
  const tags = ['Open', 'Open as ever'].map(async title => {
    const { ask } = await startService(t, shopWith({ 'news.json': [{ ...item, title }] }));
    return (await ask(NEWS)).headers.etag;
  });
  assert.notEqual(await tags[0], await tags[1]);
});

test('the ETag of a news list changes with the time zone, in which its times are shown', async t => {
  // In Unix seconds, so that the sets themselves are the same.
  const files = shopWith({
    'news.json': [{ id: 1, title: 'Open', content: 'Text', create_time: 1_700_000_001 }],
  });
  const tags = ['UTC', 'Asia/Shanghai'].map(async timeZone => {
    const { ask } = await startService(t, files, { timeZone });
    return (await ask('/api/news')).headers.etag;
  });
  assert.notEqual(await tags[0], await tags[1]);
});

test('every response under /api has the version of the served set, errors too', async t => {
  const { ask } = await startService(t);
  for (const url of [LIST, PRICE, NEWS, '/api/news/1', '/api/news/abc', '/api/news/999', '/api/nothing']) {
    assert.match(String((await ask(url)).headers['catalog-version']), /^[0-9a-f]{12}$/, url);
  }
  assert.match(String((await ask(NEWS, { method: 'POST' })).headers['catalog-version']), /^[0-9a-f]{12}$/);
});

test('HEAD has the headers of GET, with its length, and no body', async t => {
  const { ask } = await startService(t);
  for (const url of [LIST, PRICE, NEWS]) {
    const get = await ask(url);
    const head = await ask(url, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    for (const name of ['content-length', 'etag', 'content-type', 'cache-control']) {
      assert.equal(head.headers[name], get.headers[name], name);
    }
  }
});

test('304 names no length, to GET and to HEAD', async t => {
  const { ask } = await startService(t, shop, { newsUrl });
  for (const url of [LIST, PRICE, NEWS, '/feeds/news.atom', '/page/style.css']) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(url, { method, headers: { 'if-none-match': '*' } });
      assert.deepEqual([status, headers['content-length']], [304, undefined], `${method} ${url}`);
    }
  }
});
