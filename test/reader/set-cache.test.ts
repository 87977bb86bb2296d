import assert from 'node:assert/strict';
import { readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '../../scripts/bench/catalog/random.ts';
import { catalogNames } from '../../src/contract/columns.ts';
import { isError } from '../../src/contract/problems.ts';
import { contentsPath } from '../../src/history/contents.ts';
import { historyPath } from '../../src/history/entries.ts';
import type { CatalogSource } from '../../src/reader/load-set.ts';
import {
  ALL_ROWS,
  cacheOf,
  csvOf,
  files,
  NEWS_ROWS,
  newSource,
  newsRows,
  openService,
  PRICE_ROWS,
  pricesOf,
  told,
} from '../support/catalog/cached-sets.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';

test('a file that is unchanged is not read again, neither for a change nor at a start', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  assert.equal(service.rows(), ALL_ROWS);
  const before = service.served()?.snapshot;
  await writeInto(source.catalogDir, { 'prices.csv': pricesOf('11') });
  await service.takeUp();
  assert.equal(service.rows(), PRICE_ROWS);
  for (const part of ['products', 'configurations', 'durations', 'newsTypes', 'news'] as const)
    assert.equal(service.served()?.snapshot[part], before?.[part]);
  const data = service.data();
  service.restart();
  await service.takeUp();
  assert.equal(service.rows(), 0);
  assert.deepEqual(service.data(), data);
  await writeInto(source.catalogDir, { 'news.csv': csvOf(newsRows(5)) });
  await service.takeUp();
  assert.equal(service.rows(), NEWS_ROWS - 1);
  assert.deepEqual(service.damage, []);
});

test('a changed file is compared with its former rows in the cache', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  await rm(contentsPath(historyPath(source.stateDir)), { recursive: true });
  await writeInto(source.catalogDir, { 'news.csv': csvOf(newsRows()).replace('more', 'less') });
  await service.takeUp();
  assert.equal(service.served()?.report.changes?.summary, '1 news item changed');
  assert.deepEqual(service.damage, []);
});

test('unchanged prices of a configuration that is hidden are not served any more', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  const hidden = String(files['configurations.csv']).replace('1024,', '1024,yes');
  await writeInto(source.catalogDir, { 'configurations.csv': hidden });
  await service.takeUp();
  assert.deepEqual([...(service.served()?.snapshot.prices.rel_id ?? [])], [11]);
});

test('the cache has the catalogs that are served, and no others', async t => {
  const source = await newSource(t);
  const service = openService(source);
  const keys = async (catalog = 'news') => {
    const names = await readdir(cacheOf(source));
    return [...new Set(names.map(name => name.split('.')[0]))].filter(key => key?.startsWith(`${catalog}-`));
  };
  await service.takeUp();
  const [first, ...others] = await keys();
  assert.deepEqual(others, []);
  await writeInto(source.catalogDir, { 'news.csv': csvOf(newsRows(5)) });
  await service.takeUp();
  const second = await keys();
  assert.equal(second.length, 1);
  assert.notEqual(second[0], first);
  await unlink(join(source.catalogDir, 'news.csv'));
  await writeInto(source.catalogDir, {
    'news.json': null,
    'news/1.md': '---\ncreate_time: 2024-01-01\n---\n# A\n\nB\n',
  });
  const change = await service.takeUp();
  assert.ok(change.outcome === 'read');
  for (const catalog of catalogNames) assert.equal((await keys(catalog)).length, catalog === 'news' ? 0 : 1);
  assert.deepEqual(change.report.problems.filter(isError), []);
  assert.deepEqual(await keys(), []);
});

/** Changes files of a set, and of its images. */
const edits: [what: string, edit: (source: CatalogSource, random: () => number) => Promise<unknown>][] = [
  [
    'a price',
    ({ catalogDir }, random) => writeInto(catalogDir, { 'prices.csv': pricesOf(random().toFixed(4)) }),
  ],
  [
    'a price that names its product',
    ({ catalogDir }) =>
      writeInto(catalogDir, { 'prices.csv': pricesOf('11').replaceAll(/^(\d),1,/gm, '$1,Server,') }),
  ],
  [
    'the name of a product',
    ({ catalogDir }, random) =>
      writeInto(catalogDir, { 'products.json': [{ id: 1, name: random() < 0.5 ? 'Server' : 'Other' }] }),
  ],
  ['a broken price', ({ catalogDir }) => writeInto(catalogDir, { 'prices.csv': pricesOf('x') })],
  [
    'a hidden configuration',
    ({ catalogDir }, random) =>
      writeInto(catalogDir, {
        'configurations.csv': `id,product_id,name,cpu,memory,hidden\n11,1,S,1,512,\n12,1,M,2,${1 + random()},${random() < 0.5 ? 'yes' : ''}\n13,1,L,4,2048,yes\n`,
      }),
  ],
  ['fewer news items', ({ catalogDir }) => writeInto(catalogDir, { 'news.csv': csvOf(newsRows(5)) })],
  ['all news items', ({ catalogDir }) => writeInto(catalogDir, { 'news.csv': csvOf(newsRows()) })],
  [
    'a text',
    ({ catalogDir }, random) =>
      writeInto(catalogDir, { 'news.csv': csvOf(newsRows()).replace('more', `more ${random()}`) }),
  ],
  [
    'the name of a type',
    ({ catalogDir }, random) =>
      writeInto(catalogDir, {
        'news_types.json': [
          { id: 1, name: `One ${random()}` },
          { id: 2, name: 'Two' },
        ],
      }),
  ],
  [
    'a type that is gone',
    ({ catalogDir }) => writeInto(catalogDir, { 'news_types.json': [{ id: 1, name: 'One' }] }),
  ],
  ['an image', ({ imagesDir }) => writeInto(imagesDir, { 'a.png': 'x' })],
  ['no image', ({ imagesDir }) => rm(join(imagesDir, 'a.png'), { force: true })],
  ['a file that is not read', ({ catalogDir }) => writeInto(catalogDir, { 'news (1).csv': 'x' })],
  ['no file that is not read', ({ catalogDir }) => rm(join(catalogDir, 'news (1).csv'), { force: true })],
];

test('any edits lead to the same reports, rows and answers with a cache and without', async t => {
  const random = seededRandom(7);
  const source = await newSource(t);
  const without = { ...source, stateDir: await writeFiles(t, {}) };
  const [service, other] = [openService(source), openService(without)];
  let known = 0;
  for (let step = 0; step < 30; step += 1) {
    // Every other edit is a price.
    const [what, edit] = edits[step % 2 === 0 ? 0 : Math.floor(random() * edits.length)] ?? assert.fail();
    if (step > 0) await edit(source, random);
    const isStart = random() < 0.2;
    if (isStart) for (const { restart } of [service, other]) restart();
    await rm(cacheOf(without), { recursive: true, force: true });
    const [change, expected] = await Promise.all([service.takeUp(), other.takeUp()]);
    assert.deepEqual(
      told(change),
      told(expected),
      `${what}${isStart ? ', then a start' : ''} in step ${step}`,
    );
    if (service.rows() < other.rows()) known += 1;
  }
  assert.ok(known > 8, `only ${known} times was a catalog taken from the cache`);
  assert.deepEqual([service.damage, other.damage], [[], []]);
});
