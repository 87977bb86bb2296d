import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { News } from '../../src/catalog/schemas.ts';
import { textOf } from '../../src/query/html-text.ts';
import { matcher } from '../../src/query/search.ts';

const item = (title: string, keywords: string, content: string): News => ({
  id: 1,
  title,
  keywords,
  content,
  img: '',
  read: 0,
  create_time: 0,
  update_time: 0,
  publish_time: 0,
  hidden: false,
});

test('every term has to occur in title, keywords or text, in any case and compatible form', () => {
  const news = item(
    'ﬁve Größen für ÉTÉ',
    'Preise,ＡＢＣ',
    '<p class="blue">Ein <b>neu</b>er Server&nbsp;&amp; mehr</p><p>ΟΔΟΣ</p><p>5 ㎏</p>',
  );
  const cases: [keyword: string, matches: boolean][] = [
    ['five', true],
    ['FIVE', true],
    ['größen', true],
    ['GRÖSSEN', true],
    ['été', true],
    ['e\u0301te\u0301', true],
    ['abc', true],
    ['ａｂｃ preise', true],
    ['abc　preise', true],
    ['five absent', false],
    ['neuer', true],
    ['server mehr', true],
    ['&', true],
    ['nbsp', false],
    ['blue', false],
    ['class', false],
    ['kg', true],
    ['οδοσ', true],
    ['οδος', true],
    ['mehrοδος', false],
    ['étépreise', false],
    ['été\tpreise\n', true],
  ];
  for (const [keyword, matches] of cases) assert.equal(matcher(keyword)(news), matches, keyword);
});

test('the text of HTML is what a reader sees of it', () => {
  const cases: [html: string, text: string][] = [
    ['plain', 'plain'],
    ['a <b>bo</b>ld word', 'a bold word'],
    ['<p>one</p><p>two</p>', '\none\n\ntwo\n'],
    ['line<br/>break<hr>', 'line\nbreak\n'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['a<5', 'a<5'],
    ['<!-- a note -->seen', '\nseen'],
    ['<a href="https://example.com">link</A>', 'link'],
    ['AT&amp;T &#39;&#x4E2D;&#20013;&#0;&unknown; &lt;b&gt;', "AT&T '中中&#0;&unknown; <b>"],
    ['&#x110000;&#xD83D;', '&#x110000;\ud83d'],
    ['<unclosed', '<unclosed'],
  ];
  for (const [html, text] of cases) assert.equal(textOf(html), text);
});

test('a text of nothing but opening brackets takes no longer than any other', () => {
  // Finishes at all only if no bracket makes the rest be read again.
  for (const piece of ['<', '<a ', '<!--', '&#', '</']) assert.ok(textOf(piece.repeat(300_000)).length > 0);
});
