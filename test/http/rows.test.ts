import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogNames } from '../../src/contract/columns.ts';
import type { CatalogRow } from '../../src/contract/page.ts';
import { type Files, sample, shop, shopWith } from '../support/catalogs.ts';
import { startEdited } from '../support/edited.ts';
import { bearer, previewToken } from '../support/http/previews.ts';
import { startService } from '../support/service.ts';

const prices = String(shop['prices.csv']);
const configurations = String(shop['configurations.csv']);
const news = shop['news.json'] as Record<string, unknown>[];

/** The line of news.json in which the item with an id begins. */
function lineOf(id: number): number {
  return JSON.stringify(news, null, 2).split('\n').indexOf(`    "id": ${id},`);
}

const idsOf = ({ list }: { list: CatalogRow[] }) => list.map(({ row }) => row.id);

test('lists what visitors see of each catalog in the order of its file, with places and names', async t => {
  const { ask } = await startService(t);
  const rowsOf = async (catalog: string) => (await ask(`/overview/rows?catalog=${catalog}`)).data;
  assert.deepEqual(await rowsOf('configurations'), {
    list: [
      [11, 1, 'Small', 1, 4096, 'Cloud server', 2],
      [12, 1, 'Tiny', 0.5, 512, 'Cloud server', 3],
      [13, 1, 'Large', 8, 32768, 'Cloud server', 4],
      [21, 2, 'Hong Kong', 2, 2048, '香港云服务器', 6],
    ].map(([id, product_id, name, cpu, memory, product, row]) => ({
      row: { id, product_id, name, cpu, memory },
      names: { product_id: product },
      place: { file: 'configurations.csv', row },
    })),
    pagination: { current_page: 1, total: 4 },
    columns: ['id', 'product_id', 'name', 'cpu', 'memory'],
  });
  const { list, columns } = await rowsOf('prices');
  assert.deepEqual(
    idsOf({ list }),
    [101, 102, 103, 104, 105, 106, 108],
    'without that of a hidden configuration',
  );
  assert.deepEqual(columns, ['id', 'product_id', 'rel_id', 'duration_id', 'price', 'rel_type']);
  assert.deepEqual(list[5], {
    row: { id: 106, product_id: 1, rel_id: 13, duration_id: 2, price: 0.00595, rel_type: 1 },
    names: { product_id: 'Cloud server', rel_id: 'Large', duration_id: 'Hourly' },
    place: { file: 'prices.csv', row: 7 },
  });
  assert.deepEqual(idsOf(await rowsOf('durations')), [1, 2, 3, 4]);
  assert.deepEqual((await rowsOf('products')).list[1], {
    row: { id: 2, name: '香港云服务器' },
    place: { file: 'products.json', line: 7 },
  });
  assert.deepEqual((await rowsOf('news')).list[0], {
    row: {
      ...{ id: 1, type_id: 1, title: 'We are open', content: '<p>Come <b>in</b></p>' },
      ...{ keywords: 'launch,opening', img: 'launch.png', create_time: 1704448800, update_time: 0 },
    },
    names: { type_id: 'Announcements' },
    place: { file: 'news.json', line: lineOf(1) },
    problems: 1,
  });
  assert.deepEqual(idsOf(await rowsOf('news')), [1, 2, 3, 4]);
});

test('filters by values and names, and pages', async t => {
  const { ask } = await startService(t);
  for (const [query, ids] of [
    ['catalog=prices&keyword=tiny', [105]],
    ['catalog=prices&keyword=hourly%20server', [102, 106]],
    ['catalog=prices&keyword=455.47', [101]],
    ['catalog=configurations&keyword=%E9%A6%99%E6%B8%AF', [21]],
    ['catalog=news&keyword=come%20in', [1]],
    ['catalog=news&keyword=maintenance', [2]],
    ['catalog=products&keyword=quick', [1]],
    ['catalog=products&keyword=', [1, 2, 3]],
    ['catalog=durations&keyword=month', [3, 4]],
    ['catalog=prices&limit=2&page=3', [105, 106]],
    ['catalog=prices&page=9', []],
  ] as const) {
    const { data } = await ask(`/overview/rows?${query}`);
    assert.deepEqual(idsOf(data), ids, query);
  }
  const { headers } = await ask('/overview/rows?catalog=prices&limit=2&page=2');
  assert.equal(
    headers.link,
    '<?page=3&catalog=prices&limit=2>; rel="next", <?page=1&catalog=prices&limit=2>; rel="prev"',
  );
});

