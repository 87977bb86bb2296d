import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Overview } from '../../src/contract/page.ts';
import { pageEndpoints } from '../../src/http/endpoints/page.ts';
import { loadCatalog } from '../../src/live/readers.ts';
import { mostRead } from '../../src/query/overview.ts';
import { shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { NOW, startService } from '../support/service.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

test('the overview has the products, categories, most read news and version', async t => {
  const { ask } = await startService(t);
  assert.deepEqual((await ask('/overview')).data, {
    version,
    products: [
      { id: 1, name: 'Cloud server', description: 'Small & quick', configurations: 3 },
      { id: 2, name: '香港云服务器', description: '', configurations: 1 },
      { id: 3, name: 'Sold out', description: '', configurations: 0 },
    ],
    news_types: [
      { id: 1, name: 'Announcements', news: 2 },
      { id: 2, name: 'Maintenance', news: 1 },
    ],
    news: 4,
    most_read: [{ id: 1, title: 'We are open', read: 100 }],
    feeds: [],
  });
});

test('it follows the counts and the publication times, and is revalidated with 304', async t => {
  let now = NOW;
  const { ask } = await startService(t, shop, {}, () => now);
  const look = async (tag = '') => ask('/overview', { headers: { 'if-none-match': tag } });
  const first = await look();
  const tag = String(first.headers.etag);
  assert.equal(first.headers['cache-control'], 'no-cache');
  assert.equal((await look(tag)).status, 304);

  await ask('/api/news/3');
  const second = await look(tag);
  assert.deepEqual(second.data.most_read, [
    { id: 1, title: 'We are open', read: 100 },
    { id: 3, title: '高性能计算已上线', read: 1 },
  ]);

  now = Date.parse('2030-01-01') / 1000;
  const third = await look(String(second.headers.etag));
  assert.deepEqual([third.data.news, third.data.news_types[0].news], [5, 3]);
});

test('titles may have any characters', async t => {
  const titles = ['","content":"', '\\","content":"\\', '</script>"\'', 'a\\', '香港 😀\n'];
  const news = titles.map((title, index) => ({
    id: index + 1,
    title,
    content: 'x',
    read: index + 1,
    create_time: 1_700_000_001,
  }));
  const { ask } = await startService(t, shopWith({ 'news.json': news }));
  const { most_read }: Overview = (await ask('/overview')).data;
  assert.deepEqual(most_read.map(({ title }) => title).reverse(), titles);
});

test('the most read rows are the same as after sorting all of them, on any page', () => {
  // More than 600, from which on a part of them is looked at first.
  const counts = fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 1500, size: 'max' });
  const place = fc.integer({ min: 0, max: 1600 });
  fc.assert(
    fc.property(counts, place, fc.integer({ min: 1, max: 100 }), (counts, start, length) => {
      const rows = counts.map((_, row) => row).reverse();
      const countOf = (row: number) => counts[row] ?? 0;
      let looked = 0;
      const countLooks = (row: number) => {
        looked += 1;
        return countOf(row);
      };
      const sorted = rows.toSorted((one, other) => countOf(other) - countOf(one));
      assert.deepEqual(
        mostRead(rows, countLooks, start, start + length),
        sorted.slice(start, start + length).map(row => ({ row, count: countOf(row) })),
      );
      assert.equal(looked, rows.length);
    }),
  );
});

test('counts are ranked once per change, however often it is requested', async t => {
  const { snapshot } = await loadCatalog(sourceIn(await writeFiles(t, shop)));
  assert.ok(snapshot);
  let revision = 1;
  const reads = {
    raise: () => assert.fail('a read was counted'),
    shown: (_id: number, floor: number) => floor,
    revision: () => revision,
    health: () => assert.fail(),
    flush: async () => {},
    close: async () => {},
  };
  const feeds = ['feeds/news.atom'];
  const [overview] = pageEndpoints({ reads, now: () => NOW, feeds, problems: () => ({}) });
  const made = await overview?.ask({}, undefined).answer(snapshot, 'GET');
  assert.deepEqual(JSON.parse(String(made?.body)).data.feeds, feeds);
  assert.equal(made?.isCurrent?.(), true);
  revision += 1;
  assert.equal(made?.isCurrent?.(), false);
});

