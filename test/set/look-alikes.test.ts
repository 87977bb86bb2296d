import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatProblem } from '../../src/contract/problems.ts';
import { findHidden, findLookAlikes } from '../../src/set/look-alikes.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { serveSet } from '../support/catalog/served-set.ts';
import { type Files, shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { startLive } from '../support/live.ts';
import { noFiles, shopSheets } from '../support/workbooks/shop-workbook.ts';
import { xlsx } from '../support/workbooks/xlsx.ts';

test('a file that looks like a catalog is recognized by its name', () => {
  const ofPrices = [
    ...['prices (1).csv', 'prices.CSV', 'Prices.csv', 'prices.csv.txt', 'prices.csv.csv', 'prices .csv'],
    ...[
      'prices (1).xlsx',
      'Prices.xlsx',
      'prices.xls',
      'prices (2).ods',
      'prices.xlsm',
      'prices.numbers',
      'prices.tsv',
    ],
    ...['prices - Copy.csv', 'prices - Kopie.csv', 'Copy of prices.csv', 'prices copy 2.csv', 'prices.txt'],
    ...['prices-old.csv', 'old-prices.csv', 'prices_2026.csv', 'price.csv', 'PRICES.json', 'prices (1).json'],
    ...['Shop - prices.csv', 'prices - Sheet1.csv', 'prices (conflicted copy 2026-01-02).csv'],
  ];
  for (const file of ofPrices) assert.deepEqual(findLookAlikes([file]), [{ file, catalog: 'prices' }]);
  for (const file of ['news types.json', 'newsTypes.csv', 'news_type.csv']) {
    assert.deepEqual(findLookAlikes([file]), [{ file, catalog: 'news_types' }]);
  }
  for (const file of ['Catalog.xlsx', 'catalog (1).xlsx', 'catalogs.xlsx', 'Catalog.ods', 'Katalog.xlsm']) {
    assert.deepEqual(findLookAlikes([file]), [{ file, catalog: 'catalog' }]);
  }
  const others = [
    ...[
      'prices.csv',
      'news.json',
      'prices.xlsx',
      'catalog.xlsx',
      'catalog.csv',
      '.prices.csv',
      '~$prices.xlsx',
      '.~lock.prices.csv#',
      'prices.csv~',
    ],
    ...['prices.csv.bak', 'prices.csv.tmp', '#prices.csv#', 'prices', 'prices.pdf', 'README.md'],
    ...['suppliers.csv', 'contacts.xlsx', 'production.csv', 'newsletter.csv', 'new.csv', 'package.json'],
  ];
  assert.deepEqual(findLookAlikes(others), []);
});

test('of many copies of a catalog, five are named, and of many files, none is compared for long', t => {
  const copies = Array.from({ length: 100_000 }, (_, index) => `prices (${index}).csv`).reverse();
  assert.equal(findLookAlikes([...copies, 'news.xls']).length, 5);
  assert.deepEqual(
    findLookAlikes([...copies.slice(-20), 'news.xls']).map(({ file }) => file),
    [0, 1, 2, 3, 4].map(index => `prices (${index}).csv`).concat('news.xls'),
  );
  const split = t.mock.method(String.prototype, 'split');
  findLookAlikes(copies.map(name => `products of ${name}`));
  assert.ok(split.mock.callCount() < 10_000, `${split.mock.callCount()} names`);
});

test('a look-alike is a warning that says which name the file must have', async t => {
  const cases: [files: Files, told: string[]][] = [
    [
      { ...shop, 'prices (1).csv': 'x' },
      [
        'prices (1).csv: warning NOT_READ this file is not read, only prices.csv is: delete it, or delete prices.csv and rename it to prices.csv',
      ],
    ],
    [
      { ...shop, 'prices.xls': 'x', 'Catalog.ods': 'x', '~$prices.xlsx': 'x', '.~lock.prices.xlsx#': 'x' },
      [
        'Catalog.ods: warning NOT_READ this workbook is not read: rename it to catalog.ods',
        'prices.xls: warning NOT_READ this workbook is not read, only prices.csv is: delete it, or delete prices.csv and save it as an Excel workbook named prices.xlsx',
      ],
    ],
    [
      { ...noFiles, 'catalog.xlsx': xlsx(shopSheets()), 'prices (1).csv': 'x' },
      [
        'prices (1).csv: warning NOT_READ this file is not read, only catalog.xlsx is: delete it, or delete the sheet prices there and rename it to prices.csv',
      ],
    ],
    [
      shopWith({ 'products.json.txt': 'x', 'products.json': null }),
      [
        'products.json.txt: warning NOT_READ this file is not read: rename it to products.json',
        'products.csv: error MISSING_FILE this file is missing, but configurations refer to it: there is a "products.json.txt", rename it to products.json',
      ],
    ],
    [
      { 'prices.xls': 'x' },
      [
        'prices.xls: warning NOT_READ this workbook is not read: save it as an Excel workbook named prices.xlsx',
        'DIR: error MISSING_FILE the directory has no catalog files: add one, such as products.csv or news.json',
      ],
    ],
  ];
  for (const [files, told] of cases) {
    const dir = await writeFiles(t, files);
    const { report } = await readSource(sourceIn(dir));
    const lines = report.problems.filter(({ code }) => code === 'NOT_READ' || code === 'MISSING_FILE');
    assert.deepEqual(lines.map(problem => formatProblem(problem).replace(dir, 'DIR')).sort(), told.sort());
  }
});

const item = '---\ntitle: A\ncreate_time: 2026-03-31\n---\nText\n';
const headings = 'id;Product ID;rel_id;duration_id;Price\n';

/** Files that are no catalogs by their names, and what is said of them. */
const hiddenFiles: [what: string, files: Files, told: string[]][] = [
  [
    'headings of a catalog',
    { 'preise.csv': `sep=;\n${headings}`, 'tarifs.txt': `\uFEFF${headings}` },
    [
      'preise.csv: warning NOT_READ this file has the headings of prices and is not read, only prices.csv is: delete it, or delete prices.csv and rename it to prices.csv',
      'tarifs.txt: warning NOT_READ this file has the headings of prices and is not read, only prices.csv is: delete it, or delete prices.csv and rename it to prices.csv',
    ],
  ],
  [
    'the keys of a catalog, in UTF-16',
    {
      'nachrichten.json': '[{"id": 1, "title": "A", "content": "b", "create_time": 1}]',
      'preise.csv': Buffer.from(`\uFEFF${headings}`, 'utf16le'),
      'prices.csv': null,
    },
    [
      'preise.csv: warning NOT_READ this file has the headings of prices and is not read: rename it to prices.csv',
      'nachrichten.json: warning NOT_READ this file has the headings of news and is not read, only news.json is: delete it, or delete news.json and rename it to news.json',
    ],
  ],
  [
    'a folder with a catalog',
    { 'prices.csv': null, '2026/prices.csv': headings, '2026/notes.csv': headings },
    [
      '2026/prices.csv: warning NOT_READ this file is not read: move it to prices.csv, or begin the name of its folder with _',
    ],
  ],
  [
    'Markdown in other folders, forms and letters',
    {
      'News/1-a.md': 'A',
      'posts/2-b.md': item,
      'news/3-c.mdx': item,
      'news/4-d/index.md': item,
      'news/4-d/photo.jpg': 'x',
      'docs/manual.md': '# Manual',
    },
    [
      'News/1-a.md: warning NOT_READ this file is not read: rename its folder to news',
      'news/3-c.mdx: warning NOT_READ this file is not read: rename it to news/3-c.md',
      'news/4-d/index.md: warning NOT_READ this file is not read: move it to news/4-d.md, or begin the name of its folder with _',
      'posts/2-b.md: warning NOT_READ this file is not read: move it to news/2-b.md, or begin the name of its folder with _',
    ],
  ],
  [
    'nothing of a catalog',
    {
      '_preise.csv': headings,
      '.preise.csv': headings,
      '_2026/prices.csv': headings,
      '.git/prices.csv': headings,
      'news/_e/index.md': item,
      '2026/_prices.csv': headings,
      'posts/._f.md': item,
      'deep/er/prices.csv': headings,
      'customers.csv': 'id,name,email\n1,A,a@example.com\n',
      'late.csv': `${'x\n'.repeat(2 ** 15)}${headings}`,
      'db.json':
        '{"products": [{"id": 1, "name": "A"}], "prices": [{"id": 1, "product_id": 1, "rel_id": 1, "duration_id": 1, "price": 1}]}',
    },
    [],
  ],
];

for (const [what, files, told] of hiddenFiles) {
  test(`what has the signs of a catalog is not passed over in silence: ${what}`, async t => {
    const { report } = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
    const lines = report.problems.filter(({ code }) => code === 'NOT_READ').map(formatProblem);
    assert.deepEqual(lines.sort(), told.sort());
  });
}

test('of many files that are not read, five are named and all are counted', async t => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`old/${index}-a.md`, item]));
  const { report } = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
  const told = report.problems.filter(({ code }) => code === 'NOT_READ').map(({ message }) => message);
  assert.deepEqual(
    told.map(message => / \(there are (\d) more\)$/.exec(message)?.[1]),
    [undefined, undefined, undefined, undefined, '4'],
  );
});

