import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample, shop, shopWith } from '../support/catalogs.ts';
import { NOW, startService } from '../support/service.ts';

const ids = (data: { list: { id: number }[] }) => data.list.map(({ id }) => id);
const FIELDS = ['id', 'title', 'content', 'keywords', 'read', 'create_time'];
FIELDS.push('create_time_formatted', 'update_time_formatted');

test('include adds image and category before the read count, in one order, and changes nothing else', async t => {
  const { ask } = await startService(t, {}, sample);
  const { list } = (await ask('/api/news?limit=100')).data;
  for (const [include, added] of [
    ['img', ['img']],
    ['type_id', ['type_id']],
    ['img,type_id', ['img', 'type_id']],
    ['type_id,img,img', ['img', 'type_id']],
  ] as const) {
    const including = (await ask(`/api/news?limit=100&include=${include}`)).data.list;
    for (const [place, item] of including.entries()) {
      const names = added.filter(name => name in item);
      assert.deepEqual(Object.keys(item), FIELDS.toSpliced(4, 0, ...names));
      assert.deepEqual({ ...list[place], ...item }, item);
    }
    assert.equal(including.length, list.length);
  }
  assert.deepEqual((await ask('/api/news?limit=100&include=')).data.list, list);
});

test('a list may be repeated instead of separated by commas, as generated clients do', async t => {
  const { ask, routedRequests } = await startService(t);
  for (const [repeated, joined] of [
    ['include=type_id&include=img', 'include=type_id,img'],
    ['ids=3&ids=1,2&ids=', 'ids=1,2,3'],
    ['ids=&ids=', 'ids='],
  ]) {
    const { text, headers } = await ask(`/api/news?limit=2&${joined}`);
    const other = await ask(`/api/news?limit=2&${repeated}`);
    assert.deepEqual([other.text, other.headers.link], [text, headers.link], repeated);
  }
  assert.equal(routedRequests(), 0);
});

test('included fields are those of the detail and the catalog, a category only if there is one', async t => {
  const { ask } = await startService(t);
  const { list } = (await ask('/api/news?include=img,type_id')).data;
  const { img } = (await ask('/api/news/1')).data;
  assert.equal(list[3].img, img);
  assert.deepEqual(
    list.map((item: { img: string; type_id?: number }) => [item.img, item.type_id]),
    [
      ['', undefined],
      ['', 1],
      ['', 2],
      ['launch.png', 1],
    ],
  );
  assert.ok(!('type_id' in list[0]));
});

test('sort=read lists the most read first, ties in the default order, up to date with every read', async t => {
  const { ask } = await startService(t);
  const order = async () => {
    const pages = await Promise.all([1, 2, 3].map(page => ask(`/api/news?sort=read&limit=2&page=${page}`)));
    assert.deepEqual(pages[0]?.data.pagination, { current_page: 1, total: 4 });
    return pages.flatMap(({ data }) => ids(data));
  };
  assert.deepEqual(await order(), [1, 4, 3, 2]);
  const { headers } = await ask('/api/news?sort=read');
  await ask('/api/news/2');
  assert.deepEqual(await order(), [1, 2, 4, 3]);
  await ask('/api/news/3');
  assert.deepEqual(await order(), [1, 3, 2, 4]);
  const changed = await ask('/api/news?sort=read', { headers: { 'if-none-match': String(headers.etag) } });
  assert.equal(changed.status, 200);
  assert.deepEqual(ids((await ask('/api/news?sort=')).data), [4, 3, 2, 1]);
});

