import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogNames } from '../../src/contract/columns.ts';
import type { CatalogRow } from '../../src/contract/page.ts';
import { shop, shopWith } from '../support/catalogs.ts';
import { bearer, previewToken } from '../support/http/previews.ts';
import { startService } from '../support/service.ts';

const configurations = String(shop['configurations.csv']);
const news = shop['news.json'] as Record<string, unknown>[];

const preview = { headers: bearer };
/** The line of news.json in which the item with an id begins. */
function lineOf(id: number): number {
  return JSON.stringify(news, null, 2).split('\n').indexOf(`    "id": ${id},`);
}

const idsOf = ({ list }: { list: CatalogRow[] }) => list.map(({ row }) => row.id);

test('previews also show hidden rows, other times, and the columns that are not served', async t => {
  const { ask } = await startService(t, shop, { previewToken });
  const rowsOf = async (catalog: string, instant = '2026-01-01') =>
    (await ask(`/preview/${instant}/overview/rows?catalog=${catalog}`, preview)).data;
  const states = ({ list }: { list: CatalogRow[] }) => list.map(({ row, state }) => [row.id, state]);
  assert.deepEqual(states(await rowsOf('configurations')), [
    [11, undefined],
    [12, undefined],
    [13, undefined],
    [14, 'hidden'],
    [21, undefined],
  ]);
  const { list } = await rowsOf('prices');
  assert.deepEqual(list[6], {
    row: { id: 107, product_id: 1, rel_id: 14, duration_id: 2, price: 1, rel_type: 1 },
    names: { product_id: 'Cloud server', duration_id: 'Hourly' },
    place: { file: 'prices.csv', row: 8 },
    state: 'hidden',
  });
  const [, , , , hidden, scheduled] = (await rowsOf('news')).list;
  assert.deepEqual(
    [hidden.state, hidden.row.title, hidden.place],
    ['hidden', 'Hidden', { file: 'news.json', line: lineOf(5) }],
  );
  assert.deepEqual([scheduled.state, scheduled.row.publish_time], ['scheduled', 1893456000]);
  assert.deepEqual(states(await rowsOf('news', '2031-01-01')).at(-1), [6, undefined]);
  const { columns } = await rowsOf('configurations');
  assert.deepEqual(columns, ['id', 'product_id', 'name', 'cpu', 'memory', 'order', 'hidden']);
});

test('visitors see no hidden rows, other times or unserved columns, however they ask', async t => {
  const { ask } = await startService(
    t,
    shopWith({
      'configurations.csv': configurations.replace('14,1,Secret', '14,1,Hidden secret'),
      'news.json': news.map(item => ({ ...item, ...(item.id === 4 && { unpublish_time: '2025-06-01' }) })),
    }),
  );
  for (const catalog of catalogNames) {
    for (const query of [
      '',
      '&keyword=hidden',
      '&keyword=draft',
      '&keyword=future',
      '&only=problems',
      '&limit=100',
      '&only=scheduled',
    ]) {
      const { text, data } = await ask(`/overview/rows?catalog=${catalog}${query}`);
      assert.doesNotMatch(
        text,
        /secret|draft|future|as the one before|"(state|hidden|publish_time|order|read)"/i,
        query,
      );
      if (/keyword|scheduled/.test(query)) assert.equal(data.pagination.total, 0, query);
    }
  }
});

test('a preview lists what appears or disappears later, the soonest first', async t => {
  const items = [
    { id: 11, publish_time: '2027-01-01' },
    { id: 12, unpublish_time: '2026-06-01' },
    { id: 13, publish_time: '2026-02-01', unpublish_time: '2028-01-01' },
    { id: 14, publish_time: '2026-03-01', hidden: true },
    { id: 15, publish_time: '2025-01-01', unpublish_time: '2025-02-01' },
  ].map(item => ({ title: 'A', content: 'B', create_time: '2025-01-01', ...item }));
  const { ask } = await startService(t, { ...shop, 'news.json': items }, { previewToken });
  const scheduled = async (instant: string, catalog = 'news') =>
    idsOf((await ask(`/preview/${instant}/overview/rows?catalog=${catalog}&only=scheduled`, preview)).data);
  assert.deepEqual(await scheduled('2026-01-01'), [13, 12, 11]);
  assert.deepEqual(await scheduled('2026-12-01'), [11, 13]);
  assert.deepEqual(await scheduled('2026-01-01', 'prices'), []);
});

test('finds the rows with problems, and their number', async t => {
  const { ask } = await startService(t, {
    ...shop,
    'configurations.csv': configurations.concat('15,1,"Unpriced \ufffd",1,1,,\n22,2,Unpriced,1,1,,\n'),
  });
  const { list } = (await ask('/overview/rows?catalog=configurations&only=problems')).data;
  assert.deepEqual(
    list.map(({ row, problems }: CatalogRow) => [row.id, problems]),
    [
      [15, 2],
      [22, 1],
    ],
  );
  assert.deepEqual(idsOf((await ask('/overview/rows?catalog=news&only=problems')).data), [1]);
  assert.deepEqual(idsOf((await ask('/overview/rows?catalog=prices&only=problems')).data), []);
});
