import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHtml, textOf } from '../../src/catalog/html-text.ts';

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

test('a text is HTML where it has a tag, a comment or a character reference', () => {
  for (const html of ['<p>a', 'a</b>', 'a<br/>', '<!-- -->', 'AT&amp;T', '&#20013;', '&#x4E2D;', '&hellip;'])
    assert.equal(isHtml(html), true, html);
  for (const text of ['', 'a', '1 < 2', 'a<5>', 'Q&A', 'a & b;', '&#;', '<unclosed', '<>', '中 <文>'])
    assert.equal(isHtml(text), false, text);
});

test('a text of nothing but opening brackets takes no longer than any other', () => {
  // Finishes at all only if no bracket makes the rest be read again.
  for (const piece of ['<', '<a ', '<!--', '&#', '</']) {
    assert.ok(textOf(piece.repeat(300_000)).length > 0);
    assert.equal(isHtml(piece.repeat(300_000)), false);
  }
});
