import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileSystemEvents } from '../../src/live/watch.ts';
import { fingerprint } from '../../src/set/system-directory.ts';
import { afterTest } from '../support/after-test.ts';
import { markdown } from '../support/catalog/breakages.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet, markdownSet } from '../support/fixture-sets.ts';
import { changeSources, startLive } from '../support/live.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

for (const [what, events] of Object.entries(changeSources)) {
  test(`news in Markdown is taken up as a whole while it runs, by events: ${what}`, async t => {
    const dir = await writeFiles(t, markdownSet(1));
    const { serves } = await startLive(t, dir, { reloadPollMs: 50 }, events);
    await serves(1);
    await writeInto(dir, markdownSet(2));
    await serves(2);
    // From files to a table and back, and then by a link to another folder.
    await writeInto(dir, fixtureSet(3));
    await rm(join(dir, 'news'), { recursive: true });
    await serves(3);
    await rm(join(dir, 'news.csv'));
    await writeInto(dir, markdownSet(4));
    await serves(4);
    await rename(join(dir, 'news'), join(dir, 'release'));
    await writeInto(dir, {
      ...markdownSet(5),
      ...Object.fromEntries([0, 1, 2, 3, 4, 5].map(item => [`news/item-${item}.md`, null])),
    });
    await writeInto(join(dir, 'next'), markdownSet(5));
    await symlink('next/news', join(dir, 'news'));
    await serves(5);
  });
}

// An event can be lost while a folder is new: a look at the files finds what it would have said.
for (const isNew of [true, false]) {
  test(`changes in a folder that ${isNew ? 'is new' : 'was there'} are seen by their events`, async t => {
    const dir = `${await writeFiles(t, isNew ? { pin: '' } : { 'news/0.md': '' })}/`;
    const folder = join(dir, 'news');
    let isSeen = false;
    const watcher = fileSystemEvents(dir, () => {
      isSeen = existsSync(join(folder, '1.md'));
    });
    afterTest(t, () => watcher.close());
    await mkdir(folder, { recursive: true });
    let writes = 0;
    await until(t, async () => {
      if (isSeen) return true;
      writes += 1;
      await writeFile(join(folder, '1.md'), String(writes));
      return undefined;
    });
  });
}

test('drafts, other files and other folders are no change', async t => {
  const dir = await writeFiles(t, markdown);
  const { key } = await fingerprint(dir);
  await writeInto(dir, {
    'news/_4.md': 'x',
    'news/5.md~': 'x',
    'news/.6.md': 'x',
    'news/deeper/7.md': 'x',
    'old/8.md': 'x',
  });
  assert.equal((await fingerprint(dir)).key, key);
  await writeInto(dir, { 'news/1-item.md': 'x' });
  assert.notEqual((await fingerprint(dir)).key, key);
});

test('a client sees an item that is added, changed and taken away, and what changed', async t => {
  const { ask, settings } = await startService(t, markdown, { reloadPollMs: 50 });
  const path = join(settings.catalogDir, 'news/4-item.md');
  const front = '---\ncreate_time: 2024-01-04\n---\n';
  const steps: [content: string | undefined, html: string | undefined, summary: string][] = [
    [`${front}# Four\n\nNew\n`, '<p>New</p>', '1 news item added'],
    [`${front}# Four\n\nNew and *more*\n`, '<p>New and <em>more</em></p>', '1 news item changed'],
    [undefined, undefined, '1 news item removed'],
  ];
  for (const [content, html, summary] of steps) {
    await (content === undefined ? rm(path) : writeFile(path, content));
    await until(t, async () => ((await ask('/api/news/4')).data?.content === html ? true : undefined));
    const { data } = await ask('/health');
    assert.equal(data.last_attempt.changes, summary);
    const { file, rows } = data.catalogs.files.at(-1);
    assert.deepEqual([file, rows], ['news/*.md', content === undefined ? 3 : 4]);
  }
  await writeFile(path, '# Five\n');
  const told = await until(t, async () => (await ask('/health')).data.last_attempt.problems[0]);
  assert.deepEqual([told.file, told.code], ['news/4-item.md', 'MISSING_VALUE']);
  const { data } = await ask('/changes');
  const [{ catalog, change, key }] = data.list;
  assert.deepEqual([catalog, change, key], ['news', 'removed', { id: 4 }]);
});
