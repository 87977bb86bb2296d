import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Fs } from '../../src/files/atomic-write.ts';
import type { Log } from '../../src/messages.ts';
import type { Counts, ReadCounter } from '../../src/reads/counts.ts';
import { countsFormat, openFileCounter } from '../../src/reads/file/file-counter.ts';
import { openStateFile } from '../../src/reads/file/state-file.ts';
import {
  DIRECTORY,
  distinct,
  type Files,
  type Incident,
  type Mishap,
  type Operation,
  type SimulatedDisk,
  simulateDisk,
} from '../support/simulated-disk.ts';
import { keepingLog, NEVER } from '../support/stores.ts';

const FLUSHES = 4;
const PATH = `${DIRECTORY}/read-counts.json`;

/** What a counter was asked to count and to save. */
interface Run {
  /** The counts at the start, and at each flush. */
  states: Counts[];
  /** The last of the states of which the counter has said that it is saved. */
  acknowledged: number;
  /** Why it said that they are not saved, for each flush; empty where it did not. */
  reasons: string[];
  messages: string[];
  /** How many operations there were until the start and each flush had ended. */
  ends: number[];
}

/** Counts and flushes by turns, as long as there is power. */
async function countAndFlush(disk: SimulatedDisk, flushes: number, start: Counts = new Map()): Promise<Run> {
  const { messages, ...log } = keepingLog();
  const counter = await openFileCounter(openCounts(disk, log), NEVER, log).catch(() => undefined);
  const ends = [disk.operations.length];
  const run: Run = { states: [start], acknowledged: 0, reasons: [], messages, ends };
  for (let flush = 1; counter && flush <= flushes && disk.hasPower(); flush += 1) {
    run.states.push(countMore(counter, run.states.at(-1)));
    await counter.flush();
    const { reasons } = counter.health();
    run.reasons.push(reasons.join());
    if (reasons.length === 0) run.acknowledged = flush;
    ends.push(disk.operations.length);
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

function openCounts(disk: Fs, log: Log) {
  return openStateFile(PATH, countsFormat, log, disk);
}

/** What the next start makes of these files. */
async function loadFrom(files: Files): Promise<{ counts: Counts; errors: string[] }> {
  const log = keepingLog();
  const counts = await openCounts(simulateDisk(files), log).load();
  const errors = log.messages.filter(message => message.startsWith('error'));
  return { counts: counts ?? new Map(), errors };
}

/** A run that lost its power, and files that may be found then. */
interface LostRun {
  run: Run;
  files: Files;
  incidents: Incident[];
}

/** Asserts that nothing acknowledged is lost, nothing made up, and no file broken. */
async function assertKept({ run, files, incidents }: LostRun): Promise<void> {
  const { counts, errors } = await loadFrom(files);
  const found = stateOf(run, counts);
  const isKept = found >= run.acknowledged && errors.length === 0;
  assert.ok(isKept, JSON.stringify({ incidents, acknowledged: run.acknowledged, found, errors, files }));
}

/** The number of the state with these counts; -1 if there is none. */
function stateOf({ states }: Run, counts: Counts): number {
  return states.findIndex(state => isDeepStrictEqual(state, counts));
}

/** Asserts that the last counts of a run are found after a loss of power, whatever else it leaves. */
async function assertSaved(disk: SimulatedDisk, run: Run, incident: Incident): Promise<void> {
  const saved = { counts: run.states.at(-1), errors: [] };
  for (const files of disk.found())
    assert.deepEqual(await loadFrom(files), saved, JSON.stringify({ incident, files }));
}

/** Runs that lose their power before and after each operation, from the first one that an error befalls. */
async function* losePower(
  flushes: number,
  error?: Incident,
  before?: Files,
  start?: Counts,
): AsyncGenerator<LostRun> {
  const errors = error ? [error] : [];
  const undisturbed = simulateDisk(before, errors);
  await countAndFlush(undisturbed, flushes, start);
  for (let number = error?.from ?? 1; number <= undisturbed.operations.length; number += 1)
    for (const mishap of ['power loss before', 'power loss after'] as const) {
      const incidents = [at(number, mishap), ...errors];
      const disk = simulateDisk(before, incidents);
      const run = await countAndFlush(disk, flushes, start);
      for (const files of disk.found()) yield { run, files, incidents };
    }
}

/** The operations of the first to the last of these flushes if nothing goes wrong, by their numbers; 0 is the start. */
async function operationsOf(first: number, last: number): Promise<[number, Operation][]> {
  const disk = simulateDisk();
  const { ends } = await countAndFlush(disk, last);
  return disk.operations
    .map((kind, index): [number, Operation] => [index + 1, kind])
    .slice(ends[first - 1] ?? 0, ends[last]);
}

function at(number: number, mishap: Mishap): Incident {
  return { mishap, from: number, to: number };
}

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
    const failing = simulateDisk(files, [at(index + 1, 'EIO')]);
    const loaded = await openCounts(failing, keepingLog()).load().catch(String);
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
    const what = JSON.stringify({ incidents, files });
    assert.ok(stateOf(run, counts) >= run.acknowledged - 1, what);
  }
});

test('an error at any moment is reported, the next flush saves all reads, and a power loss after it loses nothing saved', async () => {
  for (const [number, kind] of await operationsOf(1, FLUSHES))
    for (const mishap of ['EIO', 'ENOSPC', 'EROFS', 'short write'] as const) {
      if (mishap === 'short write' && kind !== 'writeFile') continue;
      const error = at(number, mishap);
      const disk = simulateDisk({}, [error]);
      // Closing flushes once more, with nothing new counted.
      const run = await countAndFlush(disk, FLUSHES);
      const [reason = '', ...others] = run.reasons.filter(reason => reason !== '');
      const isTolerated = /warn: .* cannot be synced: /.test(run.messages.join());
      const expected = mishap === 'short write' ? /\d of \d+ bytes/ : RegExp(`${mishap}: `);
      if (!isTolerated) assert.match(reason, expected);
      assert.deepEqual(others, []);
      await assertSaved(disk, run, error);
      if (mishap === 'EIO' || mishap === 'short write')
        for await (const lost of losePower(FLUSHES, error)) await assertKept(lost);
    }
});

test('a disk that fails for many flushes loses nothing saved, and saves everything once it works again', async () => {
  for (const [from, kind] of await operationsOf(2, 2))
    for (const kinds of [[kind], undefined]) {
      const failure: Incident = { mishap: 'EIO', from, to: from + 30, ...(kinds && { kinds }) };
      const disk = simulateDisk({}, [failure]);
      await assertSaved(disk, await countAndFlush(disk, 36), failure);
      for await (const lost of losePower(6, failure)) await assertKept(lost);
    }
});
