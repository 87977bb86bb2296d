import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { ReadCounter } from '../../src/reads/counter.ts';
import { type Counts, countsForm } from '../../src/reads/counts.ts';
import { openFileCounter } from '../../src/reads/file-counter.ts';
import type { Log } from '../../src/reads/log.ts';
import type { Disk } from '../../src/reads/state/disk.ts';
import { openStateFile } from '../../src/reads/state/file.ts';
import {
  DIRECTORY,
  distinct,
  type Files,
  type Incident,
  type Mishap,
  type Operation,
  type SimulatedDisk,
  simulateDisk,
} from './simulated-disk.ts';
import { keepingLog, NEVER } from './stores.ts';

const PATH = `${DIRECTORY}/read-counts.json`;
const FLUSHES = 4;
const ERRORS: Mishap[] = ['EIO', 'ENOSPC', 'EROFS'];

const KINDS: Operation[] = ['open', 'readFile', 'writeFile', 'sync', 'stat', 'close', 'rename', 'rm'];

/** What a counter was asked to count and to save. */
interface Run {
  /** The counts at the start, and at each flush. */
  states: Counts[];
  /** The last of the states of which the counter has said that it is saved. */
  acknowledged: number;
  /** Why it said that they are not saved, for each flush; empty where it did not. */
  reasons: string[];
}

/** Counts and flushes by turns, as long as there is power. */
async function countAndFlush(disk: SimulatedDisk, flushes: number, start: Counts = new Map()): Promise<Run> {
  const run: Run = { states: [start], acknowledged: 0, reasons: [] };
  const log = keepingLog();
  const counter = await openFileCounter(openCounts(disk, log), NEVER, log).catch(() => undefined);
  for (let flush = 1; counter && flush <= flushes && disk.hasPower(); flush += 1) {
    run.states.push(countMore(counter, run.states.at(-1)));
    await counter.flush();
    const { reasons } = counter.health();
    run.reasons.push(reasons.join());
    if (reasons.length === 0) run.acknowledged = flush;
  }
  await counter?.close().catch(() => {});
  return run;
}

/** Raises an old count and a new one. */
function countMore(counter: ReadCounter, before: Counts = new Map()): Counts {
  const counts = new Map(before);
  for (const id of [1, counts.size + 1]) {
    const count = (counts.get(id) ?? 0) + 1;
    assert.equal(counter.raise(id, 0), count);
    counts.set(id, count);
  }
  return counts;
}

function openCounts(disk: Disk, log: Log) {
  return openStateFile(PATH, countsForm, log, disk);
}

/** What the next start makes of these files. */
async function loadFrom(files: Files): Promise<{ counts: Counts; errors: string[] }> {
  const log = keepingLog();
  const counts = await openCounts(simulateDisk(files), log).load();
  const errors = log.messages.filter(message => message.startsWith('error'));
  return { counts: counts ?? new Map(), errors };
}

/** Asserts that nothing acknowledged is lost, nothing made up, and no file broken. */
async function assertKept(files: Files, { states, acknowledged }: Run, incidents: Incident[]): Promise<void> {
  const { counts, errors } = await loadFrom(files);
  const found = states.findIndex(state => isDeepStrictEqual(state, counts));
  if (found < acknowledged || errors.length > 0)
    assert.fail(show({ incidents, acknowledged, found, errors, files }));
}

/** Asserts that these counts would be found after a loss of power, and no others. */
async function assertSaved(
  disk: SimulatedDisk,
  counts: Counts | undefined,
  incident: Incident,
): Promise<void> {
  const found = await Promise.all(disk.found().map(loadFrom));
  if (!isDeepStrictEqual(found, [{ counts, errors: [] }]))
    assert.fail(show({ incident, found: disk.found() }));
}

