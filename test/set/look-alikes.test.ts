import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatProblem } from '../../src/contract/problems.ts';
import { readSet } from '../../src/reader/load-set.ts';
import { findLookAlikes } from '../../src/set/look-alikes.ts';
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
    const { report } = await readSet(sourceIn(dir));
    const lines = report.problems.filter(({ code }) => code === 'NOT_READ' || code === 'MISSING_FILE');
    assert.deepEqual(lines.map(problem => formatProblem(problem).replace(dir, 'DIR')).sort(), told.sort());
  }
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
