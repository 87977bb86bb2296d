import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { siteOf } from '../../src/http/feeds/feed.ts';
import { withoutForbidden } from '../../src/http/feeds/xml.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { type Files, sample, shop } from '../support/catalogs.ts';
import type { ReadFeed } from '../support/http/feed-rules.ts';
import { feeds, newsOf, newsUrl, pageOf } from '../support/http/feeds.ts';
import { startService } from '../support/service.ts';

const publicUrl = 'https://shown.test/my/shop';

/** A service with feeds, and what a reader gets of each of them, which is the same in all formats but for `own`. */
async function start(
  t: TestContext,
  files: Files = shop,
  options: Partial<Settings> = {},
  now?: () => number,
) {
  const service = await startService(t, files, { newsUrl, ...options }, now);
  const readAll = async (query = '') => {
    const all: ReadFeed[] = [];
    for (const [path, , read] of feeds)
      all.push(read((await service.dispatch(`${service.settings.basePath}${path}${query}`)).body));
    const [first = assert.fail(), ...others] = all;
    for (const other of others) assert.deepEqual({ ...other, own: first.own }, first);
    return { ...first, own: all.map(({ own }) => own) };
  };
  return { ...service, readAll };
}

test('without NEWS_URL there are no feeds; with it, wrong types, methods and paths are refused as on other routes', async t => {
  const off = await startService(t);
  const { ask } = await start(t);
  const empty = await start(t, { 'products.json': null });
  for (const [path] of feeds) {
    for (const url of [path, `${path}?type_id=x`])
      assert.equal((await off.ask(url)).data.error, 'ROUTE_NOT_FOUND', url);
    for (const query of ['0', 'x', '1.0', '-1', '9007199254740992', '1&type_id=2']) {
      const { status, data } = await ask(`${path}?type_id=${query}`);
      assert.deepEqual([status, data.details[0]?.parameter], [400, 'type_id'], query);
    }
    const { status, headers } = await ask(path, { method: 'POST', payload: '{bad' });
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD']);
    for (const url of [`${path}/`, '/feeds/news.xml'])
      assert.equal((await ask(url)).data.error, 'ROUTE_NOT_FOUND');
    assert.equal((await empty.ask(path)).data.error, 'NOT_READY');
  }
});

test('each feed has the published news in the order of lists, all or those of a type, and is valid in its format', async t => {
  const { readAll } = await start(t);
  const { title, home, items } = await readAll();
  assert.deepEqual([title, home], ['News of example.com', 'https://example.com/news/']);
  assert.deepEqual(
    items.map(({ id, title, html, tags }) => [id, title, html, tags]),
    [
      [pageOf(4), 'Same second', '<p>as the one before</p>', []],
      [pageOf(3), '高性能计算已上线', '<p>欢迎试用。</p>', ['Announcements', '发布']],
      [pageOf(2), 'Servers restart', '<p>Tonight &#x26; tomorrow.</p>', ['Maintenance']],
      [pageOf(1), 'We are open', '<p>Come <b>in</b></p>', ['Announcements', 'launch', 'opening']],
    ],
  );
  assert.equal(items[3]?.published, Date.UTC(2024, 0, 5, 10));
  for (const [query, name, ids] of [
    ['?type_id=1', ': Announcements', [3, 1]],
    ['?type_id=01', ': Announcements', [3, 1]],
    ['?type_id=2', ': Maintenance', [2]],
    ['?type_id=77', '', []],
    ['?type_id=', '', [4, 3, 2, 1]],
    ['?limit=1&type_ids=1', '', [4, 3, 2, 1]],
  ] as const) {
    const { title, items } = await readAll(query);
    assert.deepEqual(
      [title, items.map(({ id }) => id)],
      [`News of example.com${name}`, ids.map(pageOf)],
      query,
    );
  }
});

