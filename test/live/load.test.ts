import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { entryOf } from '../../src/live/live-history.ts';
import { loadCatalog, openReaders } from '../../src/live/readers.ts';
import type { Progress, ReaderMessage } from '../../src/reader/reader-process.ts';
import { fingerprint } from '../../src/set/directory.ts';
import { searchText } from '../../src/snapshot/fold.ts';
import { newsDetailRecord } from '../../src/snapshot/records.ts';
import { openTimeZone } from '../../src/time-zone.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { newsOf, pricesOf } from '../support/fixture-sets.ts';
import { childrenOf, isLinux } from '../support/programs.ts';
import { expectation, readSource } from '../support/read-source.ts';
import { skipInQuickRun } from '../support/skipping.ts';
import { until } from '../support/until.ts';

test('a snapshot has the rows of the files, in the same order, however many chunks they come in', async t => {
  const news = Array.from({ length: 1000 }, (_, index) => ({
    id: index + 1,
    title: `香港 ${index}`,
    content: 'x'.repeat(1 + ((index * 7919) % 3000)),
    create_time: 1_700_000_000 + ((index * 104_729) % 1009),
    update_time: (index % 2) * 1_700_000_000,
  }));
  const source = sourceIn(await writeFiles(t, shopWith({ 'news.json': news })));
  const { rows, report } = await readSource(source);
  const { snapshot, report: same } = await loadCatalog(source);
  assert.deepEqual(same, report);
  assert.ok(rows && snapshot);
  assert.equal(snapshot.version, report.version);
  const zone = openTimeZone(source.timeZone);
  const { news: items = assert.fail(), ...others } = rows;
  const { texts, create_time, update_time } = snapshot.news;
  for (const [found, expected] of [
    [newsOf(snapshot), items.map(item => ({ ...newsDetailRecord(item, zone), read: item.read }))],
    [items.map((_item, row) => texts[row]?.length), items.map(item => searchText(item).length)],
    [[...create_time], items.map(item => item.create_time)],
    [[...update_time], items.map(item => item.update_time)],
    [pricesOf(snapshot), others.prices?.map(({ hidden: _, valid_from: __, extra: ___, ...price }) => price)],
    [[...snapshot.configurations.values()], others.configurations],
    [[...(snapshot.durations?.values() ?? [])], others.durations],
    [[...snapshot.products.values()], others.products],
    [[...snapshot.newsTypes.values()], others.news_types],
  ])
    assert.deepEqual(found, expected);
});

test('the loader reports how many rows and how much of the files have been read, in CSV and in JSON', async t => {
  const products = Array.from({ length: 6_000 }, (_, index) => ({ id: index + 1, name: `n${index}` }));
  const news = products.map(({ id }) => `${id},T,C,2024-01-05`);
  const csv = ['id,title,content,create_time', ...news].join('\n');
  const dir = await writeFiles(t, shopWith({ 'products.json': products, 'news.csv': csv }));
  const loader = openReaders(sourceIn(dir)).open();
  const heard: Progress[] = [];
  const { key } = await fingerprint(dir);
  const expected = { ...expectation, fingerprint: key };
  await loader.load(expected, undefined, { onProgress: progress => heard.push(progress) });
  loader.close();
  const rows = heard.map(progress => progress.rows);
  const percents = heard.map(({ percent }) => percent);
  const isRising = (numbers: number[]) =>
    numbers.every((number, index) => number >= (numbers[index - 1] ?? 0));
  assert.ok(isRising(rows) && isRising(percents), JSON.stringify(heard));
  assert.ok(rows.includes(5_000) && rows.includes(10_000), rows.join());
  assert.ok(new Set(percents).size > 80, percents.join());
  assert.deepEqual(heard.at(-1), { rows: 12_019, percent: 100 });
});

test('a set too big for the serving process is refused, and the reason says how big it is', {
  skip: skipInQuickRun,
}, async t => {
  const rows = Array.from({ length: 200_000 }, (_, index) => ({ id: index + 1, name: `n${index}` }));
  const source = sourceIn(await writeFiles(t, shopWith({ 'products.json': rows })));
  const child = fork(new URL('../../scripts/reader.mjs', import.meta.url), { serialization: 'advanced' });
  afterTest(t, () => child.disconnect());
  // The process does not limit itself.
  child.send({ task: 'read', source: { ...source, loadMemoryMb: 41 }, expected: undefined });
  let message: ReaderMessage;
  do [message] = await once(child, 'message');
  while (!('outcome' in message));
  const remedy = 'make the files smaller, or set LOAD_MEMORY_MB';
  const reason = `its rows need 48 MB of memory, and 20 MB are available: ${remedy}`;
  assert.deepEqual(message, { outcome: 'failed', reason });
});

test('a load that is stuck is reported each second after ten, then refused, and the next one works', {
  skip: !isLinux,
}, async t => {
  const source = sourceIn(await writeFiles(t, shop));
  const before = childrenOf();
  const loader = openReaders({ ...source, loadSeconds: 12 }).open();
  const [pid = assert.fail('no process')] = childrenOf().filter(child => !before.includes(child));
  process.kill(pid, 'SIGSTOP');
  // A process that has yet to stop is not stuck.
  await until(t, async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(' T '));
  const expected = { ...expectation, fingerprint: '' };
  const stalled: (number | undefined)[] = [];
  const clock = { ms: 0 };
  t.mock.method(performance, 'now', () => clock.ms);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const loading = loader.load(expected, undefined, {
    onProgress: ({ stalledSeconds }) => stalled.push(stalledSeconds),
  });
  for (; clock.ms < 15_000; clock.ms += 50) t.mock.timers.tick(50);
  const change = await loading;
  loader.close();
  assert.deepEqual(stalled, [10, 11, 12]);
  assert.ok(change.outcome === 'read');
  assert.match(
    change.report.problems[0]?.message ?? '',
    /^the set could not be read: no progress for 12 s: /,
  );
  t.mock.reset();
  t.mock.timers.reset();
  assert.ok((await loadCatalog(source)).snapshot);
});

test('a history that cannot be looked into keeps no set from being read, and the same loader keeps it elsewhere', async t => {
  const dir = await writeFiles(t, { ...shop, history: 'no folder' });
  const source = sourceIn(dir, { stateDir: dir });
  const { report, snapshot } = await loadCatalog(source);
  const loader = openReaders(source).open();
  afterTest(t, loader.close);
  const entry = entryOf(source.catalogDir, { report, snapshot: snapshot ?? assert.fail(), since: 0 });
  const inHistory = loader.ask({ task: 'keep', entry, copyDir: undefined });
  await assert.rejects(inHistory, /not a directory|file already exists/);
  await loader.ask({ task: 'keep', entry, copyDir: await writeFiles(t, {}) });
});
