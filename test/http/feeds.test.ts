import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { siteOf, withoutForbidden } from '../../src/http/feeds.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { type Files, newsUrl, sample, shop, shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { feeds } from './addresses.ts';

const publicUrl = 'https://shown.test/my/shop';
const pageOf = (id: number) => `https://example.com/news/${id}`;

/** The titles, categories and contents that stand in an XML feed, as they are written. */
const textsIn = (xml: string) =>
  Array.from(
    xml.matchAll(/<(?:title|category|content|description)(?: [^>]*?term="|[^>]*>)([^<"]+)/g),
    found => found[1],
  );
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, sign => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`);

type Item = Record<'id' | 'title' | 'content_html' | 'content_text', string> & { tags?: string[] };

/** A service with feeds, and what readers get of each of them, which is the same in all formats. */
async function start(t: TestContext, files: Files = shop, options: Partial<Settings> = {}) {
  const service = await startService(t, files, { newsUrl, ...options });
  const read = async (query = '') => {
    const [atom = '', rss = '', json = ''] = await Promise.all(
      feeds.map(async ([path]) => (await service.dispatch(`${path}${query}`)).body),
    );
    assert.ok(json.isWellFormed());
    const { title, items }: { title: string; items: Item[] } = JSON.parse(json);
    const seen = items.map(({ id, title, content_html: html, tags }) => ({ id, title, html, tags }));
    const texts = seen.flatMap(({ title, tags = [], html }) => [title, ...tags, html]).map(escaped);
    assert.deepEqual(textsIn(atom), [escaped(title), ...texts]);
    assert.deepEqual(textsIn(rss), [escaped(title), escaped(title), ...texts]);
    return { title, items: seen, full: items };
  };
  return { ...service, read };
}

test('each feed has the published news in the order of lists, the 50 newest, all or those of a type', async t => {
  const { read } = await start(t);
  for (const [query, name, ids] of [
    ['', '', [4, 3, 2, 1]],
    ['?type_id=01', ': Announcements', [3, 1]],
    ['?type_id=2', ': Maintenance', [2]],
    ['?type_id=77', '', []],
    ['?type_id=', '', [4, 3, 2, 1]],
    ['?limit=1&type_ids=1', '', [4, 3, 2, 1]],
  ] as const) {
    const { title, items } = await read(query);
    const seen = [title, items.map(({ id }) => id)];
    assert.deepEqual(seen, [`News of example.com${name}`, ids.map(pageOf)], query);
  }
  assert.ok((await (await start(t, {}, sample)).read()).items.length > 30);
  const many = await start(t, newsOf(...Array.from({ length: 60 }, () => ({}))));
  const newest = Array.from(Array(50).keys(), index => pageOf(index + 1));
  assert.equal(String((await many.read()).items.map(({ id }) => id)), String(newest));
});

/** One news item after the other, with these columns. */
const newsOf = (...rows: object[]) =>
  shopWith({
    'news.json': rows.map((row, index) => {
      return { id: index + 1, title: 'A', content: 'B', create_time: 1_700_001_000 - index, ...row };
    }),
  });

const items = newsOf(
  { title: 'A & B', keywords: 'x', type_id: 1, img: 'a b.png', create_time: 1_700_000_000 },
  { content: '<p>C</p>', create_time: 1_600_000_000, update_time: 1_700_005_000, img: 'plan.pdf' },
);

test('each feed is as its standard says, names itself and its images with PUBLIC_URL, and not without', async t => {
  const { dispatch } = await start(t, items, { publicUrl, basePath: '/shop' });
  const bodyOf = async (path: string) => (await dispatch(`/shop/feeds/${path}`)).body;
  assert.equal(
    await bodyOf('news.atom'),
    `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>https://example.com/news/</id>
