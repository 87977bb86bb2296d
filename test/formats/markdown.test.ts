import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReport } from '../../src/live/report.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { type Files, shopWith } from '../support/catalogs.ts';
import { assertSame, readFiles } from '../support/read-source.ts';

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
  const item = (text: string | Buffer, name = '7-open.md'): Files => ({ ...noNews, [`news/${name}`]: text });
  const whole = `---\n${ROW_LINES}${TITLE}---\n${TEXT}`;
  const withLine = (line: string) => whole.replace('---', `---\n${line}`);
  const others = ['_8-draft.md', '.9-hidden.md', '~10.md', '11.md~', '12.md.swp', 'deeper/13.md'];
  const forms: Record<string, Files> = {
    'id from the name, title from the front matter': item(whole),
    'a number as the whole name': item(whole, '007.md'),
    'id in both': item(withLine('id: 7')),
    'id from the front matter': item(withLine('id: 7'), 'open.md'),
    'a date as the name': item(withLine('id: 7'), '2024-01-05-open.md'),
    'title from the heading': item(`---\n${ROW_LINES}---\n\n${HEADING}\n${TEXT}`),
    'a heading below the text': item(`---\n${ROW_LINES}---\n${TEXT}\n${HEADING}`),
    'an underlined heading': item(`---\n${ROW_LINES}---\nWe are \`open\`:\nreally\n===\n\n${TEXT}`),
    'the end of YAML': item(`---\n${ROW_LINES}${TITLE}...\n${TEXT}`),
    'CRLF and blanks': item(whole.replaceAll('---\n', '--- \n').replaceAll('\n', '\r\n')),
    'UTF-8 with a byte order mark': item(`\uFEFF${whole}`),
    'UTF-16': item(Buffer.from(`\uFEFF${whole}`, 'utf16le')),
    'other spellings': item(whole.replace('type_id', 'Type ID').replace('create_time', 'createTime')),
    'a value of several lines': item(whole.replace(TITLE, 'title: >-\n  We are\n  open: really\n')),
    'drafts and other files': {
      ...item(whole),
      ...Object.fromEntries(others.map(name => [`news/${name}`, 'x'])),
    },
  };
  await assertSame(t, { 'news.json': [row] }, Object.entries(forms));
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

test('Markdown files stand beside a table of news, and the report counts them together', async () => {
  const files = Object.fromEntries(
    [8, 9, 10].map(id => [`news/${id}.md`, `---\n${ROW_LINES}---\n${HEADING}\n${TEXT}`]),
  );
  const { report, rows } = await readFiles(shopWith(files));
  const ids = rows?.news?.map(({ id }) => id).sort((a, b) => a - b);
  assert.deepEqual(ids, [1, 2, 3, 4, 6, 8, 9, 10]);
  const lines = formatReport(report).split('\n');
  assert.deepEqual(lines.slice(5, 7), [
    'news.json           6 rows  utf-8',
    'news/*.md           3 rows  Markdown',
  ]);
});

/** What is read of the shop with one news item in Markdown that has this text. */
async function readItem(text: string, options: Partial<Settings> = {}, lines = ROW_LINES) {
  const item = `---\n${lines}${TITLE}---\n${text}\n`;
  const files = shopWith({ ...noNews, 'news/7.md': item, 'launch.png': 'x' });
  const { report, rows } = await readFiles(files, options);
  return { report, content: rows?.news?.[0]?.content };
}

test('HTML in Markdown is served if the administrator says so', async () => {
  const text = 'A <b onclick="x()">bold</b> one\n\n<script>x()</script>';
  const { report, content } = await readItem(text, { markdownHtml: true });
  assert.deepEqual(report.problems, []);
  assert.equal(content, '<p>A <b onclick="x()">bold</b> one</p>\n<script>x()</script>');
  const without = await readItem(text);
  assert.deepEqual([without.content, without.report.warnings], ['<p>A bold one</p>', 2]);
});

test('an item is refused that shows visitors nothing', async () => {
  const { report } = await readItem('<div hidden>\n\nText\n\n</div>');
  assert.deepEqual(
    report.problems.map(({ code, message }) => `${code} ${message}`),
    [
      'MISSING_VALUE content has neither text nor an image for visitors: write it as Markdown, without HTML',
      'OMITTED_HTML content <div hidden> is HTML, which is left out with its text: write it as Markdown, or delete it',
    ],
  );
  const tagged = await readItem('Text', {}, ROW_LINES.replace('launch,opening', '# none so far'));
  assert.deepEqual(tagged.report.problems, []);
});

test('an image in Markdown comes from the images directory, and is awaited there', async () => {
  const text = '![Here](there/launch.png) ![](https://a.example/b.png) ![Gone](gone.png)';
  const { report, content } = await readItem(text);
  assert.equal(
    content,
    '<p><img src="/images/launch.png" alt="Here" /> <img src="https://a.example/b.png" alt="" /> <img src="/images/gone.png" alt="Gone" /></p>',
  );
  assert.deepEqual(report.images.missing, ['gone.png']);
});

test('equal problems of many files are one line, in the order of their numbers', async () => {
  const files = [2, 10, 1].map(id => [`news/${id}.md`, `---\n${ROW_LINES}${TITLE}extra: 1\n---\n<b>a</b>\n`]);
  const broken = { 'news/11.md': '---\n', 'news/9.md': '---\n' };
  const { report } = await readFiles(shopWith({ ...noNews, ...Object.fromEntries(files), ...broken }));
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