function show(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** A run that loses its power, and the files of which some are found then. */
interface LostRun {
  run: Run;
  found: Files[];
  incidents: Incident[];
}

/** Runs that lose their power before and after each operation, from the first one that an error befalls. */
async function* losePower(
  flushes: number,
  error?: Incident,
  files?: Files,
  start?: Counts,
): AsyncGenerator<LostRun> {
  const errors = error ? [error] : [];
  const undisturbed = simulateDisk(files, errors);
  await countAndFlush(undisturbed, flushes, start);
  for (const number of range(error?.from ?? 1, undisturbed.operations.length)) {
    for (const mishap of ['power loss before', 'power loss after'] as const) {
      const incidents = [at(number, mishap), ...errors];
      const disk = simulateDisk(files, incidents);
      const run = await countAndFlush(disk, flushes, start);
      yield { run, found: disk.found(), incidents };
    }
  }
}

/** Errors of which each befalls one operation of the first flushes. */
async function errorsOf(flushes: number, mishaps: Mishap[]): Promise<Incident[]> {
  const operations = await Promise.all(range(1, flushes).map(operationsOf));
  return operations.flat().flatMap(([number, kind]) => {
    const short: Mishap[] = kind === 'writeFile' ? ['short write'] : [];
    return [...mishaps, ...short].map(mishap => at(number, mishap));
  });
}

/** The operations of a flush that nothing goes wrong with, by their numbers; the first flush is 1. */
async function operationsOf(flush: number): Promise<[number, Operation][]> {
  const earlier = await operationsUntil(flush - 1);
  const all = await operationsUntil(flush);
  return all.slice(earlier.length).map((kind, index) => [earlier.length + index + 1, kind]);
}

/** The operations from opening to the end of a flush, without the one of closing. */
async function operationsUntil(flush: number): Promise<Operation[]> {
  const disk = simulateDisk();
  await countAndFlush(disk, flush);
  return disk.operations.slice(0, -1);
}

function at(number: number, mishap: Mishap): Incident {
  return { mishap, from: number, to: number };
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

test('a loss of power at any moment loses nothing that was saved, and makes nothing up', async () => {
  for await (const { run, found, incidents } of losePower(FLUSHES))
    for (const files of found) await assertKept(files, run, incidents);
});

test('a loss of power during the recovery from another one loses no more', async () => {
  const left: Files[] = [];
  for await (const { found } of losePower(FLUSHES)) left.push(...found);
  for (const files of distinct(left)) {
    const { counts } = await loadFrom(files);
    for await (const { run, found, incidents } of losePower(2, undefined, files, counts))
      for (const files of found) await assertKept(files, run, incidents);
  }
});

test('an error of reading at the start is an error, and no broken file', async () => {
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

/** The disk as a process sees it that dies after so many operations, while the system lives on. */
function dieAfter(disk: SimulatedDisk, last: number): SimulatedDisk {
  const alive = async <Result>(operation: () => Promise<Result>): Promise<Result> => {
    if (disk.operations.length >= last) throw new Error('dead');
    return operation();
  };
  return {
    ...disk,
    async open(path, flags) {
      const file = await alive(() => disk.open(path, flags));
      return {
        writeFile: text => alive(() => file.writeFile(text)),
        sync: () => alive(() => file.sync()),
        stat: options => alive(() => file.stat(options)),
        close: () => alive(() => file.close()),
      };
    },
    readFile: (path, encoding) => alive(() => disk.readFile(path, encoding)),
    rename: (from, to) => alive(() => disk.rename(from, to)),
    rm: (path, options) => alive(() => disk.rm(path, options)),
    stat: (path, options) => alive(() => disk.stat(path, options)),
  };
}

test('a process that dies at any moment loses nothing that was saved, and what the next one finds survives a loss of power', async () => {
  const operations = await operationsUntil(3);
  for (const last of range(1, operations.length)) {
    const disk = simulateDisk();
    const run = await countAndFlush(dieAfter(disk, last), 3);
    const counts = (await openCounts(disk, keepingLog()).load()) ?? new Map();
    const index = run.states.findIndex(state => isDeepStrictEqual(state, counts));
    assert.ok(index >= run.acknowledged, `${last} ${operations[last]}`);
    for (const files of disk.found()) assert.deepEqual((await loadFrom(files)).counts, counts);
  }
});

test('a disk that damages the newest file loses no more than the last flush', async () => {
  for await (const { run, found, incidents } of losePower(FLUSHES))
    for (const files of found.filter(files => PATH in files)) {
      const { counts } = await loadFrom({ ...files, [PATH]: '' });
      const index = run.states.findIndex(state => isDeepStrictEqual(state, counts));
      assert.ok(index >= run.acknowledged - 1, show({ incidents, index, files }));
    }
});

test('an error at any moment is told, and the next flush saves all that was counted', async () => {
  for (const error of await errorsOf(FLUSHES, ERRORS)) {
    const disk = simulateDisk({}, [error]);
    // Closing flushes once more, with nothing new counted.
    const { states, reasons } = await countAndFlush(disk, FLUSHES);
    const [reason = '', ...others] = reasons.filter(reason => reason !== '');
    assert.match(reason, error.mishap === 'short write' ? /\d of \d+ bytes/ : RegExp(`${error.mishap}: `));
    assert.deepEqual(others, []);
    await assertSaved(disk, states.at(-1), error);
  }
});

test('a loss of power at any moment after an error loses nothing that was saved', async () => {
  for (const error of await errorsOf(3, ['EIO']))
    for await (const { run, found, incidents } of losePower(FLUSHES, error))
      for (const files of found) await assertKept(files, run, incidents);
});

test('a disk that fails for many flushes loses nothing that was saved, and saves all when it is well again', async () => {
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
  assert.deepEqual(texts(), new Set(['old', '', 'ne', 'newer']));
  await (await disk.open(DIRECTORY, 'r')).sync();
  assert.deepEqual(texts(), new Set(['', 'ne', 'newer']));
  await file.sync();
  assert.deepEqual(texts(), new Set(['newer']));
});

test('a simulated disk loses what it failed to sync, also where a later sync succeeds', async () => {
  const disk = simulateDisk({}, [{ mishap: 'EIO', from: 1, to: 3, kinds: ['sync'] }]);
  const file = await disk.open(PATH, 'wx');
  await file.writeFile('text');
  await assert.rejects(file.sync(), { code: 'EIO' });
  await file.sync();
  await (await disk.open(DIRECTORY, 'r')).sync();
  assert.equal(await disk.readFile(PATH, 'utf8'), 'text');
  assert.deepEqual(disk.found(), [{ [PATH]: '' }, { [PATH]: 'te' }, { [PATH]: 'text' }]);
});

test('counts saved without a sync would be found to be lost', async () => {
  const disk = simulateDisk();
  const careless: SimulatedDisk = {
    ...disk,
    open: async (path, flags) => ({ ...(await disk.open(path, flags)), sync: async () => {} }),
  };
  const run = await countAndFlush(careless, 1);
  assert.equal(run.acknowledged, 1);
  const checks = await Promise.allSettled(disk.found().map(files => assertKept(files, run, [])));
  assert.ok(checks.some(({ status }) => status === 'rejected'));
});
