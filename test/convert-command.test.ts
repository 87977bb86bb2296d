import assert from 'node:assert/strict';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { catalogNames } from '../src/contract/columns.ts';
import { type Files, markdown, shop, shopWith, sourceIn, writeFiles } from './support/catalogs.ts';
import { runCommand } from './support/command.ts';
import { readSource } from './support/read-source.ts';
import { startService } from './support/service.ts';

async function run(...args: string[]) {
  const { code, stdout, stderr } = await runCommand(args);
  return { code, output: stdout + stderr };
}

async function versionIn(dir: string): Promise<string | undefined> {
  return (await readSource(sourceIn(dir))).report.version;
}

/** What keeps rows of a folder from visitors. */
async function hiddenIn(dir: string) {
  const { content } = await readSource(sourceIn(dir));
  return catalogNames.map(name =>
    content?.[name]?.rows.map(row => [row.id, row.hidden, row.publish_time, row.valid_from]),
  );
}

const names = ['configurations', 'durations', 'news', 'news_types', 'prices', 'products'];
const formats: [format: string, files: string[]][] = [
  ['xlsx', ['catalog.xlsx']],
  ['csv', names.map(name => `${name}.csv`)],
  ['json', names.map(name => `${name}.json`)],
];
const named = String(shop['prices.csv']).replace(/^(\d+),1,/gm, '$1,Cloud server,');
/** A shop whose files have none of our columns for what they hide. */
const marked: Files = {
  ...shopWith({ 'news.json': null }),
  'products.json': [
    { id: 1, name: 'A', published: 1 },
    { id: 2, name: 'B', published: -1 },
  ],
  'durations.json': [1, 2, 3, 4].map(id => ({ id, name: 'A', num: id, unit: 'day', draft: id === 4 })),
  'prices.csv': String(shop['prices.csv'])
    .replace('price\n', 'price,draft\n')
    .replace('455.47', '$&,yes')
    .replace(/^(\d+(?:,[^,\n]+){4})$/gm, '$1,'),
  'news/1-a.md': '---\ndate: 2024-01-05\ndraft: true\n---\n# A\n\nText\n',
  'news/2-b.md': '---\ndate: 2024-01-05\npublished: 2035-01-01\ntags: [a]\n---\n# B\n\nText\n',
};
/** Prices that change at a date, in a repeated hour of the zone, and end. */
const dated = `id,product_id,rel_id,duration_id,price,valid_from,hidden
101,1,11,1,455.47,,
102,1,11,1,465.47,2035-01-01 09:00,no
103,1,11,1,475.47,2035-10-28T01:30:00Z,
104,1,11,1,475.47,2036-01-01,yes
`;
const sources: [what: string, files: Files][] = [
  ['JSON and CSV with names', shopWith({ 'prices.csv': named })],
  ['Markdown', markdown],
  ['rows that other words hide', marked],
  ['prices from dates', shopWith({ 'prices.csv': dated })],
];

for (const [what, files] of sources) {
  test(`convert writes a set of ${what} in each form with the same version, ids and HTML`, async t => {
    const from = await writeFiles(t, files);
    const version = await versionIn(from);
    assert.ok(version);
    for (const [format, names] of formats) {
      const to = join(await writeFiles(t, {}), 'new/folder');
      const { code, output } = await run('convert', from, to, '--format', format);
      assert.equal(code, 0, output);
      assert.ok(output.startsWith(`${version} (${from}) → ${to}: `) && output.includes(String(names.at(-1))));
      assert.deepEqual((await readdir(to)).sort(), names);
      assert.equal(await versionIn(to), version, format);
      // Hidden rows have no part in the version.
      assert.deepEqual(await hiddenIn(to), await hiddenIn(from), format);
      if (format !== 'json') continue;
      const firstOf = async (name: string) => JSON.parse(await readFile(join(to, `${name}.json`), 'utf8'))[0];
      assert.equal((await firstOf('prices')).product_id, 1);
      assert.match((await firstOf('news')).content, /^<p>/);
    }
  });
}

test('convert writes a version of the history as a workbook', async t => {
  const { services, settings, app } = await startService(t);
  const version = services.catalog.snapshot()?.version ?? assert.fail();
  await app.close();
  const to = join(await writeFiles(t, {}), 'was');
  const { output } = await run('convert', version.slice(0, 6), to, '--state-dir', settings.stateDir);
  assert.equal(output, `${version} → ${to}: catalog.xlsx with 28 rows\n`);
  assert.equal(await versionIn(to), version);
});

