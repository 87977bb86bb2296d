import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CatalogName, catalogNames, guardWords, type News } from '../../src/contract/columns.ts';
import { aliases } from '../../src/formats/markdown/fields.ts';
import { visibleRows } from '../../src/set/compare/differences.ts';
import { type Files, shopWith } from '../support/catalogs.ts';
import { readPage } from '../support/manual.ts';
import { readFiles } from '../support/read-source.ts';
import { skipInQuickRun } from '../support/skipping.ts';
import { noFiles, sheetOf, xlsx } from '../support/xlsx.ts';

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
  ['pubDate: 2035-01-01\ndate: 2024-01-05', { create_time: CREATED, publish_time: CREATED }],
  ['date: 2024-01-05\npublish_time: 2035-01-01', { create_time: CREATED, publish_time: LATER }],
  ['date: 2024-01-05\npublished: 2035-01-01', { create_time: CREATED, publish_time: LATER }],
  ['date: 2035-01-01\ncreate_time: 2024-01-05', { create_time: CREATED, publish_time: LATER }],
  ['create_time: 2024-01-05\nlastmod: 2035-01-01', { update_time: LATER, publish_time: 0 }],
  ['create_time: 2024-01-05\nupdatedDate: 2035-01-01', { update_time: LATER }],
  ['create_time: 2024-01-05\nupdated: 2035-01-01', { update_time: LATER }],
  ['date: 2024-01-05\nexpiry-date: 2035-01-01', { unpublish_time: LATER }],
  ['date: 2024-01-05\ntags: [a, b]', { keywords: 'a, b' }],
  ['date: 2024-01-05\nkeywords:\n  - 1.50\n  - "two"\n  - 2024-01-05', { keywords: '1.50, two, 2024-01-05' }],
  ['date: 2024-01-05\ncover: ../assets/launch.png', { img: 'launch.png' }],
  ['date: 2024-01-05\nheroImage: /images/launch.png', { img: 'launch.png' }],
  ['date: 2024-01-05\nimage: a.png\nimg: launch.png', { img: 'launch.png' }],
  ['date: 2024-01-05\ncategory: Notices', { type_id: 1 }],
  ['date: 2024-01-05\ncategory: Notices\ntype_id: 2', { type_id: 2 }],
  ['date: 2024-01-05\npublished: true', { hidden: false, publish_time: CREATED }],
  ['date: 2024-01-05\ndraft: false\npublished: no', { hidden: true }],
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
  for (const word of Object.keys({ ...aliases, ...guardWords }))
    assert.ok(guide.includes(`\`${word}\``), word);
});

type Outcome = 'hidden' | 'asked' | 'public';
const READ: Record<string, Outcome> = { other: 'hidden', news_types: 'asked' };
const TIME: Record<string, Outcome> = { other: 'asked', news: 'hidden' };
const ASKED: Record<string, Outcome> = { other: 'asked' };
const PUBLIC: Record<string, Outcome> = { other: 'public' };

