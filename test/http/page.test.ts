import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogRow, Overview, PriceMatrix } from '../../src/contract/overview.ts';
import { packageVersion } from '../../src/package-version.ts';
import { type Files, newsUrl, sample, shop, shopWith } from '../support/catalogs.ts';
import { bearer, NOW, previewToken, startService } from '../support/service.ts';
import { roundsDuring } from '../support/work.ts';
import { feeds } from './addresses.ts';

const prices = String(shop['prices.csv']);
const configurations = String(shop['configurations.csv']);
const news = shop['news.json'] as Record<string, unknown>[];

test('the overview has the products, categories and version, and follows counts and publication times', async t => {
  let now = NOW;
  const { ask } = await startService(t, shop, { newsUrl }, () => now);
  const { most_read, ...others } = (await ask('/overview')).data;
  assert.deepEqual(most_read, [{ id: 1, title: 'We are open', read: 100 }]);
  assert.deepEqual(others, {
    ...{ products: shop['products.json'], news_types: shop['news_types.json'], next: [] },
    ...{ version: packageVersion(), feeds: feeds.map(([path]) => path.slice(1)) },
  });
  const mostRead = async () => {
    const { data }: { data: Overview } = await ask('/overview');
    return data.most_read.map(({ id, read }) => `${id}:${read}`);
  };
  await ask('/api/news/3');
  assert.deepEqual(await mostRead(), ['1:100', '3:1']);
  now = Date.parse('2030-01-01') / 1000;
  await ask('/api/news/6');
  assert.deepEqual(await mostRead(), ['1:100', '6:1', '3:1']);
});

test('a preview has the rows of its time, and what news items do next', async t => {
  const items = [
    { id: 11, publish_time: '2027-01-01' },
    { id: 12, unpublish_time: '2026-06-01' },
    { id: 13, publish_time: '2026-02-01', unpublish_time: '2028-01-01' },
    { id: 14, publish_time: '2026-03-01', hidden: true },
    { id: 15, publish_time: '2025-01-01', unpublish_time: '2025-02-01' },
  ].map(item => ({ title: `Title ${item.id}`, content: 'B', create_time: '2025-01-01', ...item }));
  const { ask } = await startService(t, { ...shop, 'news.json': items }, { previewToken });
  const at = async (instant: string, path = '') =>
    (await ask(`/preview/${instant}/overview${path}`, { headers: bearer })).data;
  assert.deepEqual(idsOf(await at('2027-01-01', '/rows?catalog=news')), [11, 13]);
  const event = (id: number, day: string, event: string) => ({
    ...{ id, title: `Title ${id}`, time: Date.parse(day) / 1000, event },
  });
  assert.deepEqual((await at('2026-01-01')).next, [
    ...[event(13, '2026-02-01', 'appears'), event(12, '2026-06-01', 'disappears')],
    ...[event(11, '2027-01-01', 'appears'), event(13, '2028-01-01', 'disappears')],
  ]);
  assert.deepEqual((await at('2027-01-01')).next, [event(13, '2028-01-01', 'disappears')]);
  assert.deepEqual((await ask('/overview')).data.next, [], 'visitors do not learn it');
});

const hourly = { duration_id: 2, name: 'Hourly', num: 1, unit: 'hour' };
const monthly = { duration_id: 4, name: 'Monthly', num: 1, unit: 'month' };
const quarterly = { duration_id: 3, name: 'Quarterly', num: 3, unit: 'month' };
const yearly = { duration_id: 1, name: 'Yearly', num: 1, unit: 'year' };

