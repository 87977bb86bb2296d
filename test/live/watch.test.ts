import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '../../src/clock.ts';
import { systemFs } from '../../src/files/atomic-write.ts';
import { catalogReasons } from '../../src/http/endpoints/health.ts';
import { nothingServed } from '../../src/live/status.ts';
import {
  fileSystemEvents,
  openCatalogDirectory,
  openChangePoller,
  openImagesWatch,
} from '../../src/live/watch.ts';
import { fingerprint, type ImageListing } from '../../src/set/directory.ts';
import { afterTest } from '../support/after-test.ts';
import { markdown, writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { until } from '../support/until.ts';

test('a directory that does not answer is waited for until an abort, and silentSeconds counts till its answer', async t => {
  let now = 0;
  let answer = () => {};
  const readdir = () => new Promise<string[]>(resolve => (answer = () => resolve([])));
  const world = { clock: { ...systemClock, ms: () => now }, fs: { ...systemFs, readdir } };
  const { look, silentSeconds } = openCatalogDirectory('/nowhere', '/nowhere', world);
  assert.equal(silentSeconds(), 0);
  const waiting = look(t.signal);
  now = 11_999;
  assert.equal(silentSeconds(), 11);
  assert.deepEqual(catalogReasons({ ...nothingServed, silentSeconds: 11 }, 0), [
    'no catalogs have been loaded yet',
    'the catalog directory has not answered for 11 s: changed files are not loaded',
  ]);
  assert.deepEqual(catalogReasons({ ...nothingServed, unstableSeconds: 11 }, 0).slice(1), [
    'the changed files have not been complete and still for 11 s: the set before them is served',
  ]);
  answer();
  assert.equal((await waiting).print.fileCount, 0);
  assert.equal(silentSeconds(), 0);
  const closing = new AbortController();
  const aborted = look(closing.signal);
  closing.abort(new Error('closed'));
  await assert.rejects(aborted, /closed/);
  await assert.rejects(look(closing.signal), /closed/);
});

/** Puts a link to `target` in place of another in one step. */
async function swapLink(target: string, path: string): Promise<void> {
  await symlink(target, `${path}.new`);
  await rename(`${path}.new`, path);
}

/** What a program does with `root/catalog` and the file of prices in it when it saves. */
const waysToSave: Record<string, (dir: string, path: string, root: string) => Promise<unknown>> = {
  'truncate and write': (_dir, path) => writeFile(path, 'shorter'),
  'temporary file and rename': async (_dir, path) => {
    await writeFile(`${path}.tmp`, 'shorter');
    await rename(`${path}.tmp`, path);
  },
  'the same size and time': async (_dir, path) => {
    const [{ atime, mtime }, text] = [await stat(path), await readFile(path, 'utf8')];
    await writeFile(path, text.replace('1', '2'));
    await utimes(path, atime, mtime);
  },
  'a file becomes a link': (_dir, path, root) => swapLink(join(root, 'other.csv'), path),
  'the link is swapped': (_dir, path, root) => swapLink(join(root, 'third.csv'), path),
  'a folder that is a link to a release, which is swapped': async (dir, _path, root) => {
    await rename(dir, join(root, '1'));
    for (const release of ['1', '2']) await swapLink(release, dir);
  },
  'as Kubernetes mounts files': async (dir, path) => {
    await writeInto(join(dir, '..2024_01'), fixtureSet(1));
    await symlink('..2024_01', join(dir, '..data'));
    await swapLink('..data/prices.csv', path);
  },
  'as Kubernetes changes them': async dir => {
    await writeInto(join(dir, '..2024_02'), fixtureSet(1));
    await swapLink('..2024_02', join(dir, '..data'));
  },
  'the folder is removed': dir => rm(dir, { recursive: true }),
  'and is made again': dir => writeInto(dir, fixtureSet(1)),
  'a page bundle is added': dir => writeInto(dir, { 'news/2026-03-31-a/index.md': 'x' }),
  'a page bundle is edited': dir => writeInto(dir, { 'news/2026-03-31-a/index.md': 'xy' }),
};

test('every way to save is seen in the fingerprint of the folder', async t => {
  const root = await writeFiles(t, { 'other.csv': 'x', 'third.csv': 'x' });
  const dir = join(root, 'catalog');
  for (const folder of [dir, join(root, '2')]) await writeInto(folder, fixtureSet(1));
  let { key } = await fingerprint(dir);
  for (const [what, save] of Object.entries(waysToSave)) {
    await save(dir, join(dir, 'prices.csv'), root);
    const next = await fingerprint(dir);
    assert.notEqual(next.key, key, what);
    ({ key } = next);
  }
});

test('drafts, other files and other folders are no change, but look-alikes that come and go are', async t => {
  const dir = await writeFiles(t, markdown);
  const { key } = await fingerprint(dir);
  await writeInto(dir, { 'prices (1).csv': 'x' });
  assert.notEqual((await fingerprint(dir)).key, key);
  await rm(join(dir, 'prices (1).csv'));
  const others = ['news/_4.md', 'news/5.md~', 'news/.6.md', 'news/deeper/7.md', 'old/8.md'];
  await writeInto(dir, Object.fromEntries(others.map(path => [path, 'x'])));
  assert.equal((await fingerprint(dir)).key, key);
  await writeInto(dir, { 'news/1-item.md': 'x' });
  assert.notEqual((await fingerprint(dir)).key, key);
});

test('the events of a file that matters are heard, also in a folder that is new or comes back', async t => {
  const dir = join(await writeFiles(t, {}), 'catalog');
  let calls = 0;
  const { renew, close } = fileSystemEvents([dir], () => {
    calls += 1;
  });
  afterTest(t, close);
  /** Writes until it is heard: a watch takes a moment. */
  const isHeard = (path: string) => {
    calls = 0;
    return until(t, async () => {
      await writeFile(join(dir, path), String(calls));
      return calls > 0;
    });
  };
  renew();
  for (const round of [1, 2]) {
    await mkdir(join(dir, 'news'), { recursive: true });
    renew();
    for (const path of ['prices.csv', 'prices (1).csv', 'pin', 'news/1.md']) await isHeard(path);
    calls = 0;
    for (const path of ['notes.txt', 'news/photo.png', 'prices.csv']) await writeFile(join(dir, path), '');
    await until(t, async () => calls > 0);
    assert.ok(calls < 5, `${calls} calls in round ${round}`);
    await rm(dir, { recursive: true });
  }
});

test('a file that cannot be watched does no harm, even while the watch is closed', async t => {
  const dir = await writeFiles(t, {});
  await symlink('prices.csv', join(dir, 'prices.csv'));
  const { renew, close } = fileSystemEvents([dir], () => {});
  for (let turns = 0; turns < 40; turns += 1) {
    renew();
    for (let passed = 0; passed < turns; passed += 1) await turn();
  }
  await close();
  // The looks of before end after these.
  for (let look = 0; look < 10; look += 1) await readdir(dir);
});

test('a poll is due after the interval, and at once when something says that files changed', async t => {
  const alive = setInterval(() => {}, 1000);
  afterTest(t, () => clearInterval(alive));
  await openChangePoller(1).nextPoll();
  const poller = openChangePoller(3_600_000);
  poller.pollNow();
  await poller.nextPoll();
  const waiting = poller.nextPoll();
  poller.pollNow();
  await waiting;
});

test('the images directory is looked at once at a time, and not waited for', async () => {
  const looks: { lastState: string | undefined; answer: (listing: ImageListing | undefined) => void }[] = [];
  const watch = openImagesWatch(
    '/nowhere',
    (_dir, lastState) => new Promise(answer => looks.push({ lastState, answer })),
  );
  const changed = (images: { missing?: string[]; found?: string[] }) =>
    watch.haveChanged({ missing: [], found: [], ...images });
  for (let poll = 0; poll < 5; poll += 1) assert.equal(changed({ found: ['other.png'] }), false);
  assert.deepEqual([looks.length, looks[0]?.lastState], [1, undefined]);
  looks[0]?.answer({ state: 'first', names: new Set(['other.png']) });
  await turn();
  assert.equal(changed({ missing: ['late.png'], found: ['other.png'] }), false);
  assert.equal(looks[1]?.lastState, 'first');
  looks[1]?.answer({ state: 'second', names: new Set(['late.png']) });
  await turn();
  assert.equal(changed({ missing: ['late.png'] }), true);
  looks[2]?.answer(undefined);
  await turn();
  assert.equal(changed({ found: ['other.png'] }), true, 'nothing has changed since');
  assert.equal(changed({ missing: ['later.png'], found: ['late.png'] }), false);
});