const item = (title: string, content = 'b') => ({
  'news.json': [{ id: 1, title, content, create_time: '2024-01-05' }],
});
test('convert refuses what it cannot write, and writes nothing', async t => {
  const formats =
    /^--format: expected xlsx, csv or json, got "ods"\nRun 'vitrine convert --help' for usage.\n$/;
  const cannotHave = /^csv cannot express the values of .*: news.csv:2:3: error FORMULA B2, title "#REF!" /;
  for (const [from, to, format, code, sentence] of [
    [
      item('a'),
      { 'a.txt': '' },
      'csv',
      1,
      /^cannot write into .*: it has files already, such as a.txt: name a/,
    ],
    [item('a'), {}, 'ods', 2, formats],
    [{ 'news.json': '[' }, {}, 'csv', 1, /^news.json:1:2: error BAD_JSON .*\nrefused: 1 error/],
    [item('#REF!'), {}, 'csv', 1, cannotHave],
  ] as const) {
    const dir = await writeFiles(t, to);
    const args = [await writeFiles(t, from), dir, '--format', format];
    const { code: exitCode, output } = await run('convert', ...args);
    assert.equal(exitCode, code);
    assert.match(output, sentence);
    assert.deepEqual(await readdir(dir), Object.keys(to));
  }
});

test('a catalog with a text that is too long for a cell stays JSON beside the workbook', async t => {
  for (const [length, files, message] of [
    [32_767, ['catalog.xlsx'], /: catalog.xlsx with 23 rows\n$/],
    [
      32_768,
      ['catalog.xlsx', 'news.json'],
      /: catalog.xlsx, news.json with 23 rows\na text in news.json is longer than the 32767 /,
    ],
  ] as const) {
    const from = await writeFiles(t, shopWith(item('a', 'x'.repeat(length))));
    const to = await writeFiles(t, { '.gitkeep': '' });
    const { output } = await run('convert', from, to);
    assert.match(output, message);
    assert.deepEqual((await readdir(to)).sort(), ['.gitkeep', ...files]);
    assert.equal(await versionIn(to), await versionIn(from));
  }
});

for (const [format, names] of formats) {
  test(`template writes a set as ${format} that says how to serve it, and of which visitors see one name`, async t => {
    const dir = join(await writeFiles(t, {}), 'new');
    const { code, output } = await run('template', dir, ...(format === 'xlsx' ? [] : ['--format', format]));
    const [written = '', ...next] = output.slice(dir.length + 2).split('\n');
    assert.deepEqual([code, written.split(', ').sort()], [0, [...names, 'news/_2-markdown.md'].sort()]);
    assert.deepEqual(next, [
      '  the examples are hidden: write your own rows in their place, or false into the column hidden',
      `  serve them with: vitrine ${dir}`,
      '',
    ]);
    assert.deepEqual((await readdir(dir)).sort(), [...names, 'news'].sort());
    const { ask } = await startService(t, {}, { catalogDir: dir, imagesDir: dir });
    const { body: health } = await ask('/health');
    assert.deepEqual([health.data.last_attempt.errors, health.data.last_attempt.warnings], [0, 0]);
    const { products, news_types } = (await ask('/overview')).data;
    assert.deepEqual([products, news_types.length, (await ask('/api/news')).data.list], [[], 1, []]);
    assert.equal((await run('template', dir)).code, 1);
  });
}

const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=1&duration_id=1';

test('the rows of the template stay whole when somebody renames one, and publishes it', async t => {
  const dir = join(await writeFiles(t, {}), 'new');
  await run('template', dir, '--format', 'csv');
  for (const [name, before, after] of [
    ['products', 'Example product', 'Cloud server'],
    ['durations', '1 month', 'A month'],
    ['news_types', 'Announcements', 'News'],
    ['products', 'true', 'false'],
    ['configurations', 'true', 'false'],
    ['news', 'true', 'false'],
  ] as const) {
    const path = join(dir, `${name}.csv`);
    const text = await readFile(path, 'utf8');
    assert.ok(text.includes(before), name);
    await writeFile(path, text.replace(before, after));
  }
  await rename(join(dir, 'news/_2-markdown.md'), join(dir, 'news/2-markdown.md'));
  const { ask } = await startService(t, {}, { catalogDir: dir, imagesDir: dir });
  assert.equal((await ask(PRICE)).data.price, 4.9);
  assert.equal((await ask('/api/news')).data.pagination.total, 2);
});

test('a catalog with own fields that a table cannot have stays JSON', async t => {
  for (const value of [7, '', '#REF!', 'a\0b', ['a']]) {
    const products = [{ id: 1, name: 'A', extra: { badge: 'New', other: value } }];
    const others = [2, 3].map(id => ({ id, name: 'B' }));
    const dir = await writeFiles(t, shopWith({ 'products.json': [...products, ...others] }));
    for (const format of ['csv', 'xlsx']) {
      const to = join(dir, format);
      const { code, output } = await run('convert', dir, to, '--format', format);
      assert.equal(code, 0, output);
      assert.match(output, /own fields in products\.json have values that a table cannot have/);
      assert.equal(await versionIn(to), await versionIn(dir));
    }
  }
});
