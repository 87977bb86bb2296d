import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlText, isHtml, paragraphsOf } from '../../src/snapshot/html-text.ts';
import { skipInQuickRun } from '../support/skipping.ts';

test('the text of HTML is what a browser shows', () => {
  const cases: [html: string, text: string][] = [
    ['a <b>bo</b>ld word', 'a bold word'],
    ['<p>one</p><p>two\n words</p>', '\none\n\ntwo  words\n'],
    ['line<br/>break<hr>', 'line\nbreak\n'],
    ['<td>a</td><td>b</td>c<img src=x>d', ' a  b c d'],
    ['<p>1 < 2 and 3 > 2, a<5', '\n1 < 2 and 3 > 2, a<5'],
    ['<o:p></o:p>un<my-tag>brok</my-tag>en<wbr>', 'unbroken'],
    ['caf&eacute; &uuml;ber &euro;5 &frac12; &there4;', 'café über €5 ½ ∴'],
    ['AT&amp;T &#39;&#x4E2D;&#20013;&unknown; &lt;b&gt; &NotEqualTilde;', "AT&T '中中&unknown; <b> ≂̸"],
    ['&#x110000;&#xD83D;&#0;&#150;', '\ufffd\ufffd\ufffd–'],
    ['<b>&copy 2024 &amp;lt;</b>', '© 2024 &lt;'],
    ['<a href="https://example.com" title="a > b">link</A>', 'link'],
    ["<p title='it is > that'>d<p title=\"no end>e</p>", '\nd\n'],
    ['<!-- a > note -->seen<!DOCTYPE html><![CDATA[<p>x</p>]]><?php 1 ?>', 'seen'],
    ['<![if !supportLists]>1.<![endif]> <!--[if gte mso 9]><xml>96</xml><![endif]-->one', '1. one'],
    ['<STYLE>p > a {}</STYLE>a<script>"<p>" > 1</script >b<title>t</title>c', 'abc'],
    ['<script src=x/>a</script>b<style>c', 'b'],
    ['never use `<script>` <br> or others', 'never use `'],
    ['a<style/>b<svg><title/><title>t</title><text>c</text></svg>d', 'ab c d'],
    ['<video>v<p>w</video>a<object>o</object>b<template>t<p>u</template>c', '  a  bc'],
    ['<iframe>x</iframe>a<noscript>y</noscript>b<textarea>&lt;i></textarea>', '  ab <i> '],
    ['<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>', '漢字'],
    ['<p><ruby>漢<rp>(<rt>かん<rp>)</ruby>字</p>', '\n漢字\n'],
    ['<b>a</b><video>b<object>c', 'a '],
    ['<b>a</b><unclosed', 'a'],
    ['<b>a</b><!-- no end <i>b</i>', 'a'],
    // What editors leave in a text.
    ['<p class=MsoNormal>B&uuml;ro<o:p></o:p></p><style><!-- @font-face {} --></style>', '\nBüro\n'],
    ['<p>Na&#8203;ch&ZeroWidthSpace;rich&shy;ten</p>', '\nNa\u200bch\u200brich\u00adten\n'],
    ['<details><summary>A</summary>b</details><button>c</button>d', '\n\nA\nb\n c d'],
    ['<b>a</b> <input value="typed > value" placeholder="b">done', 'a  done'],
  ];
  for (const [html, text] of cases) assert.equal(htmlText(html), text, html);
});

test('a text is HTML if it has a known tag, a comment or a character reference', () => {
  const html = `<p>a|a</b>|a<br/>|<BR>|<a href="x > y">|<o:p>|<!-- -->|<!DOCTYPE html>
AT&amp;T|&#20013;|&#x4E2D;|&hellip;|&frac12;`;
  for (const text of html.split(/[|\n]/)) assert.equal(isHtml(text), true, text);
  const others = `|a|1 < 2|a<5>|Q&A|a & b;|&#;|<>|中 <文>|AT&T;|?a=1&copy=2
x <y> z|<unclosed|<b|List<String>|<you@example.com>|<https://a.example/b>`;
  for (const text of others.split(/[|\n]/)) {
    assert.equal(isHtml(text), false, text);
    assert.equal(htmlText(text), text);
  }
});

test('paragraphs are the lines of HTML, or the parts of plain text between blank lines', () => {
  const cases: [content: string, paragraphs: string[]][] = [
    ['', []],
    ['a\nb\n \n\nc', ['a\nb', 'c']],
    ['one\r\n\r\ntwo\rthree', ['one', 'two\nthree']],
    ['a < b\n\nc & d', ['a < b', 'c & d']],
    ['caf&eacute;\n&lt;p&gt;\n\n&#20013;', ['café\n<p>', '中']],
    ['<p>one</p>\n<p>two <b>bo</b>ld</p><p>&nbsp;</p>', ['one', 'two bold']],
    ['a<br>b<hr/>c', ['a', 'b', 'c']],
    ['<tr><td>a</td><td>b</td></tr><tr><td>c</td></tr>', ['a b', 'c']],
  ];
  for (const [content, paragraphs] of cases) assert.deepEqual(paragraphsOf(content), paragraphs, content);
});

test('unclosed markup takes linear time', { skip: skipInQuickRun }, () => {
  const pieces =
    `<|</|<a |<a "|<a '|<a "'|<!--|<!-- -|&|&#|&a;|&ampx;|<p|<a=""|<x>|<i>|</i>|<i></b>|<svg>|<ruby><rt>|<![CDATA[|<![CDATA[]]
<?|-->|<textarea><|<script>|<style |<script></script |<title></title|<object><iframe>|<video></object>|\\n |\\n| |\\t\\n|\\r\\n x`
      .split(/[|\n]/)
      .map(piece => piece.replace(/\\[nrt]/g, sign => JSON.parse(`"${sign}"`)));
  // In quadratic time, each of these would take minutes.
  for (const piece of pieces) {
    const content = piece.repeat(1_000_000 / piece.length);
    for (const html of [content, `<p>${content}`, `${'<i>'.repeat(100_000)}${content}`]) {
      isHtml(html);
      paragraphsOf(html);
    }
  }
});
