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

test('without raw HTML, no tag comes from it', () => {
  const sections = ['HTML blocks', 'Raw HTML'];
  const examples = tests.filter(({ section }) => sections.includes(section));
  assert.ok(examples.length > 60);
  const tags = new Set<string>();
  for (const { markdown } of examples) {
    const { html } = render(markdown.replaceAll('→', '\t'), false);
    for (const [, tag = ''] of html.matchAll(/<\/?([^\s>]+)/g)) tags.add(tag);
  }
  assert.deepEqual([...tags].sort(), ['blockquote', 'code', 'em', 'li', 'p', 'pre', 'ul']);
});

test('tables are those of GitHub', () => {
  const { html } = render('| a | b |\n|:-:|---|\n| *1* | `2` |', false);
  const cells = [
    '<th style="text-align:center">a</th>\n<th>b</th>',
    '<td style="text-align:center"><em>1</em></td>\n<td><code>2</code></td>',
  ];
  const [head, body] = cells.map(row => `<tr>\n${row}\n</tr>`);
  assert.equal(html, `<table>\n<thead>\n${head}\n</thead>\n<tbody>\n${body}\n</tbody>\n</table>`);
});

test('what is left out is told with its line, and the text of a link stays', () => {
  const text = 'one\n<b>two</b>\n\n> three [four](javascript:x)\n> ![five](data:y)\n\n<!-- six -->\n\n<hr>\n';
  assert.deepEqual(render(text, false), {
    html: '<p>one\ntwo</p>\n<blockquote>\n<p>three four\nfive</p>\n</blockquote>',
    omittedHtml: [
      { line: 1, what: '<b>' },
      { line: 8, what: '<hr>\n' },
    ],
    omittedLinks: [
      { line: 3, what: 'javascript:x' },
      { line: 4, what: 'data:y' },
    ],
    images: [],
  });
});

test('an address is unsafe if a browser would run it or show what it brings along', () => {
  const unsafe = [
    'javascript:x',
    'JAVASCRIPT:x',
    'java\tscript:x',
    ' \u0001javascript:x',
    'vbscript:x',
    'data:,x',
  ];
  for (const address of [...unsafe, 'file:///etc/passwd']) assert.equal(isUnsafe(address), true, address);
  const safe = ['https://a.example/', '//a.example/', 'mailto:a@a.example', 'tel:+49', 'news/1', '#top', ''];
  for (const address of [...safe, 'javascript', './javascript:x', 'http://[', 'irc://a']) {
    assert.equal(isUnsafe(address), false, address);
  }
});

test('a relative image is that of the images directory, whatever folder it was in', () => {
  const cases: [address: string, file: string | undefined][] = [
    ['a.png', 'a.png'],
    ['./a.png', 'a.png'],
    ['../images/a.png', 'a.png'],
    ['deep/er/a%20b.png?size=2#x', 'a b.png'],
    ['/images/a.png', 'a.png'],
    ['%E9.png', '%E9.png'],
    ['香港.png', '香港.png'],
    ['/other/a.png', undefined],
    ['/images/deeper/a.png', undefined],
    ['https://a.example/a.png', undefined],
    ['//a.example/a.png', undefined],
    ['folder/', undefined],
    ['#a', undefined],
  ];
  for (const [address, file] of cases) assert.equal(imageFile(address), file, address);
});