<title type="text">News of example.com</title>
<updated>2023-11-14T23:36:40Z</updated>
<author><name>example.com</name></author>
<link rel="self" type="application/atom+xml" href="https://shown.test/my/shop/feeds/news.atom"/>
<link rel="alternate" type="text/html" href="https://example.com/news/"/>
<generator>Vitrine</generator>
<entry>
<id>https://example.com/news/1</id>
<title type="text">A &#x26; B</title>
<published>2023-11-14T22:13:20Z</published>
<updated>2023-11-14T22:13:20Z</updated>
<link rel="alternate" type="text/html" href="https://example.com/news/1"/>
<link rel="enclosure" type="image/png" href="https://shown.test/my/shop/images/a%20b.png"/>
<category term="Announcements"/>
<category term="x"/>
<content type="html" xml:base="https://example.com/news/1">&#x3C;p&#x3E;B&#x3C;/p&#x3E;</content>
</entry>
<entry>
<id>https://example.com/news/2</id>
<title type="text">A</title>
<published>2020-09-13T12:26:40Z</published>
<updated>2023-11-14T23:36:40Z</updated>
<link rel="alternate" type="text/html" href="https://example.com/news/2"/>
<content type="html" xml:base="https://example.com/news/2">&#x3C;p&#x3E;C&#x3C;/p&#x3E;</content>
</entry>
</feed>
`,
  );
  assert.equal(
    await bodyOf('news.rss?type_id=1'),
    `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>News of example.com: Announcements</title>