test('since and until bound the time of creation, both included, in Unix seconds or in the zone of the site', async t => {
  const zones = ['UTC', 'Asia/Shanghai'];
  for (const timeZone of zones) {
    const { ask } = await startService(t, shop, { timeZone });
    const second = 1_706_754_600; // That of item 2, which is given in Unix seconds.
    const day = timeZone === 'UTC' ? '02:30:00' : '10:30:00';
    const cases: [query: string, ids: number[]][] = [
      [`since=${second}`, [4, 3, 2]],
      [`since=${second + 1}`, [4, 3]],
      [`until=${second}`, [2, 1]],
      [`until=${second - 1}`, [1]],
      [`since=${second}&until=${second}`, [2]],
      ['since=2024-03-01', [4, 3]],
      ['since=2024-03-02', []],
      ['until=2024-03-01', [4, 3, 2, 1]],
      ['until=2024-02-29', [2, 1]],
      ['since=2024-02-01&until=2024-02-01', [2]],
      [`since=2024-02-01+${day}&until=2024-02-01T${day}`, [2]],
      ['until=2024-03-01+00:00:00&since=2024-02-01', [4, 3, 2]],
      ['since=0', [4, 3, 2, 1]],
      ['until=0', []],
      ['until=9999-12-31', [4, 3, 2, 1]],
      ['since=&until=', [4, 3, 2, 1]],
    ];
    for (const [query, expected] of cases)
      assert.deepEqual(ids((await ask(`/api/news?${query}`)).data), expected, `${timeZone} ${query}`);
  }
});

test('a day ends where the next begins, whether it has 23, 24 or 25 hours', async t => {
  // In São Paulo the clocks went back from 0:00 on 18 February 2018, and forward from 0:00 on 4 November.
  const hour = (day: string, hours: number) => Date.parse(`${day}T00:00:00-02:00`) / 1000 + hours * 3600;
  const times = [hour('2018-02-17', 24.5), hour('2018-11-04', 1)];
  const news = times.map((create_time, index) => ({ id: index + 1, title: 'A', content: 'B', create_time }));
  const { ask } = await startService(t, shopWith({ 'news.json': news }), { timeZone: 'America/Sao_Paulo' });
  for (const [day, expected] of [
    ['2018-02-17', [1]],
    ['2018-02-18', []],
    ['2018-11-03', []],
    ['2018-11-04', [2]],
  ] as const) {
    assert.deepEqual(ids((await ask(`/api/news?since=${day}&until=${day}`)).data), expected, day);
  }
});

test('ids are a filter: the order stays, each item appears once, and unknown or hidden ones are left out', async t => {
  const { ask } = await startService(t);
  const { data } = await ask('/api/news?ids=1,3,99,1,5,6,03');
  assert.deepEqual([ids(data), data.pagination.total], [[3, 1], 2]);
  assert.deepEqual(ids((await ask('/api/news?ids=99')).data), []);
  assert.deepEqual(ids((await ask('/api/news?ids=')).data), [4, 3, 2, 1]);
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  assert.equal((await ask(`/api/news?ids=${hundred}`)).data.pagination.total, 4);
});

test('all of them combine with the keyword, the category and the page', async t => {
  const { ask } = await startService(t, shopWith({}), {}, () => NOW);
  const cases: [query: string, ids: number[], total: number][] = [
    ['ids=1,2,4&keyword=e', [4, 2, 1], 3],
    ['ids=1,3,4&keyword=e', [4, 1], 2],
    ['ids=1,2,4&keyword=e&sort=read', [1, 4, 2], 3],
    ['ids=1,2,4&keyword=e&sort=read&page=2&limit=1', [4], 3],
    ['ids=1,2,4&keyword=%20', [4, 2, 1], 3],
    ['ids=1,2,3&type_id=1', [3, 1], 2],
    ['ids=1,2,3&type_id=1&since=2024-02-01', [3], 1],
    ['keyword=e&until=2024-02-28', [2, 1], 2],
    ['keyword=e&type_id=1&until=2024-02-28&sort=read', [1], 1],
    ['type_id=1&since=2024-03-01&include=type_id', [3], 1],
    ['type_id=1&sort=read&page=2&limit=1', [3], 2],
  ];
  for (const [query, expected, total] of cases) {
    const { data } = await ask(`/api/news?${query}`);
    assert.deepEqual([ids(data), data.pagination.total], [expected, total], query);
  }
});
