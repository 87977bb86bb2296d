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
const types = shop['news_types.json'] as object[];

const price = (rel_id: number) => ({ product_id: 1, rel_id, duration_id: 4 });
const names = (rel_id: string) => ({ product_id: 'Cloud server', rel_id, duration_id: 'Monthly' });
const counts = { columns_added: [], columns_removed: [] };

test('lists what a set changed, with the versions, the time and the numbers by catalog, also after a restart', async t => {
  const { ask, save, app, settings } = await startService(t, shop, { holdBack: 'off' });
  const first = await ask('/changes');
  assert.deepEqual(first.data, nothing, 'of the first set ever');
  assert.equal((await ask('/health')).data.last_attempt.changes, undefined);
  await save({
    'prices.csv': prices.replace('19.99', '24.99').replace('105,1,12,4,9.90\n', ''),
    'news_types.json': [...types, { id: 3, name: 'Events' }],
  });
  const { data, headers } = await ask('/changes');
  const { time, ...others } = data;
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const raise = { column: 'price', from: 19.99, to: 24.99, percent: 25.01 };
  const added = Object.entries({ id: 3, name: 'Events' }).map(([column, to]) => ({ column, from: null, to }));
  assert.deepEqual(others, {
    list: [
      { catalog: 'prices', change: 'changed', key: price(11), names: names('Small'), columns: [raise] },
      { catalog: 'prices', change: 'removed', key: price(12), names: names('Tiny'), columns: [] },
      { catalog: 'news_types', change: 'added', key: { id: 3 }, names: { id: 'Events' }, columns: added },
    ],
    pagination: { current_page: 1, total: 3 },
    ...{ from: first.headers['catalog-version'], to: headers['catalog-version'] },
    catalogs: [
      { catalog: 'prices', added: 0, removed: 1, changed: 1, ...counts },
      { catalog: 'news_types', added: 1, removed: 0, changed: 0, ...counts },
    ],
  });
  const { changes } = (await ask('/health')).data.last_attempt;
  assert.equal(changes, '1 price removed, 1 price changed, 1 news type added');
  const page = await ask('/changes?page=2&limit=2');
  assert.deepEqual(page.data, {
    ...data,
    list: data.list.slice(2),
    pagination: { current_page: 2, total: 3 },
  });
  assert.equal(page.headers.link, '<?page=1&limit=2>; rel="prev"');

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
    'news_types.json': [{ id: 1, name: 'Renamed' }, ...types.slice(1)],
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
