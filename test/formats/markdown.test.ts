import assert from 'node:assert/strict';
import { test } from 'node:test';
import { render } from '../../src/formats/markdown/render.ts';
import { formatReport } from '../../src/live/report.ts';
import { assertSame } from '../support/catalog/forms.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { type Files, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';

/** Without news but for those of the test. */
const noNews: Files = { 'news.json': null };

const HTML = '<p>Come <strong>in</strong>:</p>\n<ul>\n<li>to see</li>\n<li>to buy</li>\n</ul>';
const TEXT = 'Come **in**:\n\n- to see\n- to buy\n';
const row = {
  id: 7,
  type_id: 1,
  title: 'We are open: really',
  content: HTML,
  keywords: 'launch,opening',
  read: 100,
  create_time: '2024-01-05 10:00:00',
  hidden: false,
};
const ROW_LINES = `type_id: 1
keywords: launch,opening
read: 100
create_time: 2024-01-05 10:00:00
`;
const TITLE = 'title: "We are open: really"\n';
const HEADING = '# We are *open*: really\n';

test('a news item in Markdown has the version of the same one with HTML in JSON', async t => {
  const item = (name: string, text: string | Buffer): Files => ({ ...noNews, [`news/${name}`]: text });
  const whole = `---\n${ROW_LINES}${TITLE}---\n${TEXT}`;
  await assertSame(t, { 'news.json': [row] }, [
    ['id from the name, title from the front matter', item('7-open.md', whole)],
    ['a number as the whole name', item('007.md', whole)],
    ['id in both', item('7-open.md', whole.replace('---', '---\nid: 7'))],
    ['id from the front matter', item('open.md', whole.replace('---', '---\nid: 7'))],
    ['a date as the name', item('2024-01-05-open.md', whole.replace('---', '---\nid: 7'))],
    ['title from the heading', item('7-open.md', `---\n${ROW_LINES}---\n\n${HEADING}\n${TEXT}`)],
    ['a heading below the text', item('7-open.md', `---\n${ROW_LINES}---\n${TEXT}\n${HEADING}`)],
    [
      'an underlined heading',
      item('7-open.md', `---\n${ROW_LINES}---\nWe are \`open\`:\nreally\n===\n\n${TEXT}`),
    ],
    ['the end of YAML', item('7-open.md', `---\n${ROW_LINES}${TITLE}...\n${TEXT}`)],
    ['CRLF and blanks', item('7-open.md', whole.replaceAll('---\n', '--- \n').replaceAll('\n', '\r\n'))],
    ['UTF-8 with a byte order mark', item('7-open.md', `\uFEFF${whole}`)],
    ['UTF-16', item('7-open.md', Buffer.from(`\uFEFF${whole}`, 'utf16le'))],
    [
      'a comment',
      item('7-open.md', `---\n# of the editor\n${ROW_LINES}${TITLE}---\n${TEXT}\n<!-- mine -->\n`),
    ],
    [
      'other spellings',
      item('7-open.md', whole.replace('type_id', 'Type ID').replace('create_time', 'createTime')),
    ],
    [
      'a value of several lines',
      item('7-open.md', whole.replace(TITLE, 'title: >-\n  We are\n  open: really\n')),
    ],
    [
      'names without values',
      item('7-open.md', whole.replace('---', '---\nimg:\nhidden: ~\nupdate_time: null')),
    ],
    ['words for no', item('7-open.md', whole.replace('---', '---\nhidden: no'))],
    [
      'drafts and other files',
      {
        ...item('7-open.md', whole),
        'news/_8-draft.md': 'x',
        'news/.9-hidden.md': 'x',
        'news/~10.md': 'x',
        'news/11.md~': 'x',
        'news/12.md.swp': 'x',
        'news/deeper/13.md': 'x',
      },
    ],
  ]);
});

test('lists of keywords have commas between them', async t => {
  const lines = 'create_time: 2024-01-05\ntitle: A\nkeywords:\n  - 1.50\n  - "two"\n  - 2024-01-05\n';
  const catalogDir = await writeFiles(t, { 'news/7.md': `---\n${lines}---\nText` });
  const { rows } = await readSource(sourceIn(catalogDir));
  assert.equal(rows?.news?.[0]?.keywords, '1.50, two, 2024-01-05');
});

test('the rows of a table can be plain text or Markdown too, and all have one version', async t => {
  const html = '<p>a &amp; b<br />\nc</p>\n<p>&lt;d&gt;</p>';
  const forms = [
    ['html', html],
    ['', html],
    ['text', '\na & b\nc\n\n  \n<d>\n'],
    ['Text', 'a & b\r\nc\r\n\r\n<d>'],
    ['markdown', 'a & b\\\nc\n\n\\<d>'],
  ].map(([format, content]): [string, Files] => [
    `as ${format}`,
    { 'news.csv': `id,title,create_time,content_format,content\n7,A,2024-01-05,${format},"${content}"\n` },
  ]);
  await assertSame(
    t,
    { 'news.json': [{ id: 7, title: 'A', create_time: '2024-01-05', content: html }] },
    forms,
  );
});

