import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalog } from '../src/live/readers.ts';
import { settingsFrom } from '../src/settings/read.ts';
import { sample } from './support/catalogs.ts';
import { newsOf } from './support/rows.ts';

test('the sample catalogs have no errors or warnings, and enough content for a demo', async () => {
  const { report, snapshot } = await loadCatalog(settingsFrom(sample));
  assert.deepEqual(report.problems, []);
  const rowsOf = (name: string) =>
    report.files.reduce((sum, { catalog, rows }) => sum + (catalog === name ? rows : 0), 0);
  const least = { products: 4, configurations: 24, durations: 5, news_types: 5, news: 40 };
  for (const [name, rows] of Object.entries(least)) assert.ok(rowsOf(name) >= rows, name);
  const extensions = new Set(report.files.map(({ file }) => file.split('.')[1]));
  assert.deepEqual([...extensions].sort(), ['csv', 'json', 'md', 'xlsx']);
  assert.ok(snapshot);
  const news = newsOf(snapshot);
  assert.equal(snapshot.news.publish_time.filter(time => time > 2_000_000_000).length, 1);
  assert.equal(rowsOf('news') - news.length, 1);
  assert.ok(news.some(item => /\p{Script=Han}/u.test(item.title)));
  assert.ok(news.some(item => item.content.startsWith('<p>')));
});
