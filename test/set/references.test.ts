import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Files, shop, shopWith } from '../support/catalogs.ts';
import { assertSame, errorsOf, readFiles, serveSet } from '../support/read-source.ts';
import { noFiles, sheetOf, shopSheets, xlsx } from '../support/xlsx.ts';

const CONFIGURATIONS = String(shop['configurations.csv']).replaceAll(/^(\d+),1,/gm, '$1,Cloud server,');
const PRICES = String(shop['prices.csv'])
  .replaceAll(/^(\d+),1,/gm, '$1,Cloud server,')
  .replaceAll(/^(\d+),2,/gm, '$1, 香港云服务器 ,')
  .replaceAll(/,4,([\d.]+)$/gm, ',Monthly,$1');
const named: Files = { 'configurations.csv': CONFIGURATIONS, 'prices.csv': PRICES };

test('a unique name stands for the id of a product, a duration or a news type, in each form', async t => {
  const item = (type: string) => ({
    'news.json': null,
    'news/1-a.md': `---\ntype_id: ${type}\ncreate_time: 2024-01-05\n---\n# A\n\nb\n`,
  });
  await assertSame(t, {}, [
    ['CSV', named],
    [
      'JSON',
      {
        'news.json': (shop['news.json'] as { type_id?: number }[]).map(({ type_id, ...row }) => ({
          ...row,
          ...(type_id && { type_id: type_id === 1 ? 'Announcements' : 'Maintenance' }),
        })),
      },
    ],
    ['a workbook', { ...noFiles, 'catalog.xlsx': xlsx({ ...shopSheets(), prices: sheetOf(PRICES) }) }],
  ]);
  await assertSame(t, item('2'), [['Markdown', item('Maintenance')]]);
});

test('the id of a configuration may stand before its name, as the list of a workbook writes it', async t => {
  const choices = (from: Record<string, string>): Files => ({
    'prices.csv': String(shop['prices.csv']).replaceAll(/^(\d+,\d),(\d+)/gm, (row, start, id) =>
      from[id] ? `${start},${from[id]}` : row,
    ),
  });
  await assertSame(t, {}, [['ids and names', choices({ 11: '11 Small', 21: ' 21  Hong\u00a0Kong ' })]]);
  assert.deepEqual(await errorsOf(choices({ 21: '21 Small' })), [
    'prices.csv:9:7: error UNKNOWN_REFERENCE C9, rel_id "21 Small" is not the id and the name of a configuration: choose one again, or write its id alone',
  ]);
  // One message for the name, and none for each price that refers to it.
  const nameless = String(shop['configurations.csv']).replace('Hong Kong', '');
  const files = { ...choices({ 21: '21 Hong Kong' }), 'configurations.csv': nameless };
  assert.equal((await errorsOf(files)).length, 1);
});

test('a name is not missing in a catalog that lacks a column, or cannot be read', async () => {
  const codes = async (durations: string) =>
    (await errorsOf({ ...named, 'durations.csv': durations })).map(line => line.split(' ')[2]).slice(0, 1);
  assert.deepEqual(await codes('id,name,num\n4,Weekly,1\n'), ['MISSING_COLUMN']);
  assert.deepEqual(await codes('PK\x03\x04'), ['WORKBOOK']);
  assert.deepEqual(await codes('id,name,num,unit\n4,Weekly,1,week\n'), ['UNKNOWN_REFERENCE']);
});

const product = (name: string) => ({
  'products.json': [{ id: 1, name }],
  'configurations.csv': `id,product_id,name,cpu,memory\n11,1,A,1,1\n`,
  'prices.csv': null,
});
const referringTo = (name: string) => ({
  'configurations.csv': `id,product_id,name,cpu,memory\n11,${name},A,1,1\n`,
});

test('names are the same in each Unicode form and with each kind of space', async t => {
  const forms = ['Café au lait'.normalize('NFD'), 'Café\u00a0au\u202flait', 'Café  au\u3000lait\ufeff'];
  for (const one of ['Café au lait', ...forms])
    await assertSame(
      t,
      product(one),
      forms.map(other => [JSON.stringify([one, other]), { ...product(one), ...referringTo(other) }]),
    );
});

test('numbers of a column are ids or names, whichever all of them can be', async () => {
  /** Durations by their names, with ids from 1; the cells, and the ids that are read. */
  const cases: [what: string, names: string[], cells: (string | number)[], ids: number[]][] = [
    ['names, since 12 is no id', ['12', '1', '3'], [12, 1, 3], [1, 2, 3]],
    ['names beside one with a letter', ['12', 'one'], [12, 'one'], [1, 2]],
    ['ids, since 2 is no name', ['3', 'b', 'c'], [1, 2, 3], [1, 2, 3]],
    ['ids that are the names of their own rows', ['1', '2'], [1, 2], [1, 2]],
    ['ids, if no name is a number', ['a', 'b'], [2, 1], [2, 1]],
    ['ids, since two rows have the name 1', ['1', '1'], [1, 2], [1, 2]],
  ];
  for (const [what, names, cells, ids] of cases) {
    const files = shopWith({
      'durations.json': names.map((name, at) => ({ id: at + 1, name, num: at + 1, unit: 'month' })),
      'configurations.csv': 'id,product_id,name,cpu,memory\n11,1,A,1,1\n',
      'prices.csv': `id,product_id,rel_id,duration_id,price\n${cells.map((cell, at) => `${at + 1},1,11,${cell},5\n`).join('')}`,
    });
    const { rows } = await readFiles(files);
    const read = rows?.prices?.toSorted((one, other) => one.id - other.id);
    assert.deepEqual(
      read?.map(({ duration_id }) => duration_id),
      ids,
      what,
    );
  }
});

test('numbers that become names are read anew, though their file keeps its bytes', async t => {
  const durations = (first: number, name: string) =>
    `id,name,num,unit\n${[1, 2, 3].map(num => `${first + num},${num}${name},${num},month\n`).join('')}`;
  const { dir, change } = await serveSet(t, {
    'products.csv': 'id,name\n1,A\n',
    'configurations.csv': 'id,product_id,name,cpu,memory\n1,1,S,1,1\n',
    'durations.csv': durations(0, ' months'),
    'prices.csv': `id,product_id,rel_id,duration_id,price\n${[1, 2, 3].map(id => `${id},1,1,${id},${id}\n`).join('')}`,
  });
  await writeFile(join(dir, 'durations.csv'), durations(100, ''));
  const changed = await change();
  assert.ok(changed.outcome === 'read');
  assert.deepEqual(
    changed.rows?.prices?.map(({ duration_id, price }) => [duration_id, price]),
    [1, 2, 3].map(num => [100 + num, num]),
  );
  assert.match(changed.compared?.changes.summary ?? '', /6 prices|3 prices/);
});
