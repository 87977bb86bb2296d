import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openFileCounter } from '../../src/reads/file/file-counter.ts';
import {
  assertKept,
  assertSaved,
  at,
  countAndFlush,
  dieAfter,
  errorsOf,
  loadFrom,
  losePower,
  openCounts,
  operationsOf,
  operationsUntil,
  PATH,
  range,
  show,
} from '../support/reads/disk-runs.ts';
import {
  DIRECTORY,
  distinct,
  type Files,
  type Incident,
  type Mishap,
  type Operation,
  type SimulatedDisk,
  simulateDisk,
} from '../support/reads/simulated-disk.ts';
import { keepingLog, NEVER } from '../support/reads/stores.ts';

const FLUSHES = 4;
const ERRORS: Mishap[] = ['EIO', 'ENOSPC', 'EROFS'];
const KINDS: Operation[] = [
  ...(['open', 'readFile', 'writeFile', 'sync', 'stat', 'close', 'rename', 'unlink'] as const),
];

test('a power loss at any moment loses nothing saved, and invents nothing', async () => {
  for await (const { run, found, incidents } of losePower(FLUSHES))
    for (const files of found) await assertKept(files, run, incidents);
});

test('a power loss during the recovery from another loses nothing more', async () => {
  const left: Files[] = [];
  for await (const { found } of losePower(FLUSHES)) left.push(...found);
  for (const files of distinct(left)) {
    const { counts } = await loadFrom(files);
    for await (const { run, found, incidents } of losePower(2, undefined, files, counts))
      for (const files of found) await assertKept(files, run, incidents);
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
  const operations = await operationsUntil(3);
  for (const last of range(1, operations.length)) {
    const disk = simulateDisk();
    const run = await countAndFlush(dieAfter(disk, last), 3);
    const counts = (await openCounts(disk, keepingLog()).load()) ?? new Map();
    const index = run.states.findIndex(state => isDeepStrictEqual(state, counts));
    assert.ok(index >= run.acknowledged, `${last} ${operations[last]}`);
    await openFileCounter(openCounts(disk, keepingLog()), NEVER, keepingLog());
    for (const files of disk.found()) assert.deepEqual((await loadFrom(files)).counts, counts);
  }
});

test('a disk that damages the newest file loses no more than the last save', async () => {
  for await (const { run, found, incidents } of losePower(FLUSHES))
    for (const files of found.filter(files => PATH in files)) {
      const { counts } = await loadFrom({ ...files, [PATH]: '' });
      const index = run.states.findIndex(state => isDeepStrictEqual(state, counts));
      assert.ok(index >= run.acknowledged - 1, show({ incidents, index, files }));
    }
});

test('an error at any moment is reported, and the next flush saves all reads', async () => {
  for (const error of await errorsOf(FLUSHES, ERRORS)) {
    const disk = simulateDisk({}, [error]);
    // Closing flushes once more, with nothing new counted.
    const { states, reasons, messages } = await countAndFlush(disk, FLUSHES);
    const [reason = '', ...others] = reasons.filter(reason => reason !== '');
    const isTolerated = messages.some(message => /^warn: .* cannot be synced: /.test(message));
    if (!isTolerated)
      assert.match(reason, error.mishap === 'short write' ? /\d of \d+ bytes/ : RegExp(`${error.mishap}: `));
    assert.deepEqual(others, []);
    await assertSaved(disk, states.at(-1), error);
  }
});

test('a power loss at any moment after an error loses nothing saved', async () => {
  for (const error of await errorsOf(3, ['EIO']))
    for await (const { run, found, incidents } of losePower(FLUSHES, error))
      for (const files of found) await assertKept(files, run, incidents);
});

test('a disk that fails for many flushes loses nothing saved, and saves everything once it works again', async () => {
  for (const [from, kind] of await operationsOf(2))
    for (const kinds of [[kind], KINDS]) {
      const failure: Incident = { mishap: 'EIO', from, to: from + 30, kinds };
      const disk = simulateDisk({}, [failure]);
      const { states } = await countAndFlush(disk, 36);
      await assertSaved(disk, states.at(-1), failure);
      for await (const { run, found, incidents } of losePower(6, failure))
        for (const files of found) await assertKept(files, run, incidents);
    }
});

test('a simulated disk loses what is not synced', async () => {
  const disk = simulateDisk({ [PATH]: 'old' });
  const file = await disk.open(`${PATH}.tmp`, 'wx');
  await file.writeFile('newer');
  await disk.rename(`${PATH}.tmp`, PATH);
  const texts = () => new Set(disk.found().map(files => files[PATH]));
  assert.deepEqual(texts(), new Set(['old', '', 'ne', '\0\0\0\0\0', 'newer']));
  await (await disk.open(DIRECTORY, 'r')).sync();
  assert.deepEqual(texts(), new Set(['', 'ne', '\0\0\0\0\0', 'newer']));
  await file.sync();
  assert.deepEqual(texts(), new Set(['newer']));
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

test('the model notices a missing sync', async () => {
  const disk = simulateDisk();
  const careless: SimulatedDisk = {
    ...disk,
    open: async (path, flags) => ({
      ...(await disk.open(path, flags)),
      sync: async () => {},
    }),
  };
  const run = await countAndFlush(careless, 1);
  assert.equal(run.acknowledged, 1);
  const checks = await Promise.allSettled(disk.found().map(files => assertKept(files, run, [])));
  assert.ok(checks.some(({ status }) => status === 'rejected'));
});