test('shows and finds what the last change did to rows', async t => {
  const { ask, save } = await startEdited(t);
  await save({
    'prices.csv': prices.replace('19.99', '24.99').replace('105,1,12,4,9.90\n', '').concat('109,1,13,4,5\n'),
    'configurations.csv': configurations.replace('Hong Kong', 'Hongkong'),
  });
  const changed = async (catalog: string) =>
    (await ask(`/overview/rows?catalog=${catalog}&only=changed`)).data.list.map(
      ({ row, change, was }: CatalogRow) => [row.id, change, was],
    );
  assert.deepEqual(await changed('prices'), [
    [104, 'changed', { price: 19.99 }],
    [109, 'added', undefined],
  ]);
  assert.deepEqual(await changed('configurations'), [[21, 'changed', { name: 'Hong Kong' }]]);
  assert.deepEqual(await changed('news'), []);
  const { data } = await ask('/overview/rows?catalog=prices&keyword=24.99');
  assert.deepEqual(data.list[0].was, { price: 19.99 });
});

test('shows no hidden rows, other times or unserved columns, however it is asked', async t => {
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
    ]) {
      const { text, data } = await ask(`/overview/rows?catalog=${catalog}${query}`);
      assert.doesNotMatch(
        text,
        /secret|draft|future|as the one before|"(hidden|publish_time|order|read)"/i,
        query,
      );
      if (query.includes('keyword')) assert.equal(data.pagination.total, 0, query);
    }
  }
});

