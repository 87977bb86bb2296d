import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { contentPath, type Entry, eachEntry, historyIn } from '../../src/history/entries.ts';
import { prune } from '../../src/history/keep.ts';
import { beforeOf } from '../../src/live/live-history.ts';
import { openReaders } from '../../src/live/readers.ts';
import type { SetReport } from '../../src/reader/read-set.ts';
import { fingerprint } from '../../src/set/directory.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { afterTest } from '../support/after-test.ts';
import { type Files, priced, shop, sourceIn, writeFiles, writeInto } from '../support/catalogs.ts';
import { expectation, keepServed } from '../support/read-source.ts';
import { startService } from '../support/service.ts';

const prices = 'id,product_id,rel_id,duration_id,price\n1,1,11,1,10.5\n2,1,12,1,20\n';
const configurations = 'id,product_id,name,cpu,memory,hidden\n11,1,S,1,512,\n12,1,M,2,1024,\n';

const files: Files = {
  'products.json': [{ id: 1, name: 'Server' }],
  'configurations.csv': configurations,
  'durations.json': [{ id: 1, name: 'Monthly', num: 1, unit: 'month' }],
  'prices.csv': prices,
  'news_types.json': [{ id: 1, name: 'One' }],
  'news/1.md': '---\ncreate_time: 2024-01-01\n---\n# A\n\nB\n',
};

/** Serves these files, and returns a way to load what becomes of them. */
async function serve(t: TestContext) {
  const source = { ...sourceIn(await writeFiles(t, files)), stateDir: await writeFiles(t, {}) };
  const loader = openReaders(source).open();
  afterTest(t, () => loader.close());
  const load = async (served?: { report: SetReport; snapshot: Snapshot }) => {
    const { key } = await fingerprint(source.catalogDir);
    const before = served && beforeOf(source.stateDir, served.report);
    const expected = { ...expectation, holdBack: false, fingerprint: key, before };
    const change = await loader.load(expected, served?.snapshot, { onDamage: assert.fail });
    assert.ok(change.outcome === 'read' && change.snapshot, change.outcome);
    return { report: change.report, snapshot: change.snapshot };
  };
  const served = await load();
  await keepServed(source, served.report);
  return { source, served, load };
}

test('catalogs whose files stay the same are those that are served already', async t => {
  const { source, served, load } = await serve(t);
  await writeInto(source.catalogDir, { 'prices.csv': prices.replace('10.5', '11') });
  const { snapshot, report } = await load(served);
  for (const part of ['products', 'configurations', 'durations', 'newsTypes', 'news'] as const)
    assert.equal(snapshot[part], served.snapshot[part], part);
  assert.deepEqual([...snapshot.prices.price], [11, 20]);
  assert.equal(report.changes?.summary, '1 price changed');
  await writeInto(source.catalogDir, { 'news/1.md': '---\ncreate_time: 2024-01-01\n---\n# A\n\nC\n' });
  const next = await load(served);
  assert.notEqual(next.snapshot.news, served.snapshot.news);
  assert.equal(next.snapshot.products, served.snapshot.products);
});

test('unchanged prices of a configuration that is hidden are not served any more', async t => {
  const { source, served, load } = await serve(t);
  const hidden = configurations.replace('1024,', '1024,yes');
  await writeInto(source.catalogDir, { 'configurations.csv': hidden });
  assert.deepEqual([...(await load(served)).snapshot.prices.rel_id], [11]);
});

test('the history keeps the report of each set but the first, as long as the set, and a start reads it', async t => {
  const { save, app, settings } = await startService(t, shop, { holdBack: 'off' });
  const { catalogDir, stateDir } = settings;
  for (const price of ['24.99', '29.99']) await save(priced(price));
  await app.close();
  const history = historyIn(stateDir, () => {});
  const { dir } = history;
  const entries: Entry[] = [];
  for await (const { entry } of eachEntry(history)) entries.push(entry);
  const summaries = entries.map(({ summary }) => summary);
  assert.deepEqual(summaries, ['1 price changed', '1 price changed', undefined]);
  const [third, second, first] = entries.map(({ report }) => report?.sha256);
  assert.equal(first, undefined);
  const left = async (historyDays: number) => {
    await prune(history, { historyMb: 256, historyDays }, Date.now() / 1000 + 3600);
    const contents = await readdir(join(dir, 'files'));
    return [third, second].map(hash => contents.includes(`${hash}.gz`));
  };
  assert.deepEqual(await left(1), [true, true]);
  assert.deepEqual(await left(0.01), [true, false]);

  const version = entries[0]?.version;
  await writeFile(contentPath(dir, String(third)), 'damaged');
  const again = await startService(t, {}, { catalogDir, stateDir });
  const { data, headers } = await again.ask('/changes');
  assert.deepEqual([data.list, data.from, headers['catalog-version']], [[], null, version]);
  await again.app.close();

  // Files that change while the service is down are compared with those that it served.
  await writeInto(catalogDir, priced('34.99'));
  const { ask } = await startService(t, {}, { catalogDir, stateDir });
  const changes = (await ask('/changes')).data;
  assert.deepEqual([changes.from, changes.pagination.total], [version, 1]);
  assert.equal((await ask('/health')).data.last_attempt.changes, '1 price changed');
});
