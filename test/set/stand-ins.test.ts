import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { News } from '../../src/contract/columns.ts';
import { words } from '../../src/formats/markdown/fields.ts';
import { readFiles } from '../support/catalog/read-source.ts';
import { type Files, shopWith } from '../support/catalogs.ts';
import { readPage } from '../support/manual.ts';

/** The news item of the shop with these files, which must have no error; only `hidden` of one that is not served. */
async function newsIn(files: Files): Promise<Partial<News>> {
  const { rows, report } = await readFiles(shopWith({ 'news.json': null, ...files }));
  const [item = { hidden: true }] = rows?.news ?? assert.fail(JSON.stringify(report.problems));
  return item;
}

const time = (text: string) => Date.parse(`${text}Z`) / 1000;
const CREATED = time('2024-01-05T00:00');
const LATER = time('2035-01-01T00:00');

const frontMatter: [lines: string, expected: { [Column in keyof News]?: News[Column] | undefined }][] = [
  ['date: 2024-01-05', { create_time: CREATED, publish_time: CREATED }],
  ['date: 2035-01-01', { create_time: LATER, publish_time: LATER }],
  ['date: 2024-01-05 02:00:00 +0200', { create_time: CREATED, publish_time: CREATED }],
  ['pubDate: 2035-01-01\ndate: 2024-01-05', { create_time: CREATED, publish_time: CREATED }],
  ['date: 2024-01-05\npublish_time: 2035-01-01', { create_time: CREATED, publish_time: LATER }],
  ['date: 2024-01-05\npublishDate: 2035-01-01', { create_time: CREATED, publish_time: LATER }],
  ['date: 2024-01-05\npublished: 2035-01-01', { create_time: CREATED, publish_time: LATER }],
  ['date: 2035-01-01\ncreate_time: 2024-01-05', { create_time: CREATED, publish_time: LATER }],
  ['create_time: 2024-01-05\nlastmod: 2035-01-01', { update_time: LATER, publish_time: 0 }],
  ['create_time: 2024-01-05\nupdatedDate: 2035-01-01', { update_time: LATER }],
  ['create_time: 2024-01-05\nupdated: 2035-01-01', { update_time: LATER }],
  ['date: 2024-01-05\nexpiryDate: 2035-01-01', { unpublish_time: LATER }],
  [
    'date: 2024-01-05\nexpiry-date: 2035-01-01\nunpublish_time: 2034-01-01',
    { unpublish_time: time('2034-01-01T00:00') },
  ],
  ['date: 2024-01-05\ntags: [a, b]', { keywords: 'a, b' }],
  ['date: 2024-01-05\ntags: [a, b]\nkeywords: c', { keywords: 'c' }],
  ['date: 2024-01-05\nkeywords:\n  - 1.50\n  - "two"\n  - 2024-01-05', { keywords: '1.50, two, 2024-01-05' }],
  ['date: 2024-01-05\ncover: ../assets/launch.png', { img: 'launch.png' }],
  ['date: 2024-01-05\nheroImage: /images/launch.png', { img: 'launch.png' }],
  ['date: 2024-01-05\nimage: a.png\nimg: launch.png', { img: 'launch.png' }],
  ['date: 2024-01-05\ncategory: Notices', { type_id: 1 }],
  ['date: 2024-01-05\ncategory: Notices\ntype_id: 2', { type_id: 2 }],
  ['date: 2024-01-05\ncategory: Unheard of', { type_id: undefined }],
  ['date: 2024-01-05\ndraft: true', { hidden: true }],
  ['date: 2024-01-05\npublished: false', { hidden: true }],
  ['date: 2024-01-05\npublished: true', { hidden: false, publish_time: CREATED }],
  ['date: 2024-01-05\ndraft: false\npublished: no', { hidden: true }],
  ['date: 2024-01-05\ndraft: true\nhidden: false', { hidden: false }],
  ['date: 2024-01-05\ndraft:\npublished: ~', { hidden: false }],
  ['date: 2024-01-05 # a comment\ntitle: "Tag #1"', { title: 'Tag #1' }],
  ['date: 2024-01-05\ntitle: C# 12', { title: 'C# 12' }],
];

test('front matter understands the words of other programs', async () => {
  const types: Files = { 'news_types.json': null, 'news_types.csv': 'id,name\n1,Notices\n2,Offers\n' };
  for (const [lines, expected] of frontMatter) {
    const item = await newsIn({ ...types, 'news/7-item.md': `---\n${lines}\n---\n# Title\n\nText\n` });
    const columns = Object.keys(expected) as (keyof News)[];
    assert.deepEqual(Object.fromEntries(columns.map(name => [name, item[name]])), expected, lines);
  }
});

test('the guide has these words', () => {
  const guide = readPage('data/README.md');
  for (const word of Object.keys(words)) assert.ok(guide.includes(`\`${word}\``), word);
});

test('draft and published mean the same in every form', async () => {
  for (const [headings, cells, expected] of [
    ['draft', 'yes', { hidden: true }],
    ['Draft', 'no', { hidden: false }],
    ['published', 'no', { hidden: true }],
    ['published', '2035-01-01', { publish_time: LATER }],
    ['published,publish_time', '2035-01-01,2034-01-01', { publish_time: time('2034-01-01T00:00') }],
    ['draft,hidden', 'yes,no', { hidden: false }],
    ['draft,hidden', 'yes,', { hidden: true }],
    ['draft,published', ',', { hidden: false }],
  ] as const) {
    const text = `id,title,content,create_time,${headings}\n1,A,B,2024-01-05,${cells}\n`;
    const { hidden, publish_time } = await newsIn({ 'news.csv': text });
    assert.deepEqual(
      { hidden, publish_time, ...expected },
      { hidden, publish_time },
      `${headings}: ${cells}`,
    );
  }
  for (const [written, expected] of [
    ['"draft": true', true],
    ['"draft": 0', false],
    ['"published": false', true],
    ['"published": null', false],
    ['"draft": true, "hidden": false', false],
  ] as const) {
    const text = `[{"id": 1, "title": "A", "content": "B", "create_time": "2024-01-05", ${written}}]`;
    const { hidden } = await newsIn({ 'news.json': text });
    assert.equal(hidden, expected, written);
  }
});
