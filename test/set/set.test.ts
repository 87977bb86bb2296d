import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formatProblem } from '../../src/contract/problems.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { type Files, shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';

const NEWS = `id,title,content,create_time,type_id,keywords,img,read,update_time,publish_time,hidden
1,We are open,<p>Come <b>in</b></p>,2024-01-05 10:00:00,1,"launch,opening",launch.png,100,,,
2,Servers restart,Tonight & tomorrow.,1706754600,2,,,,2024-02-02,,
3,高性能计算已上线,欢迎试用。,2024-03-01T00:00:00,1,发布,,,,,
4,Same second,as the one before,2024-03-01 00:00:00,,,,,,,
5,Hidden,draft,2024-04-01,1,,,,,,TRUE
6,From 2030 on,future,2024-05-01,1,,,,,2030-01-01,no
`;

async function read(t: TestContext, files: Files, options: Partial<Settings> = {}) {
  const catalogDir = await writeFiles(t, files);
  const { report, rows } = await readSource(sourceIn(catalogDir, options));
  assert.deepEqual(
    report.problems.filter(({ code }) => code !== 'NO_IMAGE'),
    [],
  );
  return { version: report.version, rows: rows ?? assert.fail('the set was refused') };
}

test('the same rows give the same version, whatever their notation and order', async t => {
  const { version } = await read(t, shop);
  const lines = NEWS.trimEnd().split('\n');
  const forms: Files[] = [
    { 'news.csv': NEWS },
    { 'news.csv': [lines[0], ...lines.slice(1).reverse()].join('\n') },
    { 'products.csv': 'name,description,id\nCloud server,Small & quick,1\n香港云服务器,,2\nSold out,,3\n' },
    {
      'products.json':
        '[{"id":1,"n\\u0061me":"Cloud server","description":"Small & quick"},{"name":"香港云服务器","id":2},{"id":3,"description":null,"name":"Sold out"}]',
    },
  ];
  for (const form of forms)
    assert.equal((await read(t, shopWith(form))).version, version, JSON.stringify(form));
});

test('a set keeps its version from before there was a column unpublish_time', async t => {
  const news = shop['news.json'] as object[];
  const withEach = (unpublish_time: unknown) =>
    shopWith({ 'news.json': news.map(item => ({ ...item, unpublish_time })) });
  for (const files of [shop, withEach(0), withEach('0'), withEach(null), withEach('')])
    assert.equal((await read(t, files)).version, 'cb5cdb402bf3');
  assert.notEqual((await read(t, withEach('2035-01-01'))).version, 'cb5cdb402bf3');
});

test('rows that are not served do not change the version', async t => {
  const { version } = await read(t, shop);
  const [configurations, prices] = [String(shop['configurations.csv']), String(shop['prices.csv'])];
  const news = shop['news.json'] as { hidden?: boolean }[];
  const forms: Files[] = [
    { 'configurations.csv': configurations.replace('14,1,Secret,16', '14,1,Draft,32') },
    {
      'configurations.csv': configurations.replace(/^14,.*\n/m, ''),
      'prices.csv': prices.replace(/^107,.*\n/m, ''),
    },
    { 'prices.csv': prices.replace('107,1,14,2,1', '107,1,14,2,2') },
    { 'news.json': news.filter(({ hidden }) => !hidden) },
  ];
  for (const form of forms)
    assert.equal((await read(t, shopWith(form))).version, version, JSON.stringify(form));
});

test('any difference of a row gives another version', async t => {
  const { version } = await read(t, shop);
  const forms: Files[] = [
    { 'news.csv': NEWS.replace('100', '101') },
    { 'news.csv': NEWS.replace(',no', ',yes') },
    { 'durations.json': null },
    { 'news_types.json': null },
  ];
  for (const form of forms)
    assert.notEqual((await read(t, shopWith(form))).version, version, JSON.stringify(form));
});

test('other files in the directory are ignored', async t => {
  const { version } = await read(t, shop);
  const others = {
    'suppliers.csv': 'x',
    'prices.csv~': 'x',
    '.prices.csv.swp': 'x',
    'prices.csv.bak': 'x',
    '~$news.json': 'x',
  };
  assert.equal((await read(t, { ...shop, ...others })).version, version);
});

test('a catalog that is a directory or a pipe is reported as unreadable', async t => {
  for (const [make, what] of [
    ['mkdir', 'a folder'],
    ['mkfifo', 'a pipe or a device'],
  ] as const) {
    const catalogDir = await writeFiles(t, shopWith({ 'products.json': null }));
    execFileSync(make, [join(catalogDir, 'products.csv')]);
    const { report, rows } = await readSource(sourceIn(catalogDir));
    assert.equal(rows, undefined);
    assert.deepEqual(report.problems.filter(({ code }) => code !== 'NO_IMAGE').map(formatProblem), [
      `products.csv: error UNREADABLE_FILE this is ${what}, not a file: rename or move it, and put the file here under this name`,
    ]);
  }
});

test('values are read in every notation', async t => {
  const { rows } = await read(t, shopWith({ 'news.csv': NEWS }), { timeZone: 'Europe/Berlin' });
  const item = (id: number) => rows.news?.find(row => row.id === id);
  assert.equal(item(1)?.create_time, Date.UTC(2024, 0, 5, 9) / 1000);
  assert.equal(item(2)?.create_time, 1706754600);
  assert.equal(item(2)?.update_time, Date.UTC(2024, 1, 1, 23) / 1000);
  assert.equal(item(4)?.type_id, undefined);
  assert.equal(item(6)?.publish_time, Date.UTC(2029, 11, 31, 23) / 1000);
  assert.equal(item(5), undefined);
  assert.deepEqual(
    rows.configurations?.map(({ id, cpu, order }) => [id, cpu, order]),
    [
      [21, 2, 0],
      [12, 0.5, 10],
      [11, 1, 20],
      [13, 8, 20],
    ],
  );
});
