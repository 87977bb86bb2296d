import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalog } from '../src/live/readers.ts';
import { settingsFrom } from '../src/settings/read.ts';
import { sample } from './support/catalogs.ts';
import { newsOf } from './support/rows.ts';
import { startService } from './support/service.ts';

test('the sample catalogs have no errors or warnings, and enough content for a demo', async () => {
  const { report, snapshot } = await loadCatalog(settingsFrom(sample));
  const { files } = report;
  assert.deepEqual(report.problems, []);
  const rows: Record<string, number> = {};
  for (const file of files) rows[file.catalog] = (rows[file.catalog] ?? 0) + file.rows;
  for (const [catalog, least] of Object.entries({
    products: 4,
    configurations: 24,
    durations: 5,
    news_types: 5,
    news: 40,
  })) {
    assert.ok((rows[catalog] ?? 0) >= least, catalog);
  }
  assert.deepEqual([...new Set(files.map(({ file }) => file.split('.')[1]))].sort(), [
    'csv',
    'json',
    'md',
    'xlsx',
  ]);
  assert.ok(snapshot);
  const news = newsOf(snapshot);
  assert.equal(snapshot.news.publish_time.filter(time => time > 2_000_000_000).length, 1);
  assert.equal((rows.news ?? 0) - news.length, 1);
  assert.ok(news.some(item => /\p{Script=Han}/u.test(item.title)));
  assert.ok(news.some(item => item.content.startsWith('<p>')));
});

test('the example of the contract holds for them: memory 4096, and a read count of 100 that becomes 101', async t => {
  const { ask } = await startService(t, {}, sample);
  const { list } = (await ask('/api/recommend-config?product_id=1&limit=100')).data;
  assert.ok(list.some(({ memory }: { memory: number }) => memory === 4096));
  const { data } = await ask('/api/news?keyword=Meridian+opens');
  assert.deepEqual(
    data.list.map(({ id, read }: { id: number; read: number }) => [id, read]),
    [[1, 100]],
  );
  assert.equal((await ask('/api/news/1')).data.read, 101);
});
