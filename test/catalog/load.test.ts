import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalog } from '../../src/catalog/load.ts';
import { isError } from '../../src/catalog/problems.ts';
import { newsDetail } from '../../src/catalog/records.ts';
import { formatProblems } from '../../src/catalog/report.ts';
import { searchText } from '../../src/catalog/search-text.ts';
import { readSet } from '../../src/catalog/set.ts';
import { openTimeZone } from '../../src/catalog/time-zone.ts';
import { shop, shopWith, sourceIn, writeFiles } from '../catalogs.ts';
import { newsOf, pricesOf } from '../rows.ts';

test('what comes over from the worker is what was read, in the same order, in however many slices', async t => {
  const news = Array.from({ length: 1000 }, (_, index) => ({
    id: index + 1,
    title: `香港 ${index}`,
    content: 'x'.repeat(1 + ((index * 7919) % 3000)),
    create_time: (index * 104_729) % 1009,
    update_time: index % 2,
  }));
  const source = sourceIn(await writeFiles(t, shopWith({ 'news.json': news })));
  const { rows, report } = await readSet(source);
  const { snapshot, report: same } = await loadCatalog(source);
  assert.deepEqual(same, report);
  assert.ok(rows && snapshot);
  assert.equal(snapshot.version, report.version);
  const zone = openTimeZone(source.timeZone);
  assert.deepEqual(
    newsOf(snapshot),
    rows.news?.map(item => newsDetail(item, item.read, zone)),
  );
  assert.deepEqual(
    snapshot.news.texts.map(text => text.length),
    rows.news?.map(item => searchText(item).length),
  );
  assert.deepEqual(pricesOf(snapshot), rows.prices);
  assert.deepEqual([...snapshot.configurations.values()], rows.configurations);
  assert.deepEqual([...(snapshot.durations?.values() ?? [])], rows.durations);
  assert.deepEqual([...snapshot.products.values()], rows.products);
  assert.deepEqual([...snapshot.newsTypes.values()], rows.news_types);
  assert.deepEqual(
    [...snapshot.news.update_time],
    rows.news?.map(item => item.update_time || item.create_time),
  );
});

test('an absent catalog of durations is none, and an empty one is one without rows', async t => {
  const none = { 'durations.json': null, 'prices.csv': 'id,product_id,rel_id,duration_id,price\n' };
  const { snapshot } = await loadCatalog(sourceIn(await writeFiles(t, { ...shop, ...none })));
  assert.equal(snapshot?.durations, undefined);
  const empty = shopWith({ ...none, 'durations.json': [] });
  assert.equal((await loadCatalog(sourceIn(await writeFiles(t, empty)))).snapshot?.durations?.size, 0);
});

test('a set that takes too much memory or time is refused like any other', async t => {
  const rows = Array.from({ length: 200_000 }, (_, index) => ({ id: index + 1, name: `n${index}` }));
  const dir = await writeFiles(t, shopWith({ 'products.json': rows }));
  const cases = [
    [{ memoryMb: 24, seconds: 60 }, 'it takes more than 24 MB of memory'],
    [{ memoryMb: 1024, seconds: 0.01 }, 'it takes more than 0.01 s'],
  ] as const;
  for (const [limits, reason] of cases) {
    const { snapshot, report } = await loadCatalog(sourceIn(dir), limits);
    assert.equal(snapshot, undefined);
    assert.deepEqual(report.problems, [
      { file: dir, code: 'LOAD_FAILED', message: `the set could not be read: ${reason}` },
    ]);
  }
  assert.ok((await loadCatalog(sourceIn(dir))).snapshot);
});

test('a file that is too big is refused by its size', async t => {
  const dir = await writeFiles(t, shopWith({ 'products.json': `[${' '.repeat(2 ** 20)}]` }));
  const { report } = await loadCatalog(sourceIn(dir, { maxFileMb: 1 }));
  assert.deepEqual(
    report.problems.filter(({ file }) => file === 'products.json'),
    [
      {
        file: 'products.json',
        code: 'FILE_TOO_BIG',
        message: 'the file has 2 MB, and 1 are allowed: make it smaller, or set MAX_FILE_MB',
      },
    ],
  );
});

test('of many problems the first hundred are told, errors before warnings, and how many more there are', async t => {
  const configurations = Array.from({ length: 150 }, (_, index) => `${index + 1},1,C,1,1\n`);
  const prices = Array.from({ length: 60 }, (_, index) => `${index + 1},1,1,1,x\n`);
  const dir = await writeFiles(
    t,
    shopWith({
      'configurations.csv': `id,product_id,name,cpu,memory\n${configurations.join('')}`,
      'prices.csv': `id,product_id,rel_id,duration_id,price\n${prices.join('')}`,
    }),
  );
  const { report } = await loadCatalog(sourceIn(dir));
  assert.equal(report.problems.length, 100);
  assert.ok(report.problems.every(isError));
  assert.equal(formatProblems(report).at(-1), `and ${60 + 59 + 149 + 1 - 100} problems more`);
});
