import assert from 'node:assert/strict';
import { readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { seededRandom } from '../../scripts/bench/catalog/random.ts';
import type { Entry } from '../../src/catalog/history/entry.ts';
import { type LoadedChange, openLoader } from '../../src/catalog/load.ts';
import { isError } from '../../src/catalog/problems/problems.ts';
import { readParts, writeParts } from '../../src/catalog/reader/kept-news/kept-files.ts';
import { type CatalogSource, keptFiles, type SetReport } from '../../src/catalog/reader/load-set.ts';
import type { Snapshot } from '../../src/catalog/snapshot/snapshot.ts';
import { fingerprint } from '../../src/catalog/watch/fingerprint.ts';
import { systemFs } from '../../src/files/atomic-write.ts';
import { expectation } from '../support/catalog/served-set.ts';
import { type Files, sourceIn, writeFiles, writeInto } from '../support/catalogs.ts';

const NEWS = 6;
/** Rows that are read of the news items with their heading row, and of the other catalogs. */
const NEWS_ROWS = 1 + NEWS;
const OTHER_ROWS = 12;

/** News items with an image that is missing, damaged text, hidden, scheduled, and in two types. */
const newsRows = (count = NEWS) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: index + 1, title: `Title ${index}, "quoted"`, content: `<p>价格 ${index}</p>\nmore` },
    ...{
      create_time: `2024-01-0${index + 1}`,
      type_id: 1 + (index % 2),
      keywords: index === 2 ? 'Ã¼ber' : '',
    },
    ...{ img: index === 1 ? 'a.png' : '', hidden: index === 3, note: 'unknown column' },
    ...(index === 4 && { publish_time: '2099-01-01', unpublish_time: '2099-02-01' }),
  }));

const csvOf = (rows: Record<string, unknown>[]) => {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))];
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  return [names.join(), ...rows.map(row => names.map(name => cell(row[name])).join()), ''].join('\r\n');
};

const pricesOf = (price: string) =>
  `id,product_id,rel_id,duration_id,price\n1,1,11,1,${price}\n2,1,12,1,20\n3,1,13,1,30\n`;

const files: Files = {
  'products.json': [{ id: 1, name: 'Server' }],
  'configurations.csv':
    'id,product_id,name,cpu,memory,hidden\n11,1,S,1,512,\n12,1,M,2,1024,\n13,1,L,4,2048,yes\n',
  'durations.json': [{ id: 1, name: 'Monthly', num: 1, unit: 'month' }],
  'prices.csv': pricesOf('10.5'),
  'news_types.json': [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ],
  'news.csv': csvOf(newsRows()),
};

/** Takes sets up as the live catalog does, with a reader process for each. */
function openService(source: CatalogSource) {
  const signal = AbortSignal.timeout(240_000);
  const damage: string[] = [];
  let served: { report: SetReport; snapshot: Snapshot } | undefined;
  let kept: Entry | undefined;
  let rows = 0;
  const onDamage = (sentence: string) => void damage.push(sentence);
  return {
    damage,
    served: () => served,
    /** How many rows were read the last time. */
    rows: () => rows,
    /** Forgets what is served. */
    restart() {
      served = undefined;
    },
    async takeUp(): Promise<LoadedChange> {
      rows = 0;
      const loader = openLoader(source);
      try {
        const { key } = await fingerprint(source.catalogDir);
        const before = { served: served?.report, kept: served ? undefined : kept };
        const expected = { ...expectation, ...before, fingerprint: key, servedNumbers: new Set<string>() };
        const onProgress = (progress: { rows: number }) => {
          rows = progress.rows;
        };
        const change = await loader.load(expected, served?.snapshot.news, onProgress, onDamage, signal);
        if (change.outcome !== 'read' || !change.snapshot) return change;
        const { report, snapshot } = change;
        served = { report, snapshot };
        const { summary, report: digest } = report.changes ?? {};
        const { version } = snapshot;
        const entry: Entry = {
          ...{
            version,
            since: Date.now() / 1000,
            catalogDir: resolve(source.catalogDir),
            files: keptFiles(report),
          },
          ...{ reading: report.reading, summary, report: digest },
        };
        const isSame =
          kept?.version === version && JSON.stringify(kept.files) === JSON.stringify(entry.files);
        await loader.keep(isSame ? undefined : entry, report.newsKey, onDamage, signal);
        kept = entry;
        return change;
      } finally {
        loader.close();
      }
    },
  };
}

async function newSource(t: TestContext, options: object = {}): Promise<CatalogSource> {
  const catalogDir = await writeFiles(t, files);
  return {
    ...sourceIn(catalogDir),
    imagesDir: await writeFiles(t, {}),
    stateDir: await writeFiles(t, {}),
    ...options,
  };
}

const cacheOf = ({ stateDir }: CatalogSource) => join(stateDir, 'cache');