test('Markdown files stand beside a table of news, and the report counts them together', async t => {
  const files = Object.fromEntries(
    [8, 9, 10].map(id => [`news/${id}.md`, `---\n${ROW_LINES}---\n${HEADING}\n${TEXT}`]),
  );
  const catalogDir = await writeFiles(t, shopWith(files));
  const { report, rows } = await readSource(sourceIn(catalogDir));
  assert.deepEqual(
    rows?.news?.map(({ id }) => id).sort((a, b) => a - b),
    [1, 2, 3, 4, 6, 8, 9, 10],
  );
  const lines = formatReport(report).split('\n');
  assert.deepEqual(lines.slice(5, 7), [
    'news.json           6 rows  utf-8',
    'news/*.md           3 rows  Markdown',
  ]);
});

test('HTML in Markdown is served if the administrator says so', async t => {
  const text = `---\n${ROW_LINES}${TITLE}---\nA <b onclick="x()">bold</b> one\n\n<script>x()</script>\n`;
  const catalogDir = await writeFiles(t, shopWith({ ...noNews, 'news/7.md': text }));
  const { report, rows } = await readSource(sourceIn(catalogDir, { markdownHtml: true }));
  assert.deepEqual(report.problems, []);
  assert.equal(rows?.news?.[0]?.content, '<p>A <b onclick="x()">bold</b> one</p>\n<script>x()</script>');
  const without = await readSource(sourceIn(catalogDir));
  assert.equal(without.rows?.news?.[0]?.content, '<p>A bold one</p>');
  assert.equal(without.report.warnings, 2);
});

test('an image in Markdown comes from the images directory, and is awaited there', async t => {
  const text = `---\n${ROW_LINES}${TITLE}---\n![Here](there/launch.png) ![](https://a.example/b.png) ![Gone](gone.png)\n`;
  const catalogDir = await writeFiles(t, shopWith({ ...noNews, 'news/7.md': text, 'launch.png': 'x' }));
  const { report, rows } = await readSource(sourceIn(catalogDir));
  assert.equal(
    rows?.news?.[0]?.content,
    '<p><img src="/images/launch.png" alt="Here" /> <img src="https://a.example/b.png" alt="" /> <img src="/images/gone.png" alt="Gone" /></p>',
  );
  assert.deepEqual(report.awaitedImages, ['gone.png']);
});

test('equal problems of many files are one line, in the order of their numbers', async t => {
  const files = [2, 10, 1].map(id => [`news/${id}.md`, `---\n${ROW_LINES}${TITLE}extra: 1\n---\n<br>\n`]);
  const broken = { 'news/11.md': '---\n', 'news/9.md': '---\n' };
  const catalogDir = await writeFiles(t, shopWith({ ...noNews, ...Object.fromEntries(files), ...broken }));
  const { report } = await readSource(sourceIn(catalogDir));
  assert.deepEqual(
    report.problems.map(({ file, code, count, last }) => [file, code, count, last?.file]),
    [
      ['news/9.md', 'BAD_FRONT_MATTER', undefined, undefined],
      ['news/11.md', 'BAD_FRONT_MATTER', undefined, undefined],
      ['news/1.md', 'UNKNOWN_COLUMN', 3, 'news/2.md'],
      ['news/1.md', 'OMITTED_HTML', 3, 'news/2.md'],
    ],
  );
});

test('a comment takes only itself along', () => {
  for (const [text, html, omitted = []] of [
    ['<!-- a --> b', '<p>b</p>'],
    ['a\n\n<!-- b --> c *d* <!-- e -->\n\nf', '<p>a</p>\n<p>c <em>d</em></p>\n<p>f</p>'],
    ['<!-- a\nb\n--> c\nd', '<p>c</p>\n<p>d</p>'],
    ['<!-- a -->\n<!-- b -->', ''],
    ['<!-- a --><!-- b --> c', '<p>c</p>'],
    ['a <!-- b --> c', '<p>a  c</p>'],
    ['<!-- a -->     b', '<p>b</p>'],
    ['<!-- a --> [b][1]\n\n[1]: /c', '<p><a href="/c">b</a></p>'],
    ['<!-- a --> <b>c</b>', '<p>c</p>', ['0 <b>']],
    ['x\n\n<!-- a\n--> <b>c</b>', '<p>x</p>\n<p>c</p>', ['3 <b>']],
    ['<!-- a --> b <!-- c\n\nd', '<p>d</p>', ['0 <!-- a --> b <!-- c\n']],
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