/** Headings, the values that each has, and what becomes of the row in each catalog. */
const guards: [headings: string, values: string, expected: Record<string, Outcome>][] = [
  ['draft|Draft|isDraft|is_draft|Is Draft?|unlisted|isHidden|hidden?', 'yes|WAHR|1', READ],
  ['published|Published|isPublished|is-published|publish|Published (yes or no)', 'no|FALSK|-1', READ],
  ['draft|isDraft|unlisted', 'no|0', PUBLIC],
  ['published|publish', 'yes|1', PUBLIC],
  ['published|publish', '2035-01-01', { other: 'public', news: 'hidden' }],
  ['publishDate|publish_date|published_at|publishedAt|Published at', '2035-01-01', TIME],
  ['unpublishDate|Unpublish Date', '2020-01-01', TIME],
  ['publishDate|published_at', '2020-01-01', PUBLIC],
  ['active|Active|is_active|isActive|enabled|visible|isVisible|online|public|isPublic', 'no|0', ASKED],
  ['private|is_private|archived|isArchived|deleted|disabled|inactive|unpublished', 'yes|x', ASKED],
  ['deleted_at|deletedAt|archived_at', '2024-01-01 10:00', ASKED],
  [
    'status|Status|post_status|visibility|Visibility in catalog|catalogVisibility',
    'draft|Private|hidden|internal|Pending review|archived|Scheduled|unpublished|Entwurf|Privé|oculto|archiviato|草稿|非公開',
    ASKED,
  ],
  ['status|visibility', 'active|Published|sold out|new|2', PUBLIC],
  ['active|enabled|public|private|archived', '2|fan|192.0.2.1', PUBLIC],
  ['active|enabled|visible|online|public', 'yes|1', PUBLIC],
  ['private|archived|deleted|deleted_at', 'no|0', PUBLIC],
  ['available|stock|in_stock|live|release|color|state', 'no|draft|0|2035-01-01', PUBLIC],
];

/** Two rows of each catalog, the second of which may be hidden without another. */
const pairs: Record<CatalogName, Record<string, string | number>[]> = {
  products: [1, 2].map(id => ({ id, name: 'A' })),
  configurations: [1, 2].map(id => ({ id, product_id: 1, name: 'A', cpu: 1, memory: 1 })),
  durations: [1, 2].map(num => ({ id: num, name: 'A', num, unit: 'month' })),
  prices: [1, 2].map(id => ({ id, product_id: 1, rel_id: 1, duration_id: id, price: 1 })),
  news_types: [1, 2].map(id => ({ id, name: 'A' })),
  news: [1, 2].map(id => ({ id, title: 'A', content: 'B', create_time: '2024-01-05' })),
};
/** Rows in which the second one of these catalogs has more cells. */
const withCells = (marked: readonly CatalogName[], cells: Record<string, string | number>) =>
  catalogNames.map(name => {
    const [first = { id: 1 }, second = { id: 2 }] = pairs[name];
    const rows: object[] = [first, marked.includes(name) ? { ...second, ...cells } : second];
    return [name, rows] as const;
  });
type Rows = ReturnType<typeof withCells>;

const item = (id: number, lines: string) =>
  `---\nid: ${id}\ncreate_time: 2024-01-05\n${lines}---\n# A\n\nB\n`;
const forms: Record<string, (rows: Rows) => Files> = {
  csv: rows =>
    Object.fromEntries(
      rows.map(([name, list]) => [
        `${name}.csv`,
        sheetOf(list)
          .map(cells => `${cells.join()}\n`)
          .join(''),
      ]),
    ),
  json: rows => Object.fromEntries(rows.map(([name, list]) => [`${name}.json`, list])),
  sheet: rows => ({
    'catalog.xlsx': xlsx(Object.fromEntries(rows.map(([name, list]) => [name, sheetOf(list)]))),
  }),
  markdown: rows => {
    const own = new Set(['id', 'title', 'content', 'create_time']);
    const cells = Object.entries(rows.at(-1)?.[1][1] ?? {}).filter(([name]) => !own.has(name));
    const lines = cells.map(([name, value]) => `"${name}": "${value}"\n`);
    const { 'news.json': _, ...others } = forms.json?.(rows) ?? {};
    return { ...others, 'news/1-a.md': item(1, ''), 'news/2-a.md': item(2, lines.join('')) };
  },
};

/** What becomes of the second rows of these catalogs. */
async function outcomes(files: Files, marked: readonly CatalogName[]): Promise<Record<string, string>> {
  const { report, content } = await readFiles({ ...noFiles, ...files });
  const shown = visibleRows(name => content?.[name]?.rows, Date.now() / 1000);
  return Object.fromEntries(
    marked.map(name => {
      const errors = report.problems.filter(
        problem =>
          problem.severity === 'error' &&
          new RegExp(`^${name}[./]`).test(`${problem.sheet ?? problem.file}.`),
      );
      if (errors.length > 0)
        return [name, errors.map(({ code }) => code.replace('NOT_PUBLIC', 'asked')).join()];
      const second = content?.[name]?.rows.find(({ id }) => id === 2);
      assert.ok(second, report.problems.map(({ message }) => message).join());
      return [name, shown(name, second) ? 'public' : 'hidden'];
    }),
  );
}

