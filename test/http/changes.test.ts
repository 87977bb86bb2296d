import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shop, writeInto } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const nothing = {
  ...{ list: [], pagination: { current_page: 1, total: 0 } },
  ...{ from: null, to: null, time: null, catalogs: [] },
};
const configurations = String(shop['configurations.csv']);
const prices = String(shop['prices.csv']);
const news = shop['news.json'] as object[];

test('lists what a set changed, with the versions, the time and the numbers by catalog, also after a restart', async t => {
  const { ask, save, app, settings } = await startService(t, shop, { holdBack: 'off' });
  const first = await ask('/changes');
  assert.deepEqual(first.data, nothing, 'of the first set ever');
  assert.equal((await ask('/health')).data.last_attempt.changes, undefined);
  const before = first.headers['catalog-version'];
  await save({
    'prices.csv': prices
      .replace('19.99', '24.99')
      .replace('103,1,11,3', '203,1,11,3')
      .replace('105,1,12,4,9.90\n', ''),
    'news.json': [
      ...news,
      { id: 7, title: 'New', content: 'x'.repeat(300), create_time: '2025-01-01', type_id: 2 },
    ],
  });
  const { data, headers } = await ask('/changes');
  const { time, ...others } = data;
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const price = (duration_id: number) => ({ product_id: 1, rel_id: 11, duration_id });
  const names = { product_id: 'Cloud server', rel_id: 'Small' };
  const change = (catalog: string, change: string, key: object, names: object, columns: object[]) => ({
    ...{ catalog, change, key, names },
    columns,
  });
  const counts = (catalog: string, added: number, removed: number, changed: number) => ({
    ...{ catalog, added, removed, changed },
    ...{ columns_added: [], columns_removed: [] },
  });
  const tiny = { product_id: 1, rel_id: 12, duration_id: 4 };
  const [id, percent] = [{ column: 'id', from: 103, to: 203 }, 25.01];
  const added = {
    ...{ id: 7, type_id: 2, title: 'New', content: `${'x'.repeat(200)}…`, keywords: '', img: '' },
    ...{ create_time: 1735689600, update_time: 0 },
  };
  assert.deepEqual(others, {
    list: [
      change('prices', 'changed', price(3), { ...names, duration_id: 'Quarterly' }, [id]),
      change('prices', 'changed', price(4), { ...names, duration_id: 'Monthly' }, [
        { column: 'price', from: 19.99, to: 24.99, percent },
      ]),
      change('prices', 'removed', tiny, { ...names, rel_id: 'Tiny', duration_id: 'Monthly' }, []),
      change(
        ...(['news', 'added', { id: 7 }, { id: 'New' }] as const),
        Object.entries(added).map(([column, to]) => ({ column, from: null, to })),
      ),
    ],
    pagination: { current_page: 1, total: 4 },
    ...{ from: before, to: headers['catalog-version'] },
    catalogs: [counts('prices', 0, 1, 2), counts('news', 1, 0, 0)],
  });
  const { changes } = (await ask('/health')).data.last_attempt;
  assert.equal(changes, '1 price removed, 1 price changed, 1 price renumbered, 1 news item added');
  const page = await ask('/changes?page=2&limit=3');
  assert.deepEqual(page.data, {
    ...data,
    list: data.list.slice(3),
    pagination: { current_page: 2, total: 4 },
  });
  assert.equal(page.headers.link, '<?page=1&limit=3>; rel="prev"');

  // A start has the report of the set before it, as has that of the last good set of the history.
  await app.close();
  const { catalogDir, stateDir } = settings;
  for (const files of [{}, { 'prices.csv': 'broken' }]) {
    await writeInto(catalogDir, files);
    const restarted = await startService(t, {}, { catalogDir, stateDir });
    assert.deepEqual((await restarted.ask('/changes')).data, data);
    assert.equal((await restarted.ask('/health')).data.last_attempt.changes, undefined);
    await restarted.app.close();
  }
});

test('each change has the names of what its ids stand for, but not that of a row that is gone', async t => {
  const { ask, save } = await startService(t, shop, { holdBack: 'off' });
  const [duration, ...durations] = shop['durations.json'] as object[];
  await save({
    'configurations.csv': configurations.replace('Small,1,', 'Small,2,'),
    'durations.json': [{ ...duration, num: 2 }, ...durations],
    'news_types.json': [{ id: 1, name: 'Renamed' }, ...(shop['news_types.json'] as object[]).slice(1)],
    'news.json': [
      { ...news[0], content: 'changed', title: 'x'.repeat(300) },
      { ...news[1], publish_time: '2199-01-01' },
      ...news.slice(2),
    ],
  });
  const { data } = await ask('/changes');
  const named = data.list.map(({ change, names }: Record<string, unknown>) => [change, names]);
  assert.deepEqual(named, [
    ['changed', { id: 'Small' }],
    ['changed', { id: 'Yearly' }],
    ['changed', { id: 'Renamed' }],
    ['changed', { id: `${'x'.repeat(200)}…` }],
    ['removed', undefined],
  ]);
});
