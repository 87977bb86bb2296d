import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Fs } from '../../../src/files/atomic-write.ts';
import type { Log } from '../../../src/messages.ts';
import type { Counts, ReadCounter } from '../../../src/reads/counts.ts';
import { countsFormat, openFileCounter } from '../../../src/reads/file/file-counter.ts';
import { openStateFile } from '../../../src/reads/file/state-file.ts';
import {
  DIRECTORY,
  type Files,
  type Incident,
  type Mishap,
  type Operation,
  type SimulatedDisk,
  simulateDisk,
} from './simulated-disk.ts';
import { keepingLog, NEVER } from './stores.ts';

/** The state file on a simulated disk. */
export const PATH = `${DIRECTORY}/read-counts.json`;

/** What a counter was asked to count and to save. */
interface Run {
  /** The counts at the start, and at each flush. */
  states: Counts[];
  /** The last of the states of which the counter has said that it is saved. */
  acknowledged: number;
  /** Why it said that they are not saved, for each flush; empty where it did not. */
  reasons: string[];
  messages: string[];
  /** How many operations there were before the counter was closed. */
  operations: number;
}

/** Counts and flushes by turns, as long as there is power. */
export async function countAndFlush(
  disk: SimulatedDisk,
  flushes: number,
  start: Counts = new Map(),
): Promise<Run> {
  const log = keepingLog();
  const run: Run = { states: [start], acknowledged: 0, reasons: [], messages: log.messages, operations: 0 };
  const counter = await openFileCounter(openCounts(disk, log), NEVER, log).catch(() => undefined);
  for (let flush = 1; counter && flush <= flushes && disk.hasPower(); flush += 1) {
    run.states.push(countMore(counter, run.states.at(-1)));
    await counter.flush();
    const { reasons } = counter.health();
    run.reasons.push(reasons.join());
    if (reasons.length === 0) run.acknowledged = flush;
  }
  run.operations = disk.operations.length;
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

/** A counts file on a simulated disk. */
export function openCounts(disk: Fs, log: Log) {
  return openStateFile(PATH, countsFormat, log, disk);
}

/** What the next start makes of these files. */
export async function loadFrom(files: Files): Promise<{ counts: Counts; errors: string[] }> {
  const log = keepingLog();
  const counts = await openCounts(simulateDisk(files), log).load();
  const errors = log.messages.filter(message => message.startsWith('error'));
  return { counts: counts ?? new Map(), errors };
}

/** Asserts that nothing acknowledged is lost, nothing made up, and no file broken. */
export async function assertKept(
  files: Files,
  { states, acknowledged }: Run,
  incidents: Incident[],
): Promise<void> {
  const { counts, errors } = await loadFrom(files);
  const found = states.findIndex(state => isDeepStrictEqual(state, counts));
  if (found < acknowledged || errors.length > 0)
    assert.fail(show({ incidents, acknowledged, found, errors, files }));
}

/** Asserts that these counts are found after a loss of power, whatever else it leaves. */
export async function assertSaved(
  disk: SimulatedDisk,
  counts: Counts | undefined,
  incident: Incident,
): Promise<void> {
  const found = await Promise.all(disk.found().map(loadFrom));
  if (!found.every(one => isDeepStrictEqual(one, { counts, errors: [] })))
    assert.fail(show({ incident, found: disk.found() }));
}

/** What an assertion says that fails. */
export function show(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** A run that loses its power, and the files of which some are found then. */
interface LostRun {
  run: Run;
  found: Files[];
  incidents: Incident[];
}

/** Runs that lose their power before and after each operation, from the first one that an error befalls. */
export async function* losePower(
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
export async function errorsOf(flushes: number, mishaps: Mishap[]): Promise<Incident[]> {
  const operations = await Promise.all(range(1, flushes).map(operationsOf));
  return operations.flat().flatMap(([number, kind]) => {
    const short: Mishap[] = kind === 'writeFile' ? ['short write'] : [];
    return [...mishaps, ...short].map(mishap => at(number, mishap));
  });
}

/** The operations of a flush that nothing goes wrong with, by their numbers; the first flush is 1. */
export async function operationsOf(flush: number): Promise<[number, Operation][]> {
  const earlier = await operationsUntil(flush - 1);
  const all = await operationsUntil(flush);
  return all.slice(earlier.length).map((kind, index) => [earlier.length + index + 1, kind]);
}

/** The operations from opening to the end of a flush, without those of closing. */
export async function operationsUntil(flush: number): Promise<Operation[]> {
  const disk = simulateDisk();
  const { operations } = await countAndFlush(disk, flush);
  return disk.operations.slice(0, operations);
}

/** A mishap of one operation. */
export function at(number: number, mishap: Mishap): Incident {
  return { mishap, from: number, to: number };
}

/** The numbers from one to another. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The disk as a process sees it that dies after so many operations, while the system lives on. */
export function dieAfter(disk: SimulatedDisk, last: number): SimulatedDisk {
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
    unlink: path => alive(() => disk.unlink(path)),
    stat: (path, options) => alive(() => disk.stat(path, options)),
  };
}