test('of many files, twenty are looked at', async () => {
  const peeked: string[] = [];
  const names = Array.from({ length: 1000 }, (_, index) => `list ${index}.csv`);
  await findHidden(names, [], async file => {
    peeked.push(file);
    return undefined;
  });
  assert.equal(peeked.length, 20);
});

test('a sheet with the headings of a catalog that has none is not passed over in silence', async t => {
  const { prices = [], ...sheets } = shopSheets();
  const files = { ...noFiles, 'catalog.xlsx': xlsx({ ...sheets, Preise: prices, Notizen: [['a', 'b']] }) };
  const { report } = await readSource(sourceIn(await writeFiles(t, files)));
  assert.deepEqual(report.problems.filter(({ code }) => code === 'NOT_READ').map(formatProblem), [
    'catalog.xlsx [Preise]: warning NOT_READ this sheet has the headings of prices and is not read: name it prices, or delete it',
  ]);
});

test('a news item that is served and moves into a folder says so', async t => {
  const { dir, change } = await serveSet(t, { ...fixtureSet(1), 'news/90-a.md': item, 'news/91-b.md': item });
  await mkdir(join(dir, 'news/90-a'));
  await rename(join(dir, 'news/90-a.md'), join(dir, 'news/90-a/index.md'));
  const changed = await change();
  const { problems } = changed.outcome === 'read' ? changed.report : assert.fail(changed.outcome);
  assert.deepEqual(problems.filter(({ code }) => code === 'NOT_READ').map(formatProblem), [
    'news/90-a/index.md: warning NOT_READ this file is not read, and news/90-a.md is gone, which was served: move it to news/90-a.md, or begin the name of its folder with _',
  ]);
});

