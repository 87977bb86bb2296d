import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { imageFile, isUnsafe, render } from '../../src/formats/markdown/render.ts';

/** The examples of the specification, in which an arrow is a tab. */
const { tests } = createRequire(import.meta.url)('commonmark-spec') as {
  tests: { number: number; section: string; markdown: string; html: string }[];
};

/** The HTML of an example with the images where the service has them. */
const withImages = (html: string) => html.replace(/(<img src=")(?!\/)(?=[^>]* \/>)/g, '$1/images/');

test('the examples of CommonMark become the HTML of its specification, but for the places of images', () => {
  assert.equal(tests.length, 652);
  for (const { number, section, markdown, html } of tests) {
    const rendered = render(markdown.replaceAll('→', '\t'), true);
    const expected = withImages(html.replaceAll('→', '\t').trimEnd());
    assert.equal(rendered.html, expected, `example ${number}, ${section}`);
  }
});

/** Where hostile words may stand, in place of the @; a place a line. */
const PLACES = String.raw`@
*@*
\@
> <script>\n> @\n> </script>
~~~html\n@\n~~~
~~~@\nx\n~~~
[a](@)
[a](<@>)
[a](x "@")
[a](x '@')
[@](x)
![a](@)
![a](<@>)
![@](x)
<@>
[a][r]\n\n[r]: @ "t"
[![a](x.png)](@)
|a|b|\n|-|:-:@|\n|1|2|
|@|\n|-|\n|@|
<base href="@">\n\n[a](x)`;

/** What tries to run `pwn()` there, or would as an address. */
const HOSTILE = String.raw`<script>pwn()</script>|<scr<script>ipt>pwn()</scr</script>ipt>|<img/src=x/onerror=pwn()>
<math><mtext><table><mglyph><style><img src=x onerror=pwn()>|<!-- --><script>pwn()</script> -->
<!--><img src=x onerror=pwn()>-->|<!DOCTYPE <img src=x onerror=pwn()>>|&lt;script&gt;pwn()&lt;/script&gt;
"><script>pwn()</script>|x" onmouseover="pwn()|" onerror="pwn()|\" onmouseover=pwn() b=\"|x&quot;onmouseover=&quot;pwn()
JaVaScRiPt:pwn()| javascript:pwn() |java\tscript:pwn()|java&#115;cript:pwn()|&#x6A;avascript:pwn()|java&Tab;script:pwn()
javascript&colon;pwn()|&#1;javascript:pwn()|javascript\:pwn()|javascript://example.com/%0Apwn()|vbscript:pwn()
data:text/html;base64,PHNjcmlwdD5wYXJlbnQucHduKCk8L3NjcmlwdD4=|file:///etc/passwd|data:image/svg+xml,<svg onload=pwn()>`;

/** A tag as Markdown makes it. No value of an attribute does anything, but that of an address. */
const TAG =
  /<\/?(?:p|a|img|em|strong|del|code|pre|blockquote|ul|ol|li|h[1-6]|hr|br|table|thead|tbody|tr|th|td|input)(?: (?:href|src|alt|title|class|style|start|type|checked|disabled)="[^"<>]*")*(?: \/)?>/g;

test('without raw HTML, there is no tag, attribute or address that runs anything', () => {
  const hostile = PLACES.split('\n').flatMap(place =>
    HOSTILE.split(/[|\n]/).map(words =>
      place.replaceAll('\\n', '\n').replaceAll('@', () => words.replaceAll('\\t', '\t')),
    ),
  );
  for (const text of [...hostile, ...tests.map(({ markdown }) => markdown.replaceAll('→', '\t'))]) {
    const { html } = render(text, false);
    assert.doesNotMatch(html.replace(TAG, ''), /[<>]|&(?!(?:amp|lt|gt|quot);)/, text);
    for (const [, address = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const { protocol } = new URL(
        address.replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
        'http://a.example',
      );
      assert.ok(!['javascript:', 'vbscript:', 'data:', 'file:'].includes(protocol), text);
    }
  }
});

test('tables, strikethrough and task lists are those of GitHub, and addresses stay text', () => {
  const box = (state: string) => `<input ${state}disabled="" type="checkbox" />`;
  for (const [text, html] of [
    [
      '| a | b |\n:-: | ---:\nc | d `\\|`\ne\n> f',
      '<table>\n<thead>\n<tr>\n<th style="text-align:center">a</th>\n<th style="text-align:right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align:center">c</td>\n<td style="text-align:right">d <code>|</code></td>\n</tr>\n<tr>\n<td style="text-align:center">e</td>\n<td style="text-align:right"></td>\n</tr>\n</tbody>\n</table>\n<blockquote>\n<p>f</p>\n</blockquote>',
    ],
    ['Two ~~Hi~~, one ~there~, ~~~three~~~.', '<p>Two <del>Hi</del>, one ~there~, ~~~three~~~.</p>'],
    ['- [ ] foo\n- [x] bar', `<ul>\n<li>${box('')} foo</li>\n<li>${box('checked="" ')} bar</li>\n</ul>`],
    ['- [x](y) foo', '<ul>\n<li><a href="y">x</a> foo</li>\n</ul>'],
    ['www.example.com https://example.com', '<p>www.example.com https://example.com</p>'],
  ] as const)
    assert.equal(render(text, false).html, html, text);
});

test('signs of other programs are found at their lines, but not in code, and no honest ones', () => {
  for (const sign of [
    ...['{% post_url 2026 %}', '{{ site.url }}', '{{< youtube 1 >}}', '::: tip', '[[Prices]]', '[[a|b]]'],
    ...['[a](b c.pdf)', '![a](b (1) c.png)', '{% {% a %}', '[^[^1]'],
    ...['![[plan.png]]', '%% to do %%', '[^1]', '> [!NOTE]', ':rocket:', '[a](2-b.md)', '[a](../2-b.md#c)'],
  ]) {
    const { foreign } = render(`one\n\n${sign}\ntwo\n`, false);
    assert.deepEqual(
      foreign.map(({ line }) => line),
      [2],
      sign,
    );
    assert.deepEqual(render(`\`${sign}\`\n\n~~~\n${sign}\n~~~\n`, false).foreign, [], sign);
  }
  assert.equal(render('[^1]\n\n[^1]: Foot\n', false).foreign.length, 1);
  const honest =
    'std::vector|a :: b|[[a]](b)|[[a]]\n\n[a]: b|URL:https://a.b|12:30:45|5 %% 6|{a}|[a](https://b.c/d.md)|a:x:b|[a](b c)|[a](<b c.d>)';
  for (const text of [...honest.split('|'), '[1]', '> [!a]'])
    assert.deepEqual(render(text, false).foreign, [], text);
});

test('what is left out is told with its line, and the text of a link stays', () => {
  const text = 'one\n<b>two</b>\n\n> three [four](javascript:x)\n> ![five](data:y)\n\n<!-- six -->\n\n<hr>\n';
  assert.deepEqual(render(text, false), {
    html: '<p>one\ntwo</p>\n<blockquote>\n<p>three four\nfive</p>\n</blockquote>',
    omittedHtml: [
      { line: 1, what: '<b>', withText: false },
      { line: 8, what: '<hr>\n', withText: false },
    ],
    isEmpty: false,
    omittedLinks: [
      { line: 3, what: 'javascript:x' },
      { line: 4, what: 'data:y' },
    ],
    images: [],
    foreign: [],
  });
  const { omittedHtml, omittedLinks } = render(text, true);
  assert.deepEqual([omittedHtml.length, omittedLinks.length], [0, 2]);
});

test('of HTML, its text stays, and the elements by which that means what it says', () => {
  for (const [text, html] of [
    ['4.90<br>9.90</br>19.90', '<p>4.90<br />9.90<br />19.90</p>'],
    ['5<sup id="x">2</sup> H<SUB>2</SUB>O', '<p>5<sup>2</sup> H<sub>2</sub>O</p>'],
    ['<s onclick="x()">1</s> <del>2 *3</del> 4*', '<p><s>1</s> <del>2 <em>3</em></del> 4</p>'],
    [
      '<ins>1\n\n<kbd>2\n\n- <mark>3',
      '<p><ins>1</ins></p>\n<p><kbd>2</kbd></p>\n<ul>\n<li><mark>3</mark></li>\n</ul>',
    ],
    ['a<div>b</div>c <b>d</b>e<wbr>f', '<p>a b c def</p>'],
    ['<div class="x">\n<p>1</p><p>2<br>*3* &amp; &lt;b></p>\n</div>', '<p>1 2<br />*3* &amp; &lt;b&gt;</p>'],
    ['<ul><li>1<li><s>2</ul>3', '<p>1 <s>2</s> 3</p>'],
    ['a <script>1 *2*</script> b <SPAN HIDDEN>*3* <b>4</b></SPAN> c', '<p>a  b  c</p>'],
    ['a <i style="color: red; DISPLAY:&#9;none">1</i>b <dialog>2</dialog>c', '<p>a b   c</p>'],
    ['<div hidden>\n\n# 1\n\n- 2\n\n</div>\n\na', '<p>a</p>'],
    ['<table><tr hidden><td>1<tr><td>2<td>3</table>', '<p>2 3</p>'],
    ['<p hidden>1\n\na', '<p>a</p>'],
    ['<template>\n\n<li>1\n\n</template>\n\na', '<p>a</p>'],
    ['<div>a <!-- 1\n\n2\n\n<p>--> b', '<p>a</p>\n<p>b</p>'],
    ['a <svg/>b <svg><title>1</title></svg>c', '<p>a   b   c</p>'],
    ['<br>\n\n<img src="x.png">\n\n![a](x.png)', '<p><img src="/images/x.png" alt="a" /></p>'],
    [`<del>${'<b>'.repeat(400)}a</b></del>b`, '<p><del>ab</del></p>'],
  ] as const)
    assert.equal(render(text, false).html, html, text);
  for (const [text, isEmpty] of [
    ['> <object>a</object>\n\n***', true],
    ['<div hidden>a</div>\n\n![](x.png)', false],
    ['<b>a</b>', false],
    ['<!-- a -->', true],
    ['<br>', true],
    ['***', false],
  ] as const)
    assert.equal(render(text, false).isEmpty, isEmpty, text);
});

test('an address is safe that a browser neither runs nor shows', () => {
  const safe = ['https://a.example/', '//a.example/', 'mailto:a@a.example', 'tel:+49', 'news/1', '#top', ''];
  for (const address of [...safe, 'javascript', './javascript:x', 'http://[', 'irc://a'])
    assert.equal(isUnsafe(address), false, address);
});

test('a relative image is that of the images directory, whatever folder it was in', () => {
  for (const [file, addresses] of [
    ['a.png', ['a.png', './a.png', '../images/a.png', '/images/a.png']],
    ['a b.png', ['deep/er/a%20b.png?size=2#x']],
    ['%E9.png', ['%E9.png']],
    ['香港.png', ['香港.png']],
    [undefined, ['/other/a.png', '/images/deeper/a.png', 'https://a.example/a.png', '//a.example/a.png']],
    [undefined, ['folder/', '#a']],
  ] as const)
    for (const address of addresses) assert.equal(imageFile(address), file, address);
});

test('a comment takes only itself along', () => {
  for (const [text, html, omitted = []] of [
    ['<!-- a --> b', '<p>b</p>'],
    ['a\n\n<!-- b --> c *d* <!-- e -->\n\nf', '<p>a</p>\n<p>c <em>d</em></p>\n<p>f</p>'],
    ['<!-- a\nb\n--> c\nd', '<p>c</p>\n<p>d</p>'],
    ['<!-- a -->\n<!-- b -->', ''],
    ['a <!-- b --> c', '<p>a  c</p>'],
    ['<!-- a -->     b', '<p>b</p>'],
    ['<!-- a --> [b][1]\n\n[1]: /c', '<p><a href="/c">b</a></p>'],
    ['x\n\n<!-- a\n--> <b>c</b>', '<p>x</p>\n<p>c</p>', ['3 <b>c</b>']],
    ['<!-- a --> b <!-- c\n\nd', '<p>b</p>', ['0 <!-- c\n']],
    ['```\n<!-- a --> b\n```', '<pre><code>&lt;!-- a --&gt; b\n</code></pre>'],
  ] as const) {
    const rendered = render(text, false);
    assert.equal(rendered.html, html, text);
    assert.deepEqual(
      rendered.omittedHtml.map(({ line, what }) => `${line} ${what}`),
      omitted,
      text,
    );
  }
  assert.equal(render('<!-- a --> b', true).html, '<!-- a --> b');
});