test('prices are a page of configurations with the durations that it has, filtered by terms in the name', async t => {
  const { ask } = await startService(t);
  const item = (id: number, name: string, cpu: number, memory: number, prices: object) => ({
    ...{ id, name, cpu, memory, prices },
  });
  const [one, two, three, four] = [455.47, 0.1, 99999999.9999, 19.99].map(price => ({ price }));
  assert.deepEqual((await ask('/overview/prices?product_id=1')).data, {
    list: [
      item(12, 'Tiny', 0.5, 512, { 4: { price: 9.9 } }),
      item(11, 'Small', 1, 4096, { 1: one, 2: two, 3: three, 4: four }),
      item(13, 'Large', 8, 32768, { 2: { price: 0.00595 } }),
    ],
    pagination: { current_page: 1, total: 3 },
    durations: [hourly, monthly, quarterly, yearly],
  });
  for (const [query, ids, durations] of [
    ['2', [21], [monthly]],
    ['3', [], []],
    ['1&limit=1&page=2', [11], [hourly, monthly, quarterly, yearly]],
    ['1&limit=2&page=9', [], []],
    ['1&keyword=%EF%BC%AC%20a', [11, 13], [hourly, monthly, quarterly, yearly]],
    ['1&keyword=L%20rge', [13], [hourly]],
    ['1&keyword=secret', [], []],
  ] as const) {
    const { data }: { data: PriceMatrix } = await ask(`/overview/prices?product_id=${query}`);
    const found = [data.list.map(({ id }) => id), data.durations];
    assert.deepEqual(found, [ids, durations], query);
  }
  const bare = await startService(t, { ...shop, 'durations.json': null });
  const { durations } = (await bare.ask('/overview/prices?product_id=1')).data;
  assert.equal(JSON.stringify(durations), JSON.stringify([1, 2, 3, 4].map(duration_id => ({ duration_id }))));
});

test('prices and rows are marked with what the last change did to them', async t => {
  const { ask, save } = await startService(t, shop, { holdBack: 'off' });
  await save({
    'configurations.csv': `${configurations.replace('11,1,Small,1', '11,1,Small,2').replace('12,1,Tiny,0.5,512,10', '12,1,Tiny,0.5,512,15')}15,1,New,1,1,30,\n`,
    'prices.csv': prices
      .replace('19.99', '24.99') // changed
      .replace('103,1,11,3', '203,1,11,3') // only numbered anew
      .replace('105,1,12,4,9.90\n', '') // removed
      .replace('106,1,13,2,0.00595', '106,1,13,2,0.00595\n109,1,13,4,0\n110,1,15,2,5'), // added
  });
  const matrix = async () => {
    const { data }: { data: PriceMatrix } = await ask('/overview/prices?product_id=1');
    return data.list.map(({ id, prices, change }) => [id, prices, ...(change ? [change] : [])]);
  };
  assert.deepEqual(await matrix(), [
    [12, { 4: { price: null } }],
    [
      11,
      {
        ...{ 1: { price: 455.47 }, 2: { price: 0.1 }, 3: { price: 99999999.9999 } },
        4: { price: 24.99, was: 19.99, percent: 25.01 },
      },
      'changed',
    ],
    [13, { 2: { price: 0.00595 }, 4: { price: 0, was: null } }],
    [15, { 2: { price: 5, was: null } }, 'added'],
  ]);
  const changed = async (catalog: string) => {
    const { list } = (await ask(`/overview/rows?catalog=${catalog}&only=changed`)).data;
    return list.map(({ row, change, was }: CatalogRow) => [row.id, change, was]);
  };
  assert.deepEqual(await changed('prices'), [
    [203, 'changed', { id: 103 }],
    [104, 'changed', { price: 19.99 }],
    [109, 'added', undefined],
    [110, 'added', undefined],
  ]);
  assert.deepEqual(await changed('configurations'), [
    [11, 'changed', { cpu: 1 }],
    [15, 'added', undefined],
  ]);
  assert.deepEqual(await changed('news'), []);
  await save({ 'prices.csv': prices });
  assert.deepEqual((await matrix())[0], [12, { 4: { price: 9.9, was: null } }], 'of the last set only');
});

const idsOf = ({ list }: { list: CatalogRow[] }) => list.map(({ row }) => row.id);

