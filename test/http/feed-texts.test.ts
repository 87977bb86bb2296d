import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteOf, withoutForbidden } from '../../src/http/feeds/site.ts';
import { shop } from '../support/catalogs.ts';
import { feeds, newsOf, newsUrl } from '../support/http/feeds.ts';
import { startService } from '../support/service.ts';

test('titles, keywords and types are plain text of any characters that XML allows', async t => {
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

test('keywords are split at commas of both kinds, and each tag appears once', async t => {
  const files = newsOf({ keywords: ' cloud ,, 发布，上线,cloud,Announcements', type_id: 1 });
  const { dispatch } = await startService(t, files, { newsUrl });
  for (const [path, , read] of feeds) {
    const [item] = read((await dispatch(path)).body).items;
    assert.deepEqual(item?.tags, ['Announcements', 'cloud', '发布', '上线'], path);
  }
});

test('the site is named after its host, and its home page is the directory of the news URL', () => {
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
    const site = siteOf({ newsUrl, publicUrl: '', feedTitle: '' });
    assert.deepEqual([site.name, site.home, site.pageOf(7)], [name, home, page]);
  }
});

test('URLs with XML characters are escaped', async t => {
  const { dispatch } = await startService(t, shop, { newsUrl: "https://a.test/n?a=b&o='x'&id={id}" });
  const page = new URL("https://a.test/n?a=b&o='x'&id=4").href;
  for (const [path, , read] of feeds) {
    assert.equal(read((await dispatch(path)).body).items[0]?.id, page, path);
  }
});
