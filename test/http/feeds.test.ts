import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Value } from '@sinclair/typebox/value';
import Fastify from 'fastify';
import { jsonFeed } from '../../src/http/feeds/formats.ts';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { sample, shop, writeFiles } from '../support/catalogs.ts';
import { feeds, newsOf, newsUrl, pageOf } from '../support/http/feeds.ts';
import { parseXml } from '../support/http/xml.ts';
import { startService } from '../support/service.ts';

test('without NEWS_URL, there are no feeds', async t => {
  const { ask } = await startService(t);
  for (const [path] of feeds) {
    for (const url of [path, `${path}?type_id=x`]) {
      const { status, data } = await ask(url);
      assert.deepEqual([status, data.error], [404, 'ROUTE_NOT_FOUND'], url);
    }
  }
});

test('each feed has the published news in the order of lists, and is valid in its format', async t => {
  const { dispatch } = await startService(t, shop, { newsUrl });
  for (const [path, , read] of feeds) {
    const { title, home, items } = read((await dispatch(path)).body);
    assert.deepEqual([title, home], ['News of example.com', 'https://example.com/news/']);
    assert.deepEqual(
      items.map(({ id, title, html, tags }) => [id, title, html, tags]),
      [
        [pageOf(4), 'Same second', '<p>as the one before</p>', []],
        [pageOf(3), '高性能计算已上线', '<p>欢迎试用。</p>', ['Announcements', '发布']],
        [pageOf(2), 'Servers restart', '<p>Tonight &#x26; tomorrow.</p>', ['Maintenance']],
        [pageOf(1), 'We are open', '<p>Come <b>in</b></p>', ['Announcements', 'launch', 'opening']],
      ],
      path,
    );
    assert.equal(items[3]?.published, Date.UTC(2024, 0, 5, 10), path);
  }
});

test('the feeds of the sample catalogs are valid', async t => {
  const { dispatch } = await startService(t, {}, { ...sample, newsUrl });
  for (const [path, , read] of feeds) {
    assert.ok(read((await dispatch(path)).body).items.length > 30, path);
    for (const type of [1, 2, 3, 4, 5, 6]) read((await dispatch(`${path}?type_id=${type}`)).body);
  }
  const { body } = await dispatch('/feeds/news.json');
  assert.deepEqual([...Value.Errors(jsonFeed.schema, JSON.parse(body))], []);
});

test('a feed has the 50 newest items', async t => {
  const { dispatch } = await startService(t, newsOf(...Array.from({ length: 60 }, () => ({}))), { newsUrl });
  for (const [path, , read] of feeds) {
    const ids = read((await dispatch(path)).body).items.map(({ id }) => id);
    assert.deepEqual(
      ids,
      Array.from({ length: 50 }, (_, index) => pageOf(index + 1)),
      path,
    );
  }
});

test('an item has its creation and update times, and the feed the latest update', async t => {
  const files = newsOf(
    { create_time: 1_700_002_000 },
    { create_time: 1_700_001_000, update_time: 1_700_005_000 },
  );
  const { dispatch } = await startService(t, files, { newsUrl });
  const updatedIn = (body: string) =>
    [...body.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, time]) => time);
  const time = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
  const { body } = await dispatch('/feeds/news.atom');
  assert.deepEqual(updatedIn(body), [time(1_700_005_000), time(1_700_002_000), time(1_700_005_000)]);
  const items = (await dispatch('/feeds/news.json')).json().items;
  assert.deepEqual(
    items.map(({ date_modified }: { date_modified: string }) => date_modified),
    [time(1_700_002_000), time(1_700_005_000)],
  );
  for (const [path, , read] of feeds) {
    const published = read((await dispatch(path)).body).items.map(item => item.published);
    assert.deepEqual(published, [1_700_002_000_000, 1_700_001_000_000], path);
  }
  const channel = (await dispatch('/feeds/news.rss')).body;
  assert.ok(channel.includes(`<lastBuildDate>${new Date(1_700_005_000_000).toUTCString()}</lastBuildDate>`));
});

test('the feed of a type has its news and its name; that of an unknown type is empty and valid', async t => {
  const { dispatch } = await startService(t, shop, { newsUrl });
  for (const [path, , read] of feeds) {
    for (const [query, name, ids] of [
      ['?type_id=1', ': Announcements', [3, 1]],
      ['?type_id=01', ': Announcements', [3, 1]],
      ['?type_id=2', ': Maintenance', [2]],
      ['?type_id=77', '', []],
      ['?type_id=', '', [4, 3, 2, 1]],
      ['?limit=1&type_ids=1', '', [4, 3, 2, 1]],
    ] as const) {
      const { statusCode, body } = await dispatch(path + query);
      assert.equal(statusCode, 200);
      const { title, items } = read(body);
      assert.equal(title, `News of example.com${name}`);
      assert.deepEqual(
        items.map(({ id }) => id),
        ids.map(pageOf),
        path + query,
      );
    }
  }
});

test('feeds of different types have different ids in Atom', async t => {
  const { dispatch } = await startService(t, shop, { newsUrl });
  const urls = ['', '?type_id=1', '?type_id=2', '?type_id=77'].map(query => `/feeds/news.atom${query}`);
  const bodies = await Promise.all(urls.map(async url => (await dispatch(url)).body));
  const ids = bodies.map(body => parseXml(body).children.find(({ name }) => name === 'id')?.text);
  assert.equal(new Set(ids).size, urls.length);
});

test('wrong types, methods and paths are refused as on other routes', async t => {
  const { ask } = await startService(t, shop, { newsUrl });
  for (const [path] of feeds) {
    for (const query of ['0', 'x', '1.0', '-1', '9007199254740992', '1&type_id=2']) {
      const { status, data } = await ask(`${path}?type_id=${query}`);
      assert.deepEqual([status, data.error], [400, 'INVALID_PARAMETER'], query);
      assert.equal(data.details[0].parameter, 'type_id');
    }
    const { status, headers } = await ask(path, { method: 'POST', payload: '{bad' });
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD']);
    assert.equal((await ask(`${path}/`)).data.error, 'ROUTE_NOT_FOUND');
  }
  assert.equal((await ask('/feeds/news.xml')).data.error, 'ROUTE_NOT_FOUND');
});

test('without catalogs, the feeds are not ready', async t => {
  const { ask } = await startService(t, { 'products.json': null }, { newsUrl });
  for (const [path] of feeds) {
    const { status, data, headers } = await ask(path);
    assert.deepEqual([status, data.error, headers['retry-after']], [503, 'NOT_READY', '1']);
  }
});

test('feeds are below the mount point, and the self link of Atom leads there', async t => {
  const host = Fastify({ pluginTimeout: 0 });
  const dir = await writeFiles(t, shop);
  afterTest(t, () => host.close());
  const options = { catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state'), newsUrl };
  host.register(vitrine, { prefix: '/shop', ...options });
  for (const [path, type] of feeds) {
    const { statusCode, headers } = await host.inject(`/shop${path}`);
    assert.deepEqual([statusCode, headers['content-type']], [200, type]);
    assert.equal((await host.inject(path)).statusCode, 404);
  }
  for (const query of ['', '?type_id=1']) {
    const url = `/shop/feeds/news.atom${query}`;
    const links = parseXml((await host.inject(url)).body).children.filter(({ name }) => name === 'link');
    const self = links.find(({ attributes }) => attributes.rel === 'self')?.attributes.href;
    const at = `https://shown.test${url}`;
    assert.equal(new URL(String(self), at).href, at);
  }
});