test('rows are what visitors see of a catalog in the order of its file, with places and names, filtered and paged', async t => {
  const markdown = (day: number) => `---\ncreate_time: 2024-01-0${day}\n---\n# Title\n\nText\n`;
  const long = `${'x'.repeat(199)}😀${'y'.repeat(100)}`;
  const { ask } = await startService(t, {
    ...shop,
    'products.json': [...(shop['products.json'] as object[]), { id: 4, name: long }],
    'configurations.csv': configurations.concat('15,1,"Unpriced \ufffd",1,1,,\n22,2,Unpriced,1,1,,\n'),
    ...{ 'news/7-first.md': markdown(1), 'news/10-second.md': markdown(2) },
  });
  const rowsOf = async (query: string, asked = ask) => (await asked(`/overview/rows?catalog=${query}`)).data;
  for (const [query, ids] of [
    ['prices', [101, 102, 103, 104, 105, 106, 108]], // without that of a hidden configuration
    ['configurations', [11, 12, 13, 21, 15, 22]],
    ['durations', [1, 2, 3, 4]],
    ['news', [1, 2, 3, 4, 10, 7]],
    ['prices&keyword=hourly%20server', [102, 106]],
    ['prices&keyword=455.47', [101]],
    ['configurations&keyword=%E9%A6%99%E6%B8%AF', [21, 22]],
    ['news&keyword=maintenance', [2]],
    ['news&keyword=future', []],
    ['products&keyword=yyyy', [4]],
    ['durations&keyword=month', [3, 4]],
    ['prices&limit=2&page=3', [105, 106]],
    ['configurations&only=problems', [15, 22]],
    ['news&only=problems', [1]],
  ] as const)
    assert.deepEqual(idsOf(await rowsOf(query)), ids, query);
  const { list, columns } = await rowsOf('prices');
  assert.deepEqual(columns, ['id', 'product_id', 'rel_id', 'duration_id', 'price', 'rel_type']);
  const ofConfigurations = ['id', 'product_id', 'name', 'cpu', 'memory'];
  assert.deepEqual((await rowsOf('configurations')).columns, ofConfigurations);
  assert.deepEqual(list[5], {
    row: { id: 106, product_id: 1, rel_id: 13, duration_id: 2, price: 0.00595, rel_type: 1 },
    names: { product_id: 'Cloud server', rel_id: 'Large', duration_id: 'Hourly' },
    place: { file: 'prices.csv', row: 7 },
  });
  const { list: items } = await rowsOf('news');
  assert.deepEqual(items[0], {
    row: {
      ...{ id: 1, type_id: 1, title: 'We are open', content: '<p>Come <b>in</b></p>' },
      ...{ keywords: 'launch,opening', img: 'launch.png', create_time: 1704448800, update_time: 0 },
    },
    names: { type_id: 'Announcements' },
    place: { file: 'news.json', line: JSON.stringify(news, null, 2).split('\n').indexOf('    "id": 1,') },
    problems: 1,
  });
  assert.equal(items[4].place.file, 'news/10-second.md');
  const problems = (await rowsOf('configurations&only=problems')).list.map((row: CatalogRow) => row.problems);
  assert.deepEqual(problems, [2, 1]);
  assert.equal((await rowsOf('products')).list[3].row.name, `${'x'.repeat(199)}…`);
  const sheets = await startService(t, {}, sample);
  const { list: durations } = await rowsOf('durations&limit=1', sheets.ask);
  assert.deepEqual(durations[0].place, { file: 'durations.xlsx', sheet: 'durations', row: 2 });
});

test('long lists of rows are made in steps, each of which yields to the event loop', async t => {
  const ids = Array.from({ length: 8_000 }, (_, index) => index + 1);
  const large: Files = shopWith({
    'configurations.csv': `id,product_id,name,cpu,memory\n${ids.map(id => `${id},1,Größe ${id},1,1\n`).join('')}`,
    'prices.csv': 'id,product_id,rel_id,duration_id,price\n1,1,1,1,1\n',
  });
  const { ask } = await startService(t, large);
  const url = '/overview/rows?catalog=configurations&keyword=sse%207&limit=100';
  const { result, rounds } = await roundsDuring(ask(url));
  assert.equal(result.data.pagination.total, ids.filter(id => String(id).includes('7')).length);
  assert.ok(rounds >= 16, `${rounds} rounds`);
});
