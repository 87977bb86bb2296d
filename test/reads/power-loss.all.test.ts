import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertKept,
  assertSaved,
  at,
  countAndFlush,
  loadFrom,
  losePower,
  openCounts,
  operationsOf,
  PATH,
  show,
  stateOf,
} from '../support/reads/disk-runs.ts';
import {
  DIRECTORY,
  distinct,
  type Files,
  type Incident,
  type Mishap,
  type Operation,
  simulateDisk,
} from '../support/reads/simulated-disk.ts';
import { keepingLog } from '../support/reads/stores.ts';

const FLUSHES = 4;
const ERRORS: Mishap[] = ['EIO', 'ENOSPC', 'EROFS'];
const KINDS: Operation[] = [
  ...(['open', 'readFile', 'writeFile', 'sync', 'stat', 'close', 'rename', 'unlink'] as const),
];

test('a power loss at any moment, or during the recovery from another, loses nothing saved, and invents nothing', async () => {
  const left: Files[] = [];
  for await (const lost of losePower(FLUSHES)) {
    await assertKept(lost);
    left.push(lost.files);
  }
  for (const files of distinct(left)) {
    const { counts } = await loadFrom(files);
    for await (const lost of losePower(2, undefined, files, counts)) await assertKept(lost);
  }
});

test('a read error at the start is an error, not a broken file', async () => {
  const disk = simulateDisk();
  const { states } = await countAndFlush(disk, 3);
  const [files] = disk.found();
  const start = simulateDisk(files);
  await openCounts(start, keepingLog()).load();
  for (const [index, kind] of start.operations.entries()) {
    const log = keepingLog();
    const failing = simulateDisk(files, [at(index + 1, 'EIO')]);
    const loaded = await openCounts(failing, log)
      .load()
      .catch((error: Error) => error.message);
    if (typeof loaded === 'string') assert.match(loaded, /EIO/);
    else assert.deepEqual(loaded, states.at(-1), kind);
    assert.deepEqual(failing.found(), [files]);
  }
});

test('a process that dies at any moment loses nothing saved, and what the next one finds survives a power loss', async () => {
  for (const [number, kind] of await operationsOf(0, 3)) {
    const disk = simulateDisk({}, [at(number, 'power loss before')]);
    const run = await countAndFlush(disk, 3);
    disk.restart();
    const counts = (await openCounts(disk, keepingLog()).load()) ?? new Map();
    assert.ok(stateOf(run, counts) >= run.acknowledged, `${number} ${kind}`);
    for (const files of disk.found()) assert.deepEqual((await loadFrom(files)).counts, counts);
  }
});

test('a disk that damages the newest file loses no more than the last save', async () => {
  for await (const { run, files, incidents } of losePower(FLUSHES)) {
    if (!(PATH in files)) continue;
    const { counts } = await loadFrom({ ...files, [PATH]: '' });
    assert.ok(stateOf(run, counts) >= run.acknowledged - 1, show({ incidents, files }));
  }
});

test('an error at any moment is reported, and the next flush saves all reads', async () => {
  for (const [number, kind] of await operationsOf(1, FLUSHES))
    for (const mishap of [...ERRORS, ...(kind === 'writeFile' ? ['short write' as const] : [])]) {
      const error = at(number, mishap);
      const disk = simulateDisk({}, [error]);
      // Closing flushes once more, with nothing new counted.
      const run = await countAndFlush(disk, FLUSHES);
      const [reason = '', ...others] = run.reasons.filter(reason => reason !== '');
      const isTolerated = run.messages.some(message => /^warn: .* cannot be synced: /.test(message));
      if (!isTolerated)
        assert.match(reason, mishap === 'short write' ? /\d of \d+ bytes/ : RegExp(`${mishap}: `));
      assert.deepEqual(others, []);
      await assertSaved(disk, run, error);
    }
});

test('a power loss at any moment after an error loses nothing saved', async () => {
  for (const [number, kind] of await operationsOf(1, 3))
    for (const mishap of ['EIO', ...(kind === 'writeFile' ? ['short write'] : [])] as Mishap[])
      for await (const lost of losePower(FLUSHES, at(number, mishap))) await assertKept(lost);
});

test('a disk that fails for many flushes loses nothing saved, and saves everything once it works again', async () => {
  for (const [from, kind] of await operationsOf(2, 2))
    for (const kinds of [[kind], KINDS]) {
      const failure: Incident = { mishap: 'EIO', from, to: from + 30, kinds };
      const disk = simulateDisk({}, [failure]);
      await assertSaved(disk, await countAndFlush(disk, 36), failure);
      for await (const lost of losePower(6, failure)) await assertKept(lost);
    }
});

test('a simulated disk loses what it failed to sync, even if a later sync succeeds', async () => {
  const disk = simulateDisk({}, [{ mishap: 'EIO', from: 1, to: 3, kinds: ['sync'] }]);
  const file = await disk.open(PATH, 'wx');
  await file.writeFile('text');
  await assert.rejects(file.sync(), { code: 'EIO' });
  await file.sync();
  await (await disk.open(DIRECTORY, 'r')).sync();
  assert.equal(await disk.readFile(PATH, 'utf8'), 'text');
  assert.deepEqual(
    disk.found(),
    ['', 'te', '\0\0\0\0', 'text'].map(text => ({ [PATH]: text })),
  );
});

test('the model notices a missing sync of a file, and one of the directory', async () => {
  for (const isCareless of [(path: string) => path !== DIRECTORY, (path: string) => path === DIRECTORY]) {
    const disk = simulateDisk();
    const open: typeof disk.open = async (path, flags) => ({
      ...(await disk.open(path, flags)),
      ...(isCareless(path) && { sync: async () => {} }),
    });
    const run = await countAndFlush({ ...disk, open }, 1);
    assert.equal(run.acknowledged, 1);
    const lost = disk.found().map(files => assertKept({ run, files, incidents: [] }));
    assert.ok((await Promise.allSettled(lost)).some(({ status }) => status === 'rejected'));
  }
});
