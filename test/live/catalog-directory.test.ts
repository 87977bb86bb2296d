import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { catalogReasons } from '../../src/http/endpoints/health.ts';
import { openStatus } from '../../src/live/status.ts';
import { fileSystemEvents, openCatalogDirectory } from '../../src/live/watch.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { until } from '../support/until.ts';

test('an abort ends the wait for a directory that never answers', async () => {
  const { look } = openCatalogDirectory('/nowhere', '/nowhere', () => new Promise(() => {}));
  const closing = new AbortController();
  const waiting = look(closing.signal);
  closing.abort(new Error('closed'));
  await assert.rejects(waiting, /closed/);
  await assert.rejects(look(closing.signal), /closed/);
});

test('silentSeconds counts from the first unanswered request until its answer', async t => {
  t.mock.method(performance, 'now', () => now);
  let now = 0;
  let answer = () => {};
  const print = { key: 'same', changedAt: 0, fileCount: 0 };
  const { look, silentSeconds } = openCatalogDirectory(
    '/nowhere',
    '/nowhere',
    () => new Promise(resolve => (answer = () => resolve(print))),
  );
  assert.equal(silentSeconds(), 0);
  const waiting = look(t.signal);
  now = 11_999;
  assert.equal(silentSeconds(), 11);
  const { status } = openStatus(() => {});
  assert.deepEqual(catalogReasons({ ...status(), silentSeconds: 11 }, 0), [
    'no catalogs have been loaded yet',
    'the catalog directory has not answered for 11 s: changed files are not loaded',
  ]);
  answer();
  assert.equal((await waiting).print, print);
  assert.equal(silentSeconds(), 0);
});

test('only the catalog files of a directory are watched', {
  skip: process.platform !== 'linux',
}, async t => {
  const others = Array.from({ length: 500 }, (_, index) => [`other-${index}.txt`, '']);
  const dir = await writeFiles(t, { ...shop, ...Object.fromEntries(others) });
  const before = watches();
  let events = 0;
  const watcher = fileSystemEvents(dir, () => {
    events += 1;
  });
  afterTest(t, () => watcher.close());
  const catalogs = Object.keys(shop).length;
  await until(t, async () => (watches() - before >= catalogs ? true : undefined));
  assert.ok(watches() - before <= catalogs + 1, `${watches() - before} watches`);
  await writeFile(join(dir, 'prices.csv'), 'id');
  await until(t, async () => (events > 0 ? true : undefined));
});

/** The number of files and directories that this process watches. */
function watches(): number {
  const texts = readdirSync('/proc/self/fdinfo').map(fd => {
    const path = join('/proc/self/fdinfo', fd);
    // The descriptor that lists the directory is gone by now.
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  });
  return texts.join('').split('inotify wd:').length - 1;
}
