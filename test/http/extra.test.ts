import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemFs } from '../../src/files/atomic-write.ts';
import { gzipped, historyPath } from '../../src/history/entries.ts';
import { keepEntry } from '../../src/history/keep.ts';
import { entryOf } from '../../src/live/live-history.ts';
import { readSet } from '../../src/reader/read-set.ts';
import { systemDirectory } from '../../src/set/directory.ts';
import { type Files, shopWith, sourceIn, writeFiles, writeInto } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const hostile = { read: 0, '7': 1, constructor: '"read":0,', list: [{ b: null, a: true }] };
const item = { title: 'A', content: 'B', create_time: 1700000001 };
const files: Files = shopWith({
  'products.json': [
    { id: 1, name: 'Cloud server', extra: hostile },
    { id: 2, name: 'Other' },
    { id: 3, name: 'Secret', hidden: true, extra: { code: 'hidden-value' } },
  ],
  'configurations.csv':
    'id,product_id,name,cpu,memory,extra.Disk\n11,1,S,1,512,007\n12,1,M,1,512,\n21,2,L,1,512,\n',
  'prices.csv':
    'id,product_id,rel_id,duration_id,price,extra.setup\n1,1,11,4,5,free\n2,1,12,4,6,\n3,2,21,4,7,hidden price\n',
  'news_types.json': [
    { id: 1, name: 'One', extra: { colour: 'red' } },
    { id: 2, name: 'Two' },
  ],
  'news.json': [
    { ...item, id: 1, type_id: 1, extra: hostile },
    { ...item, id: 2 },
    { ...item, id: 3, publish_time: '2035-01-01', extra: { x: 'hidden-value' } },
  ],
});

const without = '/api/products /api/news-types /api/news /api/news?include=img,type_id /api/news/1'.split(
  ' ',
);
const list = '/api/recommend-config?product_id=1';
const single = '/api/recommend-config/price?product_id=1&duration_id=4&recommend_config_id=';

test('own fields are served only where somebody asks for them, and only of rows that are', async t => {
  const { ask } = await startService(t, files);
  const sorted = { '7': 1, constructor: '"read":0,', list: [{ a: true, b: null }], read: 0 };
  const items = async (path: string) =>
    (await ask(path)).data.list.map(({ extra }: { extra: unknown }) => extra);
  assert.deepEqual(await items('/api/products?include=extra'), [sorted, undefined]);
  assert.deepEqual(await items('/api/news-types?include=extra'), [{ colour: 'red' }, undefined]);
  assert.deepEqual(await items('/api/news?include=extra,type_id'), [undefined, sorted]);
  assert.deepEqual(await items(`${list}&include=extra`), [{ Disk: '007' }, undefined]);
  const { data } = await ask(`${list}&include=extra&include_durations=true`);
  const durations = data.list.map((row: { durations: { extra?: unknown }[] }) => row.durations[0]?.extra);
  assert.deepEqual(durations, [{ setup: 'free' }, undefined]);
  assert.deepEqual((await ask(`${single}11&include=extra`)).data.extra, { setup: 'free' });
  assert.equal((await ask(`${single}12&include=extra`)).data.extra, undefined);
  const counts = ['?include=extra', '', '?include=extra'].map(query => ask(`/api/news/1${query}`));
  const reads = (await Promise.all(counts)).map(({ data }) => [data.read, 'extra' in data]);
  assert.deepEqual(reads, [
    [1, true],
    [2, false],
    [3, true],
  ]);
  for (const catalog of ['products', 'news', 'prices', 'configurations', 'news_types']) {
    const { text, data } = await ask(`/overview/rows?catalog=${catalog}`);
    assert.doesNotMatch(text, /hidden-value/);
    assert.match(data.columns.join(), /,extra\./, catalog);
  }
});

test('answers and tags without the word are those of a set without own fields, but for its version', async t => {
  const plain = Object.entries(files).map(([name, content]) => [
    name,
    Array.isArray(content)
      ? content.map(row => ({ ...row, extra: undefined }))
      : String(content).replace(/,[^,\n]*$/gm, ''),
  ]);
  const [one, other] = [await startService(t, files), await startService(t, Object.fromEntries(plain))];
  for (const path of [...without, list, `${list}&include_durations=true`, `${single}11`, '/overview']) {
    const [answer, plain] = [await one.ask(path), await other.ask(path)];
    assert.equal(answer.text, plain.text, path);
    if (/config|products/.test(path)) assert.equal(answer.headers.etag, plain.headers.etag, path);
  }
});

test('what a build before ignored is held back once, and its history stays as it was', async t => {
  const dated =
    'id,product_id,rel_id,duration_id,price,valid_from\n1,1,11,4,5,2035-01-01\n2,1,12,4,6,\n3,2,21,4,7,\n';
  const ignored: Files = { ...files, 'prices.csv': dated };
  const catalogDir = await writeFiles(t, ignored);
  const stateDir = await writeFiles(t, {});
  const source = { ...sourceIn(catalogDir), stateDir };
  const { report } = await readSet(systemDirectory(source), { ...source, rules: 1 });
  const { rules: _, ...reading } = report.reading;
  const served = { report: { ...report, reading }, snapshot: { version: String(report.version) }, since: 1 };
  const entry = entryOf(catalogDir, served as never);
  const contents = Object.entries(ignored).map(([name, content]) => {
    const bytes = Buffer.from(Array.isArray(content) ? JSON.stringify(content, null, 2) : String(content));
    return [entry.files.find(({ file }) => file === name)?.sha256 ?? '', gzipped(bytes)] as const;
  });
  await keepEntry(systemFs, historyPath(stateDir), entry, new Map(contents));

  const start = () => startService(t, {}, { catalogDir, stateDir, previewToken: 'token-of-sixteen-or-more' });
  const first = await start();
  const answer = await first.ask('/api/products?include=extra');
  assert.equal(answer.headers['catalog-version'], report.version);
  assert.doesNotMatch(answer.text, /extra/);
  assert.equal((await first.ask(`${single}11`)).data.price, 5);
  const { held } = (await first.ask('/health')).data;
  assert.match(JSON.stringify(held.reasons), /UNREAD_FIELDS.*extra\.NAME.*valid_from/);
  await first.app.close();
  // Also if somebody saves another file meanwhile.
  await writeInto(catalogDir, { 'durations.json': [{ id: 4, name: 'Month', num: 1, unit: 'month' }] });
  const second = await start();
  const next = (await second.ask('/health')).data.held.version;
  await second.save({ publish: `${next}\n` });
  assert.match((await second.ask('/api/products?include=extra')).text, /"extra":\{"7":1/);
  assert.equal((await second.ask(`${single}11`)).status, 404);
  await second.save({
    'products.json': [
      { id: 1, name: 'A', extra: { n: 1 } },
      { id: 2, name: 'B' },
    ],
  });
  assert.match((await second.ask('/api/products?include=extra')).text, /"extra":\{"n":1\}/);
});