test('what says that a row is not public is read or asked about, in every catalog and form', async () => {
  for (const [names, texts, { other = 'public', ...special }] of guards) {
    const [headings, values] = [names.split('|'), texts.split('|')];
    const of = (names: readonly CatalogName[], outcome?: Outcome) =>
      Object.fromEntries(names.map(name => [name, outcome ?? special[name] ?? other]));
    const [asked, others] = [true, false].map(isAsked =>
      catalogNames.filter(name => (of([name])[name] === 'asked') === isAsked),
    );
    const cells = [...headings.map(name => [name, values[0]]), ...values.map(value => [headings[0], value])];
    for (const [index, [heading = '', value = '']] of cells.entries())
      for (const [form, filesOf] of Object.entries(forms)) {
        // In `npm test`, every heading and value in CSV, and some in other forms.
        if (skipInQuickRun && form !== 'csv' && index % 5 > 0) continue;
        const what = `${heading}: ${value} in ${form}`;
        const cell = { [heading]: value };
        for (const marked of [asked ?? [], others ?? []])
          assert.deepEqual(await outcomes(filesOf(withCells(marked, cell)), marked), of(marked), what);
        // A time is read besides.
        const settled = catalogNames.filter(name => name !== 'news' || special.news === undefined);
        assert.deepEqual(
          await outcomes(filesOf(withCells(settled, { ...cell, hidden: 0 })), settled),
          of(settled, 'public'),
          what,
        );
      }
  }
});

test('a column asks about a row only if all of its values say whether rows are public', async () => {
  for (const [heading, values, asks] of [
    ['active', ['1', '0', '1'], true],
    ['public', ['yes', 'no', 'IPv6 only'], false],
    ['deleted_at', ['', '2024-01-05', '2024-01-06 10:00'], true],
    ['deleted_at', ['NULL', '2024-01-05', ''], true],
    ['deleted_at', ['', '2024-01-05', 'never'], false],
    ['status', ['active', 'draft', '7'], true],
  ] as const) {
    const rows = values.map((value, index) => `${index + 1},A,${value}\n`).join('');
    const { report } = await readFiles({ ...noFiles, 'products.csv': `id,name,${heading}\n${rows}` });
    const codes = new Set(report.problems.map(({ code }) => code));
    assert.deepEqual([...codes], [asks ? 'NOT_PUBLIC' : 'UNKNOWN_COLUMN'], `${heading}: ${values}`);
  }
});

test('a column of its own goes before another word for it, and JSON has values of its own', async () => {
  const csv = (headings: string, cells: string): Files => ({
    'news.csv': `id,title,content,create_time,${headings}\n1,A,B,2024-01-05,${cells}\n`,
  });
  const json = (cell: object): Files => ({
    'news.json': [{ id: 1, title: 'A', content: 'B', create_time: '2024-01-05', ...cell }],
  });
  for (const [files, expected] of [
    [csv('published,publish_time', '2035-01-01,2034-01-01'), { publish_time: time('2034-01-01T00:00') }],
    [csv('draft,hidden', 'yes,'), { hidden: true }],
    [json({ draft: true }), { hidden: true }],
    [json({ draft: 0 }), { hidden: false }],
    [json({ published: false }), { hidden: true }],
    [json({ published: null }), { hidden: false }],
  ] as const) {
    const { hidden, publish_time } = await newsIn(files);
    const read = { hidden, publish_time };
    assert.deepEqual({ ...read, ...expected }, read, JSON.stringify(files));
  }
});
