import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { catalogLike, findLookAlikes } from '../../src/set/look-alikes.ts';
import { type Files, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { isLinux } from '../support/programs.ts';
import { readSource, serveSet } from '../support/read-source.ts';
import { noFiles, shopSheets, xlsx } from '../support/xlsx.ts';

test('a file that looks like a catalog is recognized by its name', () => {
  const cases: Record<string, string> = {
    prices: `prices (1).csv|Prices.csv|prices.csv.txt|prices.csv.csv|prices .csv|prices (1).xlsx|prices.xls
prices (2).ods|prices.xlsm|prices.numbers|prices.tsv|prices - Kopie.csv|Copy of prices.csv|prices.txt|prices-old.csv
price.csv|PRICES.json|Shop - prices.csv|prices (conflicted copy 2026-01-02).csv`,
    news_types: 'news types.json|newsTypes.csv|news_type.csv',
    catalog: 'Catalog.xlsx|catalog (1).xlsx|catalogs.xlsx|Catalog.ods|Katalog.xlsm',
    undefined: `prices.csv|catalog.xlsx|catalog.csv|.prices.csv|_prices.csv|~$prices.xlsx|prices.csv~|.~lock.prices.csv#
prices.csv.bak|#prices.csv#|prices|prices.pdf|suppliers.csv|production.csv|newsletter.csv|new.csv|package.json`,
  };
  for (const [catalog, names] of Object.entries(cases))
    for (const name of names.split(/[|\n]/)) assert.equal(String(catalogLike(name)), catalog, name);
});

test('of many files that say nothing by their names, few are looked into', async () => {
  const peeked: string[] = [];
  const names = Array.from({ length: 1000 }, (_, index) => `list ${index}.csv`);
  await findLookAlikes(names, async file => void peeked.push(file));
  assert.equal(peeked.length, 200);
});

const item = '---\ntitle: A\ncreate_time: 2026-03-31\n---\nText\n';
const { prices = [], ...sheets } = shopSheets();
const headings = 'id;Product ID;rel_id;duration_id;Price\n';
const OR = 'or begin its name with _';

/** Files beside those of the shop, and what is said of them, a line each; `FILE|` stands for what all of this begin with. */
const cases: [what: string, files: Files, told: string][] = [
  [
    'other workbooks',
    { 'prices.xls': 'x', 'Catalog.ods': 'x', '~$prices.xlsx': 'x', '.~lock.prices.xlsx#': 'x' },
    `Catalog.ods| is not read: rename it to catalog.ods
prices.xls| is not read: save it as an Excel workbook named prices.xlsx`,
  ],
  [
    'another extension of a file that is missing',
    { 'products.json.txt': 'x', 'products.json': null },
    `products.json.txt| is not read: rename it to products.json
products.csv: products are missing, but configurations refer to them: there is a "products.json.txt", rename it to products.json`,
  ],
  [
    'the headings of a catalog',
    { 'preise.csv': `sep=;\n${headings}`, 'tarifs.txt': `\uFEFF${headings}` },
    `preise.csv| has the headings of prices and is not read, only prices.csv is: rename it to prices.csv
tarifs.txt| has the headings of prices and is not read, only prices.csv is: rename it to prices.csv`,
  ],
  [
    'the keys of a catalog, and headings in UTF-16',
    {
      'nachrichten.json': '[{"id": 1, "title": "A", "content": "b", "create_time": 1}]',
      'preise.csv': Buffer.from(`\uFEFF${headings}`, 'utf16le'),
      'prices.csv': null,
    },
    `preise.csv| has the headings of prices and is not read: rename it to prices.csv
nachrichten.json| has the headings of news and is not read, only news.json is: rename it to news.json`,
  ],
  [
    'folders with catalogs',
    {
      'prices.csv': null,
      '2026/03/prices.csv': 'x',
      '2026/notes.csv': headings,
      'a/b/c/prices.csv': headings,
    },
    `2026/03/prices.csv| is not read: move it to prices.csv
2026/notes.csv| has the headings of prices and is not read: move it to prices.csv`,
  ],
  [
    'Markdown in other folders, forms and letters',
    {
      ...{ 'News/1-a.md': 'A', 'posts/2-b.md': item, 'news/3-c.mdx': item, 'news/4-d/index.md': item },
      ...{ 'news/4-d/photo.jpg': 'x', 'news/5.MD': item, 'news/9.md.txt': item, 'news/_6.txt': item },
      ...{ 'docs/manual.md': '# Manual', 'news/README': item, 'news/7-a.draft.md': item },
      ...{ 'news/2026-03-31-b.draft/index.md': item, '2026-04-01-c/index.md': item, 'index.md': item },
    },
    `2026-04-01-c/index.md| is not read: move it to news/2026-04-01-c.md
News/1-a.md| is not read: rename its folder to news
index.md| is not read: move it to news/index.md
news/2026-03-31-b.draft/index.md| is not read: move it to news/2026-03-31-b.md
news/3-c.mdx| is not read: rename it to news/3-c.md
news/4-d/index.md| is not read: move it to news/4-d.md
news/5.MD| is not read: rename it to news/5.md
news/7-a.draft.md| is not read: rename it to news/7-a.md
news/9.md.txt| is not read: rename it to news/9.md
posts/2-b.md| is not read: move it to news/2-b.md`,
  ],
  [
    'files and sheets beside a workbook of all catalogs',
    {
      ...noFiles,
      'catalog.xlsx': xlsx({ ...sheets, Preise: prices, Notizen: [['a', 'b']] }),
      'news (1).csv': 'x',
    },
    `news (1).csv| is not read, only catalog.xlsx is: rename it to news.csv
catalog.xlsx Preise: this sheet has the headings of prices and is not read: name it prices, or delete it`,
  ],
  [
    'nothing of a catalog',
    {
      ...{ '_preise.csv': headings, '_prices.csv': headings, '.preise.csv': headings, 'posts/._f.md': item },
      ...{ '_2026/prices.csv': headings, '.git/prices.csv': headings, 'news/_e/index.md': item },
      ...{ '2026/_prices.csv': headings, 'news/2026-03-31-a/photo.png': 'x' },
      ...{ '_faq.csv': 'id\n', '~$faq.xlsx': 'x', '.eslintrc.json': '{}', 'package.json': '{}' },
      ...{ 'tsconfig.build.json': '{}', 'prices.schema.json': '{}', 'a/faq.csv': 'x' },
      ...{ 'site.webmanifest': '{}', 'notes.txt': 'x' },
    },
    '',
  ],
  [
    'other tables',
    {
      'customers.csv': 'id,name,email\n1,A,a@example.com\n',
      'late.CSV': `${'x\n'.repeat(2 ** 15)}${headings}`,
      'team.ods': 'x',
      'db.json':
        '{"products": [{"id": 1, "name": "A"}], "prices": [{"id": 1, "product_id": 1, "rel_id": 1}]}',
    },
    ['customers.csv', 'db.json', 'late.CSV', 'team.ods']
      .map(file => `${file}| is not read: move it to another folder`)
      .join('\n'),
  ],
];

test('what has the signs of a catalog is not passed over in silence', async t => {
  for (const [what, files, told] of cases) {
    const dir = await writeFiles(t, shopWith(files));
    const { report } = await readSource(sourceIn(dir), true);
    const lines = report.problems
      .filter(({ code }) => ['NOT_READ', 'OTHER_TABLE', 'MISSING_FILE'].includes(code))
      .map(({ file, sheet, message }) => `${[file, sheet].filter(Boolean).join(' ')}: ${message}`);
    const expected = told.split('\n').map(line => line.replace(/(.*)\|(.*)/, `$1: this file$2, ${OR}`));
    assert.deepEqual(lines.sort(), expected.filter(Boolean).sort(), what);
  }
});

test('a file whose name is not UTF-8 is named, and the others are served', { skip: !isLinux }, async t => {
  const dir = await writeFiles(t, shopWith({ 'news/8-b.md': item }));
  await writeFile(
    Buffer.concat([Buffer.from(`${dir}/news/9-caf`), Buffer.of(0xe9), Buffer.from('.md')]),
    item,
  );
  const { report, rows } = await readSource(sourceIn(dir));
  const found = report.problems.filter(({ code }) => code !== 'NO_IMAGE');
  const told = found.map(({ file, code, message }) => [file, code, message]);
  assert.deepEqual(told, [
    ['news/9-caf\ufffd.md', 'NOT_READ', 'the name of this file is not valid UTF-8: rename it'],
  ]);
  assert.ok(rows?.news?.some(({ id }) => id === 8));
});

test('a file that was served and is gone is named, with the look-alike that replaced it', async t => {
  const cases: [gone: string, as: string | undefined, told: string][] = [
    [
      'prices.csv',
      'prices.xlsm',
      'LOST_ROWS |: there is a "prices.xlsm", save it as an Excel workbook named prices.xlsx',
    ],
    ['prices.csv', undefined, 'LOST_ROWS |: put it back'],
    ['products.csv', undefined, 'MISSING_FILE |: put it back'],
    [
      'news/90-a.md',
      'news/90-a/index.md',
      `NOT_READ this file is not read, and |, which was served: move it to news/90-a.md, ${OR}`,
    ],
  ];
  const files = { ...fixtureSet(1), 'news/90-a.md': item, 'news/91-b.md': item };
  for (const [gone, as, told] of cases) {
    const { dir, change } = await serveSet(t, files);
    await mkdir(join(dir, 'news/90-a'));
    await (as ? rename(join(dir, gone), join(dir, as)) : rm(join(dir, gone)));
    const changed = await change();
    const { problems } = changed.outcome === 'read' ? changed.report : assert.fail(changed.outcome);
    const lines = [...changed.holds, ...problems].map(({ code, message }) => `${code} ${message}`);
    assert.ok(lines.includes(told.replace('|', `${gone} is gone`)), lines.join('\n'));
  }
});