test('a file that was served and is gone is named, with the look-alike that replaced it', async t => {
  const cases: [gone: string, as: string | undefined, told: RegExp][] = [
    [
      'prices.csv',
      'prices.xlsm',
      /^LOST_ROWS prices\.csv is gone: there is a "prices\.xlsm", save it as an Excel workbook named prices\.xlsx$/,
    ],
    ['prices.csv', undefined, /^LOST_ROWS prices\.csv is gone: put it back$/],
    [
      'products.csv',
      'Products.csv',
      /^products\.csv: error MISSING_FILE products\.csv is gone: there is a "Products\.csv", rename it to products\.csv$/,
    ],
    ['products.csv', undefined, /^products\.csv: error MISSING_FILE products\.csv is gone: put it back$/],
  ];
  for (const [gone, as, told] of cases) {
    const { dir, change } = await serveSet(t);
    await (as ? rename(join(dir, gone), join(dir, as)) : rm(join(dir, gone)));
    const changed = await change();
    const { problems } = changed.outcome === 'read' ? changed.report : assert.fail(changed.outcome);
    const lines = [
      ...changed.holds.map(({ code, message }) => `${code} ${message}`),
      ...problems.filter(({ code }) => code === 'MISSING_FILE').map(formatProblem),
    ];
    assert.equal(lines.length, 1);
    assert.match(String(lines[0]), told);
  }
});

test('a look-alike that arrives beside the served files is reported, until it is deleted', async t => {
  const dir = await writeFiles(t, fixtureSet(1));
  const { live, outcome, logged } = await startLive(t, dir, { reloadPollMs: 50, reloadQuietMs: 20 });
  const before = live.snapshot();
  const codes = () => live.status().attempt?.report.problems.map(({ code }) => code) ?? [];
  await writeFile(join(dir, 'prices (1).csv'), 'x');
  await outcome(() => (codes().includes('NOT_READ') ? true : undefined));
  assert.equal(live.status().attempt?.outcome, 'unchanged');
  assert.match(String(logged.at(-1)), /^catalogs unchanged: version \w+, 0 errors, 1 warning in /);
  await rm(join(dir, 'prices (1).csv'));
  await outcome(() => (codes().includes('NOT_READ') ? undefined : true));
  assert.equal(live.snapshot(), before);
});