/** What a change leads to, but for the second at which it was compared. */
function told(change: LoadedChange): unknown {
  if (change.outcome !== 'read' || !change.snapshot?.changes) return change;
  const { report, snapshot } = change;
  const head: { time?: string } = JSON.parse(Buffer.from(snapshot.changes?.head ?? '{}').toString());
  const changes = { ...snapshot.changes, head: { ...head, time: undefined } };
  return {
    ...change,
    report: { ...report, changes: { ...report.changes, report: undefined } },
    snapshot: { ...snapshot, changes },
  };
}

test('news items whose file is unchanged are not read again, neither for a change nor at a start', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  assert.equal(service.rows(), OTHER_ROWS + NEWS_ROWS);
  const news = service.served()?.snapshot.news;
  await writeInto(source.catalogDir, { 'prices.csv': pricesOf('11') });
  await service.takeUp();
  assert.equal(service.rows(), OTHER_ROWS);
  assert.equal(service.served()?.snapshot.news, news);
  service.restart();
  await service.takeUp();
  assert.equal(service.rows(), OTHER_ROWS);
  assert.deepEqual(service.served()?.snapshot.news, news);
  await writeInto(source.catalogDir, { 'news.csv': csvOf(newsRows(5)) });
  await service.takeUp();
  assert.equal(service.rows(), OTHER_ROWS + NEWS_ROWS - 1);
  assert.deepEqual(service.damage, []);
});

test('the cache has the news items that are served, and no others', async t => {
  const source = await newSource(t);
  const service = openService(source);
  const keys = async () => [...new Set((await readdir(cacheOf(source))).map(name => name.split('.')[0]))];
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
  assert.deepEqual(change.report.problems.filter(isError), []);
  assert.deepEqual(await keys(), []);
});

/** Changes files of a set, and of its images. */
const edits: [what: string, edit: (source: CatalogSource, random: () => number) => Promise<unknown>][] = [
  [
    'a price',
    ({ catalogDir }, random) => writeInto(catalogDir, { 'prices.csv': pricesOf(random().toFixed(4)) }),
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
  assert.ok(known > 8, `only ${known} times were the news items taken from the cache`);
  assert.deepEqual([service.damage, other.damage], [[], []]);
});

test('no byte of the cache can change or be missing without being noticed', async t => {
  const source = await newSource(t);
  await openService(source).takeUp();
  const dir = cacheOf(source);
  const names = await readdir(dir);
  assert.equal(names.length, 2);
  for (const name of names) {
    const path = join(dir, name);
    const content = await readFile(path);
    const reads = (changed: Buffer, at = path) =>
      readParts({ ...systemFs, readBytes: async () => changed }, at);
    assert.ok((await reads(content))?.length);
    for (let at = 0; at < content.length; at += 1) {
      const changed = Buffer.from(content);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      await assert.rejects(reads(changed), /checksum/, `byte ${at} of ${name}`);
      if (at % 7 === 0) await assert.rejects(reads(content.subarray(0, at)), /checksum/);
    }
    for (const other of names.filter(one => one !== name))
      await assert.rejects(reads(content, join(dir, other)), /checksum/);
  }
});

test('a damaged cache is told of, and written anew from the file', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  const { news } = service.served()?.snapshot ?? assert.fail();
  for (const name of await readdir(cacheOf(source))) {
    const path = join(cacheOf(source), name);
    const content = await readFile(path);
    await writeFile(path, content.subarray(0, content.length - 1));
    service.restart();
    await service.takeUp();
    assert.equal(service.rows(), OTHER_ROWS + NEWS_ROWS);
    assert.deepEqual(service.served()?.snapshot.news, news);
    assert.deepEqual(service.damage.splice(0), [
      'the cache of news.csv is damaged (its checksum does not match): reading the file again',
    ]);
    assert.deepEqual(await readFile(path), content);
  }
});

test('what another version of the program has kept is not read, and deleted', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  const dir = cacheOf(source);
  const names = await readdir(dir);
  for (const name of names) {
    const parts = (await readParts(systemFs, join(dir, name))) ?? assert.fail();
    await unlink(join(dir, name));
    await writeParts(
      systemFs,
      join(
        dir,
        name.replace(/-./, at => (at === '-0' ? '-1' : '-0')),
      ),
      parts,
    );
  }
  service.restart();
  await service.takeUp();
  assert.equal(service.rows(), OTHER_ROWS + NEWS_ROWS);
  assert.deepEqual((await readdir(dir)).sort(), names.sort());
});

test('news items that are read in another way are read again', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  for (const options of [
    { timeZone: 'Asia/Shanghai' },
    { csvDecimal: ',' as const },
    { csvEncoding: 'gbk' },
  ]) {
    const other = openService({ ...source, ...options });
    await other.takeUp();
    assert.equal(other.rows(), OTHER_ROWS + NEWS_ROWS);
  }
});

test('changed news items are read, even if another directory has put them into the cache', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  const changed = { 'news.csv': csvOf(newsRows(5)) };
  const other = openService({ ...source, catalogDir: await writeFiles(t, { ...files, ...changed }) });
  await other.takeUp();
  await writeInto(source.catalogDir, changed);
  service.restart();
  await service.takeUp();
  assert.equal(service.rows(), OTHER_ROWS + NEWS_ROWS - 1);
  assert.equal(service.served()?.report.changes?.summary, '1 news item removed');
});