<link>https://example.com/news/</link>
<description>News of example.com: Announcements</description>
<lastBuildDate>Tue, 14 Nov 2023 22:13:20 GMT</lastBuildDate>
<generator>Vitrine</generator>
<atom:link rel="self" type="application/rss+xml" href="https://shown.test/my/shop/feeds/news.rss?type_id=1"/>
<item>
<title>A &#x26; B</title>
<link>https://example.com/news/1</link>
<guid isPermaLink="true">https://example.com/news/1</guid>
<pubDate>Tue, 14 Nov 2023 22:13:20 GMT</pubDate>
<enclosure url="https://shown.test/my/shop/images/a%20b.png" length="0" type="image/png"/>
<category>Announcements</category>
<category>x</category>
<description>&#x3C;p&#x3E;B&#x3C;/p&#x3E;</description>
</item>
</channel>
</rss>
`,
  );
  const json = await bodyOf('news.json?type_id=1');
  assert.deepEqual(JSON.parse(json), {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'News of example.com: Announcements',
    home_page_url: 'https://example.com/news/',
    feed_url: 'https://shown.test/my/shop/feeds/news.json?type_id=1',
    authors: [{ name: 'example.com', url: 'https://example.com/news/' }],
    items: [
      {
        ...{ id: 'https://example.com/news/1', url: 'https://example.com/news/1', title: 'A & B' },
        ...{ content_html: '<p>B</p>', content_text: 'B' },
        image: 'https://shown.test/my/shop/images/a%20b.png',
        ...{ date_published: '2023-11-14T22:13:20Z', date_modified: '2023-11-14T22:13:20Z' },
        tags: ['Announcements', 'x'],
      },
    ],
  });
  const bare = await start(t, items);
  for (const [path, type] of feeds) {
    const { body, headers } = await bare.dispatch(`${path}?type_id=1`);
    assert.equal(headers['content-type'], type);
    assert.doesNotMatch(body, /shown\.test|images|atom:|feed_url/);
    if (path.endsWith('atom')) assert.match(body, /<id>[^?]+\?type_id=1<.*href="news\.atom\?type_id=1"/s);
  }
});

const hostile = [
  '<script>alert(1)</script>',
  ']]> & &amp; &#60; "quoted" \'too\'',
  'a\u0000b\u0007c\u001bd\ufffee\uffff',
  '👩‍👩‍👧 香港 \u{10ffff} e\u0301 \u0085',
  '<!-- --><![CDATA[x]]><?php ?> $& $1',
];

test('titles, keywords, types and FEED_TITLE are plain text of any characters that XML allows', async t => {
  const rows = hostile.map((title, index) => ({ title, keywords: `one,${title}`, type_id: index + 1 }));
  const types = hostile.map((name, index) => ({ id: index + 1, name: `Type ${name}` }));
  for (const feedTitle of hostile.slice(1, 3)) {
    const shown = withoutForbidden(feedTitle);
    const { read } = await start(t, { ...newsOf(...rows), 'news_types.json': types }, { feedTitle });
    const { title, items } = await read('');
    assert.equal(title, shown);
    const expected = hostile
      .map(withoutForbidden)
      .map(text => ({ title: text, tags: [`Type ${text}`, 'one', text] }));
    assert.deepEqual(
      items.map(({ title, tags }) => ({ title, tags })),
      expected,
    );
    assert.equal((await read('?type_id=1')).title, `${shown}: Type ${hostile[0]}`);
  }
  const forbidden = [0, 8, 0xb, 0xc, 0xe, 0x1f, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfffe, 0xffff];
  const allowed = [9, 0xa, 0xd, 0x20, 0x7f, 0x85, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0x10000, 0x1fffe, 0x10ffff];
  for (const code of [...forbidden, ...allowed]) {
    const text = `a${String.fromCodePoint(code)}b`;
    assert.equal(withoutForbidden(text), allowed.includes(code) ? text : 'ab');
  }
});

test('content is HTML as written, or plain text with its paragraphs and lines; tags are split at both commas', async t => {
  const contents: [content: string, html: string, text?: string][] = [
    ['<p>one &amp; two</p>', '<p>one &amp; two</p>'],
    ['a<br>b\n\nc', 'a<br>b\n\nc'],
    ['<script>]]></script>\u0001', '<script>]]></script>'],
    ['1 < 2 & 3 > 2', '<p>1 &#x3C; 2 &#x26; 3 &#x3E; 2</p>', '1 < 2 & 3 > 2'],
    ['one\ntwo\r\nthree', '<p>one<br>two<br>three</p>', 'one\ntwo\r\nthree'],
    ['one\r\n\r\ntwo\n \t\n\nthree\n', '<p>one</p><p>two</p><p>three</p>', 'one\r\n\r\ntwo\n \t\n\nthree\n'],
    ['"]]>" 👍 \u0000中', '<p>&#x22;]]&#x3E;&#x22; 👍 中</p>', '"]]>" 👍 中'],
  ];
  const keywords = ' cloud ,, 发布，上线,cloud,Announcements';
  const rows = contents.map(([content]) => ({ content, keywords, type_id: 1 }));
  const { full } = await (await start(t, newsOf(...rows))).read();
  for (const [index, [content, html, text]] of contents.entries())
    assert.deepEqual([full[index]?.content_html, full[index]?.content_text], [html, text], content);
  assert.deepEqual(full[0]?.tags, ['Announcements', 'cloud', '发布', '上线'], 'each once');
});

test('the site is named after its host, its home page is the directory of the news URL, and URLs are escaped', async t => {
  for (const [newsUrl, name, home, page] of [
    ['https://example.com/news/{id}', 'example.com', 'https://example.com/news/', 'news/7'],
    ['http://a.test:8080/{id}', 'a.test', 'http://a.test:8080/', '7'],
    ['https://a.test/n/{id}/all', 'a.test', 'https://a.test/n/', 'n/7/all'],
    ['https://a.test/n?a=b&id={id}', 'a.test', 'https://a.test/', 'n?a=b&id=7'],
    ['https://münchen.test/ä/{id}', 'münchen.test', 'https://xn--mnchen-3ya.test/%C3%A4/', '%C3%A4/7'],
  ] as const) {
    const site = siteOf({ newsUrl, publicUrl: '', feedTitle: '' });
    const expected = [name, home, new URL(`/${page}`, home).href];
    assert.deepEqual([site.name, site.home, site.pageOf(7)], expected);
  }
  const { read } = await start(t, shop, { newsUrl: "https://a.test/n?a=b&o='x'&id={id}" });
  assert.equal((await read()).items[0]?.id, new URL("https://a.test/n?a=b&o='x'&id=4").href);
});