test('the feeds of the sample catalogs are valid, and have the 50 newest items at most', async t => {
  const { readAll } = await start(t, {}, sample);
  assert.ok((await readAll()).items.length > 30);
  for (const type of [1, 2, 3, 4, 5, 6]) await readAll(`?type_id=${type}`);
  const many = await start(t, newsOf(...Array.from({ length: 60 }, () => ({}))));
  const ids = (await many.readAll()).items.map(({ id }) => id);
  assert.deepEqual(
    ids,
    Array.from(Array(50).keys(), index => pageOf(index + 1)),
  );
});

test('an item has its creation and update times, and the feed the latest update', async t => {
  const updated = { create_time: 1_700_001_000, update_time: 1_700_005_000 };
  const { dispatch, readAll } = await start(t, newsOf({ create_time: 1_700_002_000 }, updated));
  const time = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
  const times = [time(1_700_002_000), time(1_700_005_000)];
  const idOf = async (query: string) =>
    /<id>(.*?)<\/id>/.exec((await dispatch(`/feeds/news.atom${query}`)).body)?.[1];
  const ids = await Promise.all(['', '?type_id=1', '?type_id=2', '?type_id=77'].map(idOf));
  assert.equal(new Set(ids).size, 4, 'each feed has an id of its own');
  const { body } = await dispatch('/feeds/news.atom');
  const inAtom = Array.from(body.matchAll(/<updated>(.*?)<\/updated>/g), ([, time]) => time);
  assert.deepEqual(inAtom, [times[1], ...times]);
  const { items } = (await dispatch('/feeds/news.json')).json();
  assert.deepEqual(
    items.map(({ date_modified }: { date_modified: string }) => date_modified),
    times,
  );
  assert.deepEqual(
    (await readAll()).items.map(({ published }) => published),
    [1_700_002_000_000, 1_700_001_000_000],
  );
  const channel = (await dispatch('/feeds/news.rss')).body;
  assert.ok(channel.includes(`<lastBuildDate>${new Date(1_700_005_000_000).toUTCString()}</lastBuildDate>`));
});

test('with PUBLIC_URL, each feed has its own URL and each item its image; without, no URL of the service', async t => {
  const images = ['launch.png', '50% off? "香港" #1.JPG', '', 'plan.pdf', 'a&b.svg'];
  const files = newsOf(...images.map(img => ({ img })));
  const { dispatch, readAll } = await start(t, files, { publicUrl, basePath: '/shop' });
  for (const query of ['', '?type_id=1'])
    assert.deepEqual(
      (await readAll(query)).own,
      feeds.map(([path]) => `${publicUrl}${path}${query}`),
    );
  assert.deepEqual(
    (await readAll()).items.map(({ image }) => image),
    images.map(img =>
      /png|jpg|svg/i.test(img) ? `${publicUrl}/images/${encodeURIComponent(img)}` : undefined,
    ),
  );
  for (const path of ['/shop/feeds/news.atom', '/shop/feeds/news.rss']) {
    const { body } = await dispatch(path);
    for (const type of ['image/png', 'image/jpeg', 'image/svg+xml'])
      assert.ok(body.includes(`"${type}"`), type);
  }
  const { own, items } = await (await start(t, files)).readAll();
  assert.deepEqual([own, items[0]?.image], [['news.atom', undefined, undefined], undefined]);
});

test('below any mount point, the self link of Atom leads to the feed', async t => {
  const { dispatch } = await start(t, shop, { basePath: '/shop' });
  for (const query of ['', '?type_id=1']) {
    const at = `https://shown.test/shop/feeds/news.atom${query}`;
    const [[, , read]] = feeds;
    const { own } = read((await dispatch(`/shop/feeds/news.atom${query}`)).body);
    assert.equal(new URL(String(own), at).href, at);
  }
});

/** Texts of any characters, and what a reader gets of them. */
const hostile: [text: string, read: string][] = [
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  [']]> & &amp; &#60; "quoted" \'too\'', ']]> & &amp; &#60; "quoted" \'too\''],
  ['a\u0000b\u0007c\u001bd\ufffee\ufffff', 'abcdef'],
  ['👩‍👩‍👧 香港 \u{10ffff} e\u0301 \u0085', '👩‍👩‍👧 香港 \u{10ffff} e\u0301 \u0085'],
  ['<!-- --><![CDATA[x]]><?php ?>', '<!-- --><![CDATA[x]]><?php ?>'],
  ['{{title}} $& $1 \\n', '{{title}} $& $1 \\n'],
];