test('a preview has the rows of its time, and the calendar what appears or disappears after it', async t => {
  const items = [
    { id: 11, publish_time: '2027-01-01' },
    { id: 12, unpublish_time: '2026-06-01' },
    { id: 13, publish_time: '2026-02-01', unpublish_time: '2028-01-01' },
    { id: 14, publish_time: '2026-03-01', hidden: true },
    { id: 15, publish_time: '2025-01-01', unpublish_time: '2025-02-01' },
  ].map(item => ({ title: `Title ${item.id}`, content: 'B', create_time: '2025-01-01', ...item }));
  const { ask } = await startService(t, { ...shop, 'news.json': items }, { previewToken });
  const at = async (instant: string, path: string) =>
    (await ask(`/preview/${instant}/overview/${path}`, { headers: bearer })).data;
  assert.deepEqual(idsOf(await at('2026-01-01', 'rows?catalog=news')), [12]);
  assert.deepEqual(idsOf(await at('2027-01-01', 'rows?catalog=news')), [11, 13]);
  const seconds = (day: string) => Date.parse(day) / 1000;
  const appears = (id: number, day: string) => ({
    ...{ id, title: `Title ${id}`, time: seconds(day), event: 'appears' },
  });
  const disappears = (id: number, day: string) => ({ ...appears(id, day), event: 'disappears' });
  assert.deepEqual((await at('2026-01-01', 'calendar')).list, [
    ...[appears(13, '2026-02-01'), disappears(12, '2026-06-01')],
    ...[appears(11, '2027-01-01'), disappears(13, '2028-01-01')],
  ]);
  assert.deepEqual((await at('2027-01-01', 'calendar')).list, [disappears(13, '2028-01-01')]);
  assert.deepEqual((await ask('/overview/calendar')).data, { list: [] }, 'visitors do not learn it');
  const many = Array.from({ length: 9 }, (_, index) => ({
    ...{ id: index + 1, title: 'A', content: 'B', create_time: '2025-01-01' },
    publish_time: `203${9 - index}-01-01`,
  }));
  const next = await startService(t, { ...shop, 'news.json': many }, { previewToken });
  const { list } = (await next.ask('/preview/2026-01-01/overview/calendar', { headers: bearer })).data;
  assert.deepEqual(
    list.map(({ id }: { id: number }) => id),
    [9, 8, 7, 6, 5, 4, 3, 2],
  );
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

test('a Markdown file is the place of its row, after the rows of the other file', async t => {
  const { ask } = await startService(t, {
    ...shop,
    'news/7-first.md': '---\ncreate_time: 2024-01-01\n---\n# First\n\nText\n',
    'news/10-second.md': '---\ncreate_time: 2024-01-02\n---\n# Second\n\nText\n',
  });
  const { list } = (await ask('/overview/rows?catalog=news')).data;
  assert.deepEqual(idsOf({ list }), [1, 2, 3, 4, 10, 7]);
  assert.deepEqual(
    list.slice(3).map(({ place }: CatalogRow) => place),
    [{ file: 'news.json', line: lineOf(4) }, { file: 'news/10-second.md' }, { file: 'news/7-first.md' }],
  );
});

test('rows of a sheet have its name and the row in it', async t => {
  const { ask } = await startService(t, {}, sample);
  const { list } = (await ask('/overview/rows?catalog=durations&limit=2')).data;
  assert.deepEqual(
    list.map(({ place }: CatalogRow) => place),
    [2, 3].map(row => ({ file: 'durations.xlsx', sheet: 'durations', row })),
  );
});

test('long texts are shortened, and empty values left out', async t => {
  const long = `${'x'.repeat(199)}😀${'y'.repeat(100)}`;
  const { ask } = await startService(
    t,
    shopWith({
      'products.json': [
        { id: 1, name: long },
        { id: 2, name: 'B' },
        { id: 3, name: 'C' },
      ],
    }),
  );
  const { list } = (await ask('/overview/rows?catalog=products')).data;
  assert.deepEqual(list[0].row, { id: 1, name: `${'x'.repeat(199)}…` });
  assert.deepEqual(
    idsOf((await ask('/overview/rows?catalog=products&keyword=yyyy')).data),
    [1],
    'found beyond that',
  );
});

test('is revalidated with 304, and counts no read', async t => {
  const { ask } = await startService(t);
  const { headers } = await ask('/overview/rows?catalog=news');
  assert.equal(headers['cache-control'], 'no-cache');
  const again = await ask('/overview/rows?catalog=news', {
    headers: { 'if-none-match': String(headers.etag) },
  });
  assert.equal(again.status, 304);
  assert.equal((await ask('/health')).data.reads.unsaved, 0);
  for (const query of [
    '',
    '?catalog=',
    '?catalog=orders',
    '?catalog=news&only=new',
    '?catalog=news&limit=101',
  ])
    assert.equal((await ask(`/overview/rows${query}`)).data.error, 'INVALID_PARAMETER', query);
});

const ids = Array.from({ length: 20_000 }, (_, index) => index + 1);
const large: Files = shopWith({
  'configurations.csv': `id,product_id,name,cpu,memory\n${ids.map(id => `${id},1,C${(id * 7919) % 20_011},1,${((id * 7919) % 97) + 1}\n`).join('')}`,
  'prices.csv': 'id,product_id,rel_id,duration_id,price\n1,1,1,1,1\n',
});
const path = '/overview/rows?catalog=configurations';

/** An answer, and how often the event loop went round before it came. */
async function countRounds<Answer extends object>(answer: () => Promise<Answer>) {
  let rounds = 0;
  let isOver = false;
  const goRound = () => {
    rounds += 1;
    if (!isOver) setImmediate(goRound);
  };
  goRound();
  const given = await answer();
  isOver = true;
  return { ...given, rounds };
}

test('many rows are looked through in steps, each of which yields to the event loop', async t => {
  const { ask } = await startService(t, large);
  const { data, rounds } = await countRounds(() => ask(`${path}&keyword=c1&limit=100`));
  assert.deepEqual(idsOf(data), ids.filter(id => `C${(id * 7919) % 20_011}`.startsWith('C1')).slice(0, 100));
  assert.ok(rounds >= 100, `${rounds} rounds`);
});
