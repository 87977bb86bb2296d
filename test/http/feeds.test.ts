import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Value } from '@sinclair/typebox/value';
import Fastify from 'fastify';
import { loadCatalog } from '../../src/catalog/load.ts';
import { atom } from '../../src/http/feeds/atom.ts';
import { feedWriter } from '../../src/http/feeds/documents.ts';
import { jsonFeed } from '../../src/http/feeds/json-feed.ts';
import { rss } from '../../src/http/feeds/rss.ts';
import { siteOf } from '../../src/http/feeds/site.ts';
import { withoutForbidden } from '../../src/http/feeds/xml.ts';
import { vitrine } from '../../src/index.ts';
import { sample, shop, shopWith, sourceIn, writeFiles } from '../catalogs.ts';
import { NOW, startService } from '../service.ts';
import { readAtom, readJsonFeed, readRss } from './feed-rules.ts';
import { parseXml } from './xml.ts';

const newsUrl = 'https://example.com/news/{id}';
const pageOf = (id: number) => `https://example.com/news/${id}`;

/** Each feed: its path, its content type, and what reads it by the rules of its format. */
const feeds = [
  ['/feeds/news.atom', 'application/atom+xml; charset=utf-8', readAtom],
  ['/feeds/news.rss', 'application/rss+xml; charset=utf-8', readRss],
  ['/feeds/news.json', 'application/feed+json; charset=utf-8', readJsonFeed],
] as const;

/** One news item after the other, with these columns. */
const newsOf = (...rows: object[]) =>
  shopWith({
    'news.json': rows.map((row, index) => ({
      id: index + 1,
      title: 'A',
      content: 'B',
      create_time: 1000 - index,
      ...row,
    })),
  });

test('without the address of a news page there are no feeds', async t => {
  const { ask } = await startService(t);
  for (const [path] of feeds) {
    for (const url of [path, `${path}?type_id=x`]) {
      const { status, data } = await ask(url);
      assert.deepEqual([status, data.error], [404, 'ROUTE_NOT_FOUND'], url);
    }
  }
});