test('titles, keywords, types and FEED_TITLE are plain text of any characters that XML allows', async t => {
  const rows = hostile.map(([text], index) => ({
    title: text,
    keywords: `one,${text}`,
    content: text,
    type_id: index + 1,
  }));
  const types = hostile.map(([name], index) => ({ id: index + 1, name: `Type ${name}` }));
  for (const [text, read] of [['', 'News of example.com'], ...hostile.slice(1, 3)] as const) {
    const { readAll } = await start(t, { ...newsOf(...rows), 'news_types.json': types }, { feedTitle: text });
    const { title, items } = await readAll();
    assert.equal(title, read);
    assert.deepEqual(
      items.map(({ title, tags }) => [title, tags]),
      hostile.map(([, text]) => [text, [`Type ${text}`, 'one', text]]),
    );
    assert.equal((await readAll('?type_id=1')).title, `${read}: Type ${hostile[0]?.[1]}`);
  }
});

test('the characters that XML forbids are left out, and no others', () => {
  const forbidden = [0, 8, 0xb, 0xc, 0xe, 0x1f, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfffe, 0xffff];
  const allowed = [9, 0xa, 0xd, 0x20, 0x7f, 0x85, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0x10000, 0x1fffe, 0x10ffff];
  for (const code of [...forbidden, ...allowed]) {
    const text = `a${String.fromCodePoint(code)}b`;
    assert.equal(withoutForbidden(text), allowed.includes(code) ? text : 'ab');
  }
});

test('content is HTML as written, or plain text with its paragraphs and lines', async t => {
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
  const { dispatch, readAll } = await start(t, newsOf(...contents.map(([content]) => ({ content }))));
  assert.deepEqual(
    (await readAll()).items.map(({ html }) => html),
    contents.map(([, html]) => html),
  );
  const { items } = (await dispatch('/feeds/news.json')).json();
  const texts = items.map(({ content_text }: { content_text?: string }) => content_text);
  assert.deepEqual(
    texts,
    contents.map(([, , text]) => text),
  );
  const keywords = ' cloud ,, 发布，上线,cloud,Announcements';
  const tagged = await start(t, newsOf({ keywords, type_id: 1 }));
  const [item] = (await tagged.readAll()).items;
  assert.deepEqual(item?.tags, ['Announcements', 'cloud', '发布', '上线'], 'each once, split at both commas');
});

test('the site is named after its host, its home page is the directory of the news URL, and URLs are escaped', async t => {
  for (const [newsUrl, name, home, page] of [
    ['https://example.com/news/{id}', 'example.com', 'https://example.com/news/', 'news/7'],
    ['http://a.test:8080/{id}', 'a.test', 'http://a.test:8080/', '7'],
    ['https://a.test/n/item-{id}.html#top', 'a.test', 'https://a.test/n/', 'n/item-7.html#top'],
    ['https://a.test/n/{id}/all', 'a.test', 'https://a.test/n/', 'n/7/all'],
    ['https://a.test/n?a=b&id={id}', 'a.test', 'https://a.test/', 'n?a=b&id=7'],
    ['https://münchen.test/ä/{id}', 'münchen.test', 'https://xn--mnchen-3ya.test/%C3%A4/', '%C3%A4/7'],
  ] as const) {
    const site = siteOf({ newsUrl, publicUrl: '', feedTitle: '' });
    const expected = [name, home, new URL(`/${page}`, home).href];
    assert.deepEqual([site.name, site.home, site.pageOf(7)], expected);
  }
  const { readAll } = await start(t, shop, { newsUrl: "https://a.test/n?a=b&o='x'&id={id}" });
  assert.equal((await readAll()).items[0]?.id, new URL("https://a.test/n?a=b&o='x'&id=4").href);
});