test('the news of the page are those of the contract, with images and categories, and no read is counted', async t => {
  const { ask } = await startService(t);
  for (const query of ['', '?keyword=we', '?type_id=2', '?page=2&limit=3', '?page=9', '?limit=1&type_id=1']) {
    const [cards, list] = [await ask(`/overview/news${query}`), await ask(`/api/news${query}`)];
    const ids = ({ data }: typeof cards) => data.list.map(({ id }: { id: number }) => id);
    assert.deepEqual(ids(cards), ids(list), query);
    assert.deepEqual(cards.data.pagination, list.data.pagination);
    const tag = String(cards.headers.etag);
    assert.equal((await ask(`/overview/news${query}`, { headers: { 'if-none-match': tag } })).status, 304);
  }
  const { list } = (await ask('/overview/news')).data;
  assert.deepEqual(list.at(-1), {
    id: 1,
    type_id: 1,
    title: 'We are open',
    paragraphs: ['Come in'],
    keywords: 'launch,opening',
    img: 'launch.png',
    read: 100,
    create_time_formatted: '2024-01-05 10:00:00',
  });
  assert.ok(list.every((item: { id: number }) => 'type_id' in item === (item.id !== 4)));
  assert.equal((await ask('/overview/news?limit=101')).data.error, 'INVALID_PARAMETER');
  assert.equal((await ask('/health')).data.reads.unsaved, 0);
});

test('a news item of the page is that of the contract with its category, and no read is counted', async t => {
  const { ask } = await startService(t);
  for (const id of [1, 2, 3, 4]) {
    const article = await ask(`/overview/news/${id}`);
    const { type_id, html, ...detail } = article.data;
    assert.equal(html, id === 1, 'only the first is HTML');
    assert.equal(type_id, [1, 2, 1, undefined][id - 1]);
    const counted = (await ask(`/api/news/${id}`)).data;
    assert.deepEqual({ ...detail, read: detail.read + 1 }, counted);
  }
  assert.equal((await ask('/health')).data.reads.unsaved, 4, 'those of /api');
  const tag = String((await ask('/overview/news/2')).headers.etag);
  assert.equal((await ask('/overview/news/2', { headers: { 'if-none-match': tag } })).status, 304);
  assert.equal((await ask('/overview/news/99')).data.error, 'NEWS_NOT_FOUND');
  assert.equal((await ask('/overview/news/x')).data.error, 'INVALID_PARAMETER');
});

test('long contents are converted in steps, and each step yields to the event loop', async t => {
  const content = '<p>caf&eacute;</p>'.repeat(10_000);
  const news = [1, 2, 3, 4, 5].map(id => ({ id, title: 'A', content, create_time: 1_700_000_000 + id }));
  const { ask } = await startService(t, shopWith({ 'news.json': news }));
  let rounds = 0;
  let isOver = false;
  const goRound = () => {
    rounds += 1;
    if (!isOver) setImmediate(goRound);
  };
  await ask('/overview');
  goRound();
  const { list } = (await ask('/overview/news')).data;
  isOver = true;
  assert.deepEqual(
    list.map(({ paragraphs }: { paragraphs: string[] }) => [paragraphs.length, paragraphs.at(-1)]),
    news.map(() => [10_000, 'café']),
  );
  assert.ok(rounds >= news.length, `${rounds} rounds`);
});

test('without catalogs it is 503, but the page is served', async t => {
  const { ask, app } = await startService(t, {}, { catalogDir: '/nowhere/at/all' });
  for (const url of ['/overview', '/overview/news', '/overview/news/1'])
    assert.equal((await ask(url)).data.error, 'NOT_READY');
  assert.equal((await app.inject('/')).statusCode, 200);
});