test('each feed has the published news in the order of lists, by the rules of its format', async t => {
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

test('the feeds of the sample catalogs keep the rules, and the JSON Feed its schema', async t => {
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

test('an item was published when it was created, and updated when it was changed last, as the feed was by then', async t => {
  const files = newsOf({ create_time: 2000 }, { create_time: 1000, update_time: 5000 });
  const { dispatch } = await startService(t, files, { newsUrl });
  const updatedIn = (body: string) =>
    [...body.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, time]) => time);
  const time = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
  const { body } = await dispatch('/feeds/news.atom');
  assert.deepEqual(updatedIn(body), [time(5000), time(2000), time(5000)]);
  const items = (await dispatch('/feeds/news.json')).json().items;
  assert.deepEqual(
    items.map(({ date_modified }: { date_modified: string }) => date_modified),
    [time(2000), time(5000)],
  );
  for (const [path, , read] of feeds) {
    const published = read((await dispatch(path)).body).items.map(item => item.published);
    assert.deepEqual(published, [2_000_000, 1_000_000], path);
  }
  const channel = (await dispatch('/feeds/news.rss')).body;
  assert.ok(channel.includes(`<lastBuildDate>${new Date(5_000_000).toUTCString()}</lastBuildDate>`));
});

test('titles, keywords and types are plain text of any characters, but for those that XML forbids', async t => {
  const hostile: [text: string, read: string][] = [
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    [']]> & &amp; &#60; "quoted" \'too\'', ']]> & &amp; &#60; "quoted" \'too\''],
    ['a\u0000b\u0007c\u001bd\ufffee\ufffff', 'abcdef'],
    ['👩‍👩‍👧 香港 \u{10ffff} e\u0301 \u0085', '👩‍👩‍👧 香港 \u{10ffff} e\u0301 \u0085'],
    ['<!-- --><![CDATA[x]]><?php ?>', '<!-- --><![CDATA[x]]><?php ?>'],
    ['{{title}} $& $1 \\n', '{{title}} $& $1 \\n'],
  ];
  const files = {
    ...newsOf(
      ...hostile.map(([text], index) => ({
        title: text,
        keywords: `one,${text}`,
        content: text,
        type_id: index + 1,
      })),
    ),
    'news_types.json': hostile.map(([name], index) => ({ id: index + 1, name: `Type ${name}` })),
  };
  const { dispatch } = await startService(t, files, { newsUrl });
  for (const [path, , read] of feeds) {
    const { items } = read((await dispatch(path)).body);
    assert.deepEqual(
      items.map(({ title, tags }) => [title, tags]),
      hostile.map(([, text]) => [text, [`Type ${text}`, 'one', text]]),
      path,
    );
    for (const [index, [, text]] of hostile.entries()) {
      const { title } = read((await dispatch(`${path}?type_id=${index + 1}`)).body);
      assert.equal(title, `News of example.com: Type ${text}`);
    }
  }
});

test('the characters that XML forbids are left out, and no others', () => {
  const forbidden = [0, 8, 0xb, 0xc, 0xe, 0x1f, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfffe, 0xffff];
  const allowed = [9, 0xa, 0xd, 0x20, 0x7f, 0x85, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0x10000, 0x1fffe, 0x10ffff];
  for (const code of forbidden) assert.equal(withoutForbidden(`a${String.fromCodePoint(code)}b`), 'ab');
  for (const code of allowed) {
    const text = `a${String.fromCodePoint(code)}b`;
    assert.equal(withoutForbidden(text), text);
  }
});

test('content is HTML as the editors wrote it, or plain text whose paragraphs and lines are kept', async t => {
  const contents: [content: string, html: string, text?: string][] = [
    ['<p>one &amp; two</p>', '<p>one &amp; two</p>'],
    ['a<br>b\n\nc', 'a<br>b\n\nc'],
    ['caf&eacute;', 'caf&eacute;'],
    ['<script>]]></script>\u0001', '<script>]]></script>'],
    ['1 < 2 & 3 > 2', '<p>1 &#x3C; 2 &#x26; 3 &#x3E; 2</p>', '1 < 2 & 3 > 2'],
    ['one\ntwo\r\nthree', '<p>one<br>two<br>three</p>', 'one\ntwo\r\nthree'],
    ['one\r\n\r\ntwo\n \t\n\nthree\n', '<p>one</p><p>two</p><p>three</p>', 'one\r\n\r\ntwo\n \t\n\nthree\n'],
    ['"]]>" 👍 \u0000中', '<p>&#x22;]]&#x3E;&#x22; 👍 中</p>', '"]]>" 👍 中'],
  ];
  const { dispatch } = await startService(t, newsOf(...contents.map(([content]) => ({ content }))), {
    newsUrl,
  });
  for (const [path, , read] of feeds) {
    const { items } = read((await dispatch(path)).body);
    assert.deepEqual(
      items.map(({ html }) => html),
      contents.map(([, html]) => html),
      path,
    );
  }
  const { items } = (await dispatch('/feeds/news.json')).json();
  assert.deepEqual(
    items.map(({ content_text }: { content_text?: string }) => content_text),
    contents.map(([, , text]) => text),
  );
});

test('keywords are divided by commas of both kinds, and each tag stands there once', async t => {
  const files = newsOf({ keywords: ' cloud ,, 发布，上线,cloud,Announcements', type_id: 1 });
  const { dispatch } = await startService(t, files, { newsUrl });
  for (const [path, , read] of feeds) {
    const [item] = read((await dispatch(path)).body).items;
    assert.deepEqual(item?.tags, ['Announcements', 'cloud', '发布', '上线'], path);
  }
});

test('a feed of a type has its news and its name; that of an unknown type is empty and valid', async t => {
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

test('wrong types, methods and paths are refused like everywhere', async t => {
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

test('before there are catalogs the feeds are not ready', async t => {
  const { ask } = await startService(t, { 'products.json': null }, { newsUrl });
  for (const [path] of feeds) {
    const { status, data, headers } = await ask(path);
    assert.deepEqual([status, data.error, headers['retry-after']], [503, 'NOT_READY', '1']);
  }
});

test('a feed has a strong ETag, 304 for who has it, and the headers of GET for HEAD', async t => {
  const { dispatch } = await startService(t, shop, { newsUrl });
  const withTypes = feeds.flatMap(([path, type]) =>
    ['', '?type_id=1', '?type_id=77'].map(query => [path + query, type] as const),
  );
  for (const [url, type] of withTypes) {
    const { headers, rawPayload } = await dispatch(url);
    const etag = String(headers.etag);
    assert.match(etag, /^"[\w-]+"$/);
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['content-type'], type);
    assert.equal(headers['content-length'], String(rawPayload.length));
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['catalog-version']), /^[0-9a-f]+$/);
    for (const method of ['GET', 'HEAD'] as const) {
      const known = await dispatch({ url, method, headers: { 'if-none-match': `"other", ${etag}` } });
      assert.deepEqual([known.statusCode, known.body, known.headers.etag], [304, '', etag]);
      assert.equal(known.headers['catalog-version'], headers['catalog-version']);
    }
    const unknown = await dispatch({ url, headers: { 'if-none-match': '"other"' } });
    assert.deepEqual([unknown.statusCode, unknown.rawPayload], [200, rawPayload]);
    const head = await dispatch({ url, method: 'HEAD' });
    assert.deepEqual([head.statusCode, head.body], [200, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'catalog-version']) {
      assert.equal(head.headers[name], headers[name], name);
    }
  }
});

test('every replica answers the same bytes, whatever its mount, its files and the host that it is asked as', async t => {
  const one = await startService(t, shop, { newsUrl });
  const rows = shop['news.json'] as { id: number }[];
  const files = shopWith({ 'news.json': rows.toReversed() });
  const other = await startService(t, files, { newsUrl, basePath: '/shop' }, () => NOW + 1000);
  for (const [path] of feeds) {
    const [here, there] = [
      await one.dispatch({ url: path, headers: { host: 'a.test' } }),
      await other.dispatch({
        url: `/shop${path}`,
        headers: { host: 'b.test', 'x-forwarded-host': 'c.test' },
      }),
    ];
    assert.equal(there.statusCode, 200);
    assert.deepEqual([there.body, there.headers.etag], [here.body, here.headers.etag]);
  }
});

test('feeds lie below the mount, and the address that Atom gives of itself leads there', async t => {
  const host = Fastify();
  const dir = await writeFiles(t, shop, () => host.close());
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

test('an item appears in the feeds at its publish_time, and goes where the clock is moved back', async t => {
  const files = newsOf({ publish_time: 2000 }, {}, { hidden: true });
  let now = 1000;
  const { dispatch } = await startService(t, files, { newsUrl }, () => now);
  for (const [path, , read] of feeds) {
    const seen = [];
    for (const time of [1999, 2000, 2001, 1999]) {
      now = time;
      const { body, headers } = await dispatch(path);
      seen.push([read(body).items.map(({ id }) => id), headers.etag] as const);
    }
    assert.deepEqual(
      seen.map(([ids]) => ids),
      [[pageOf(2)], [pageOf(1), pageOf(2)], [pageOf(1), pageOf(2)], [pageOf(2)]],
      path,
    );
    const [before, at, after, back] = seen.map(([, tag]) => tag);
    assert.deepEqual([before, at], [back, after]);
    assert.notEqual(before, at);
  }
});

test('reading feeds counts nothing, and counts change no feed', async t => {
  const { dispatch, ask } = await startService(t, shop, { newsUrl });
  for (const [path] of feeds) {
    const before = await dispatch(path);
    assert.doesNotMatch(before.body, /read|100/);
    const { read } = (await ask('/api/news/1')).data;
    for (let time = 0; time < 3; time += 1) await dispatch(path);
    assert.equal((await ask('/api/news/1')).data.read, read + 1, path);
    assert.equal((await dispatch(path)).headers.etag, before.headers.etag);
  }
});

test('a feed is written once, and nothing is kept of types that were made up', async t => {
  const { snapshot } = await loadCatalog(sourceIn(await writeFiles(t, shop)));
  assert.ok(snapshot);
  const write = feedWriter(siteOf(newsUrl));
  for (const format of [atom, rss, jsonFeed]) {
    for (const query of [{}, { type_id: 1 }, { type_id: 2 }]) {
      assert.equal(write(format, snapshot, query, NOW + 1), write(format, snapshot, query, NOW));
    }
    const madeUp = { type_id: 77 };
    assert.notEqual(write(format, snapshot, madeUp, NOW), write(format, snapshot, madeUp, NOW));
  }
});

test('the site is named after its host, and its news are where the last part of their address begins', () => {
  const sites: [newsUrl: string, name: string, home: string, page: string][] = [
    [newsUrl, 'example.com', 'https://example.com/news/', 'https://example.com/news/7'],
    ['http://a.test:8080/{id}', 'a.test', 'http://a.test:8080/', 'http://a.test:8080/7'],
    [
      'https://a.test/n/item-{id}.html#top',
      'a.test',
      'https://a.test/n/',
      'https://a.test/n/item-7.html#top',
    ],
    ['https://a.test/n/{id}/all', 'a.test', 'https://a.test/n/', 'https://a.test/n/7/all'],
    ['https://a.test/n?a=b&id={id}', 'a.test', 'https://a.test/', 'https://a.test/n?a=b&id=7'],
    [
      'https://münchen.test/ä/{id}',
      'münchen.test',
      'https://xn--mnchen-3ya.test/%C3%A4/',
      'https://xn--mnchen-3ya.test/%C3%A4/7',
    ],
  ];
  for (const [newsUrl, name, home, page] of sites) {
    const site = siteOf(newsUrl);
    assert.deepEqual([site.name, site.home, site.pageOf(7)], [name, home, page]);
  }
});

test('addresses of pages with signs of XML in them are written as they are to be read', async t => {
  const { dispatch } = await startService(t, shop, { newsUrl: "https://a.test/n?a=b&o='x'&id={id}" });
  const page = new URL("https://a.test/n?a=b&o='x'&id=4").href;
  for (const [path, , read] of feeds) {
    assert.equal(read((await dispatch(path)).body).items[0]?.id, page, path);
  }
});
