import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newsList } from '../../src/http/endpoints/news-list.ts';
import { shopWith } from '../support/catalogs.ts';
import { NOW, startService } from '../support/service.ts';

const ids = (data: { list: { id: number }[] }) => data.list.map(({ id }) => id);

test('lists the visible news newest first, items of the same time by id', async t => {
  const { ask } = await startService(t);
  const { data } = await ask('/api/news');
  assert.deepEqual(ids(data), [4, 3, 2, 1]);
  assert.deepEqual(data.pagination, { current_page: 1, total: 4 });
});

test('gives each item its fields in the order of the contract; a missing update_time is the create_time', async t => {
  const { ask } = await startService(t);
  const { data } = await ask('/api/news?type_id=1');
  assert.deepEqual(Object.entries(data.list[1]), [
    ['id', 1],
    ['title', 'We are open'],
    ['content', '<p>Come <b>in</b></p>'],
    ['keywords', 'launch,opening'],
    ['read', 100],
    ['create_time', 1704448800],
    ['create_time_formatted', '2024-01-05 10:00:00'],
    ['update_time_formatted', '2024-01-05 10:00:00'],
  ]);
  const [changed] = (await ask('/api/news?type_id=2')).data.list;
  assert.equal(changed.update_time_formatted, '2024-02-02 00:00:00');
  assert.equal(changed.keywords, '');
});

test('formats times in TIME_ZONE, and reads them in it', async t => {
  const { ask } = await startService(t, shopWith({}), { timeZone: 'Asia/Shanghai' });
  const [first] = (await ask('/api/news?type_id=1&page=2&limit=1')).data.list;
  assert.equal(first.create_time_formatted, '2024-01-05 10:00:00');
  assert.equal(first.create_time, 1704448800 - 8 * 3600);
});

test('filters by category, by keyword and by both, and pages the result', async t => {
  const { ask } = await startService(t);
  const cases: [query: string, ids: number[], total: number][] = [
    ['type_id=1', [3, 1], 2],
    ['type_id=2', [2], 1],
    ['type_id=99', [], 0],
    ['type_id=', [4, 3, 2, 1], 4],
    ['keyword=', [4, 3, 2, 1], 4],
    ['keyword=%20%20', [4, 3, 2, 1], 4],
    ['keyword=OPEN', [1], 1],
    ['keyword=%EF%BC%AF%EF%BC%B0%EF%BC%A5%EF%BC%AE', [1], 1],
    ['keyword=opening', [1], 1],
    ['keyword=come+in', [1], 1],
    ['keyword=in+come', [1], 1],
    ['keyword=comein', [], 0],
    ['keyword=b%3E', [], 0],
    ['keyword=%E6%80%A7%E8%83%BD', [3], 1],
    ['keyword=e&type_id=1', [1], 1],
    ['keyword=e&limit=1&page=2', [2], 3],
    ['type_id=1&page=2&limit=1', [1], 2],
    ['keyword=draft', [], 0],
    ['keyword=future', [], 0],
    ['page=3&limit=2', [], 4],
    ['unknown=1&unknown=2', [4, 3, 2, 1], 4],
  ];
  for (const [query, expected, total] of cases) {
    const { data } = await ask(`/api/news?${query}`);
    assert.deepEqual(ids(data), expected, query);
    assert.equal(data.pagination.total, total, query);
  }
});

test('news items appear at their publish_time, and disappear if the clock is set back', async t => {
  let now = NOW;
  const { ask } = await startService(t, shopWith({}), {}, () => now);
  const publish = Date.UTC(2030, 0, 1) / 1000;
  const cases: [now: number, ids: number[], detail: number][] = [
    [NOW, [3, 1], 404],
    [publish - 1, [3, 1], 404],
    [publish, [6, 3, 1], 200],
    [publish + 86_400 * 3650, [6, 3, 1], 200],
    [publish - 0.5, [3, 1], 404],
  ];
  for (const [moment, expected, detail] of cases) {
    now = moment;
    assert.deepEqual(ids((await ask('/api/news?type_id=1')).data), expected);
    assert.equal((await ask('/api/news/6')).status, detail);
  }
});

test('a list stays current while the counts of its own items do, unless it is sorted by reads', async t => {
  const { services } = await startService(t);
  const { reads, catalog } = services;
  const snapshot = catalog.snapshot();
  assert.ok(snapshot);
  const { ask } = newsList({ reads, now: () => NOW });
  const [first, all, sorted] = await Promise.all(
    [{ limit: 1 }, { limit: 20 }, { limit: 1, sort: 'read' }].map(query =>
      ask({ page: 1, ...query }, undefined).answer(snapshot, 'GET'),
    ),
  );
  const current = () => [first, all, sorted].map(list => list?.isCurrent?.());
  assert.deepEqual(current(), [true, true, true]);
  await reads.raise(1, 100);
  assert.deepEqual(current(), [true, false, false]);
  await reads.raise(4, 0);
  assert.deepEqual(current(), [false, false, false]);
});
