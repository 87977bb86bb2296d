import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Controls } from '../../src/live/control.ts';
import {
  type Decision,
  decide,
  initialState,
  type LiveEvent,
  type Look,
  type Rules,
} from '../../src/live/decide.ts';
import type { ServedSet } from '../../src/live/readers.ts';
import type { SetReport } from '../../src/reader/read-set.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';

const rules: Rules = { reloadQuietMs: 300, strict: false };

function reportOf(version: string | undefined, others: Partial<SetReport> = {}): SetReport {
  const none = { files: [], digests: [], images: { missing: [], found: [] }, warnings: 0 };
  const reading = { csvEncoding: 'utf-8', csvDecimal: '.', timeZone: 'UTC', markdownHtml: false } as const;
  return { version, problems: [], errors: version ? 0 : 1, holds: [], ...none, reading, ...others };
}

const problem = { severity: 'error', code: 'BAD_JSON', file: 'news.json', message: 'no row' } as const;
const lost = { code: 'LOST_ROWS', message: '6 of 7 prices would disappear' } as const;
const snapshotOf = (version: string) => ({ version }) as Snapshot;
const setOf = (version: string): ServedSet => ({
  report: reportOf(version),
  snapshot: snapshotOf(version),
  since: 0,
});

const pinOf = (version: string) => ({ version, changedAt: 7_000 });
const nobody = { inHistory: undefined, besideCatalogs: undefined };

/** The files have this key, and people want this. */
function lookAt(key: string, controls: Partial<Controls> = {}, haveImagesChanged = false): Look {
  const print = { key, changedAt: 0, fileCount: 1 };
  return { print, controls: { pin: undefined, publish: nobody, faults: [], ...controls }, haveImagesChanged };
}

/** An event without its time, which passes by a second with each. */
type Step = LiveEvent extends infer Event
  ? Event extends LiveEvent
    ? Omit<Event, 'now' | 'ms'>
    : never
  : never;

const looked = (key: string, controls?: Partial<Controls>): Step => ({
  type: 'looked',
  look: lookAt(key, controls),
});
const read = (
  key: string,
  change: Extract<LiveEvent, { type: 'read' }>['change'],
  controls?: Partial<Controls>,
): Step => ({ type: 'read', change, look: lookAt(key, controls), isRecognised: false });
const readSet = (key: string, report: SetReport, controls?: Partial<Controls>): Step =>
  read(
    key,
    { outcome: 'read', report, snapshot: report.version ? snapshotOf(report.version) : undefined },
    controls,
  );
const served = (version: string, origin: 'loaded' | 'restored' | 'rolledBack' = 'loaded'): Step => ({
  type: 'served',
  origin,
  set: setOf(version),
});

/** The decision about the last of these events, which follow each other by a second from an hour after 1970. */
function decisionAfter(steps: readonly Step[], by = rules): Decision {
  let decision: Decision = { state: initialState, said: [], todo: { do: 'look' } };
  for (const [index, step] of steps.entries()) {
    const time = { now: 3_600 + index, ms: 1_000 * (index + 1) };
    decision = decide(decision.state, { ...step, ...time } as LiveEvent, by);
  }
  return decision;
}

const show = ({ todo, said }: Decision) => [todo.do, ...said].join(' ');

const loaded = [looked('a'), readSet('a', reportOf('a1a1a1')), served('a1a1a1')];
const changed = [...loaded, looked('b'), looked('b')];
const [good, drastic, bad] = [
  reportOf('b2b2b2'),
  reportOf('b2b2b2', { holds: [lost] }),
  reportOf(undefined, { problems: [problem] }),
];
const pinned = { pin: pinOf('c3c3c3') };
const confirmed = { publish: { ...nobody, inHistory: 'b2b2b2' } };
const toLook = {
  'files are the same': looked('a'),
  'files change': looked('b'),
  'a version is pinned': looked('a', pinned),
  'what is served is pinned': looked('a', { pin: pinOf('a1a1a1') }),
  'the held version is confirmed': looked('b', confirmed),
  'an image arrives': { type: 'looked', look: lookAt('a', {}, true) },
} satisfies Record<string, Step>;
const toRead = {
  'a good set': readSet('b', good),
  'a drastic set': readSet('b', drastic),
  'a drastic set that is confirmed': readSet('b', drastic, confirmed),
  'a set with errors': readSet('b', bad),
  'the set that is served': read('b', { outcome: 'unchanged', report: good }),
  'a set that is incomplete': read('b', { outcome: 'incomplete', stillMs: 5_000 }),
  'a set other than the last good one': read('b', { outcome: 'different' }),
  'a good set, and a version is pinned meanwhile': readSet('b', good, pinned),
} satisfies Record<string, Step>;
const toRestore = {
  'a version': { type: 'restored', version: 'c3c3c3', origin: 'rolledBack', set: setOf('c3c3c3') },
  'no version': { type: 'restored', version: 'c3c3c3', origin: 'restored', set: undefined, fault: 'damaged' },
  'the last good set': { type: 'restored', version: '', origin: 'restored', set: setOf('a1a1a1') },
  nothing: { type: 'restored', version: '', origin: 'restored', set: undefined },
} satisfies Record<string, Step>;
const silent: Step = { type: 'silent' };
const lastGood = { 'the last good set': toRestore['the last good set'], nothing: toRestore.nothing };
const toServe = {
  'a set of the files': served('b2b2b2'),
  'the last good set': served('a1a1a1', 'restored'),
  'an earlier set': served('c3c3c3', 'rolledBack'),
} satisfies Record<string, Step>;

/**
 * For each state, what is to be done in it decides which events can follow; all others are impossible. After each of them:
 * what is to be done next, and what people hear of.
 */
const table: [state: string, steps: Step[], next: Record<string, string>, events: Record<string, Step>][] = [
  [
    'nothing is known',
    [],
    {
      'files are the same': 'read',
      'files change': 'read',
      'a version is pinned': 'restore',
      'what is served is pinned': 'restore',
      'the held version is confirmed': 'read',
      'an image arrives': 'read',
      'the directory does not answer': 'restore',
    },
    { ...toLook, 'the directory does not answer': silent },
  ],
  ['a start has seen nothing', [silent], { 'the last good set': 'serve', nothing: 'look' }, lastGood],
  [
    'a start has read',
    [looked('b')],
    {
      'a good set': 'serve',
      'a drastic set': 'restore',
      'a drastic set that is confirmed': 'serve',
      'a set with errors': 'restore',
      'the set that is served': 'look',
      'a set that is incomplete': 'read',
      'a set other than the last good one': 'restore',
      'a good set, and a version is pinned meanwhile': 'restore',
    },
    toRead,
  ],
  [
    'a start has restored',
    [looked('b'), readSet('b', bad)],
    {
      'a version': 'serve',
      'no version': 'read',
      'the last good set': 'serve',
      nothing: 'read',
    },
    toRestore,
  ],
  [
    'a start is about to serve',
    [looked('b'), readSet('b', bad), toRestore['the last good set']],
    {
      'a set of the files': 'look loaded',
      'the last good set': 'read',
      'an earlier set': 'read rolledBack',
    },
    toServe,
  ],
  [
    'a start has read again',
    [looked('b'), readSet('b', bad), toRestore.nothing],
    {
      'a good set': 'serve',
      'a drastic set': 'serve',
      'a drastic set that is confirmed': 'serve',
      'a set with errors': 'fail',
      'the set that is served': 'look',
      'a set that is incomplete': 'read',
      'a set other than the last good one': 'restore',
      'a good set, and a version is pinned meanwhile': 'restore',
    },
    toRead,
  ],
  [
    'a set is served',
    loaded,
    {
      'files are the same': 'look',
      'files change': 'look',
      'a version is pinned': 'restore',
      'what is served is pinned': 'look pinned',
      'the held version is confirmed': 'look',
      'an image arrives': 'read',
    },
    toLook,
  ],
  [
    'changed files were read',
    changed,
    {
      'a good set': 'serve',
      'a drastic set': 'look held',
      'a drastic set that is confirmed': 'serve',
      'a set with errors': 'look pending',
      'the set that is served': 'look unchanged',
      'a set that is incomplete': 'look',
      'a set other than the last good one': 'restore',
      'a good set, and a version is pinned meanwhile': 'restore',
    },
    toRead,
  ],
  [
    'a set is held back',
    [...changed, readSet('b', drastic)],
    {
      'files are the same': 'look',
      'files change': 'look',
      'a version is pinned': 'restore',
      'what is served is pinned': 'look pinned',
      'the held version is confirmed': 'read',
      'an image arrives': 'look',
    },
    toLook,
  ],
  [
    'files have errors',
    [...changed, readSet('b', bad)],
    {
      'files are the same': 'look',
      'files change': 'look',
      'a version is pinned': 'restore',
      'what is served is pinned': 'look pinned',
      'the held version is confirmed': 'look',
      'an image arrives': 'look',
    },
    toLook,
  ],
  [
    'a pin was restored',
    [...loaded, looked('a', pinned)],
    {
      'a version': 'serve',
      'no version': 'look pinned',
      'the last good set': 'serve',
      nothing: 'restore',
    },
    toRestore,
  ],
  [
    'a pinned version is about to be served',
    [...loaded, looked('a', pinned), toRestore['a version']],
    {
      'a set of the files': 'look loaded pinned',
      'the last good set': 'restore',
      'an earlier set': 'look rolledBack pinned',
    },
    toServe,
  ],
  [
    'a version is pinned',
    [...loaded, looked('a', pinned), toRestore['a version'], toServe['an earlier set']],
    {
      'files are the same': 'read unpinned',
      'files change': 'look unpinned',
      'a version is pinned': 'look',
      'what is served is pinned': 'restore',
      'the held version is confirmed': 'look unpinned',
      'an image arrives': 'read unpinned',
    },
    toLook,
  ],
];

test('what is done next, and what people hear of, follows from each state and each event that can follow it', () => {
  for (const [state, steps, next, events] of table)
    for (const [name, event] of Object.entries(events))
      assert.equal(show(decisionAfter([...steps, event])), next[name], `${state}: ${name}`);
});

test('what fails as a whole is said, and done again at the next poll, in any state', () => {
  for (const [state, steps] of table) {
    const { todo, state: after } = decisionAfter([...steps, { type: 'failed', fault: 'no process' }]);
    assert.deepEqual([todo, after.failure], [{ do: 'look' }, 'no process'], state);
  }
});

test('with --strict, a start restores nothing, and fails over files that would not go live', () => {
  const strict = { ...rules, strict: true };
  for (const [report, next] of [
    [good, 'serve'],
    [bad, 'fail'],
    [drastic, 'fail'],
  ] as const)
    assert.equal(show(decisionAfter([looked('b'), readSet('b', report)], strict)), next);
});

test('a start that finds what is pinned neither in the history nor another set there serves it from the files, or nothing', () => {
  const steps = [looked('b', pinned), toRestore['no version'], toRestore.nothing];
  assert.equal(show(decisionAfter(steps)), 'read');
  for (const [version, next] of [
    ['c3c3c3', 'serve'],
    ['b2b2b2', 'look pinned'],
  ] as const)
    assert.equal(show(decisionAfter([...steps, readSet('b', reportOf(version), pinned)])), next);
});

test('a start without any files waits for them', () => {
  for (const code of ['NO_DIRECTORY', 'MISSING_FILE'] as const) {
    const absent = reportOf(undefined, { problems: [{ ...problem, code }] });
    const { todo, said, state } = decisionAfter([
      looked('b'),
      readSet('b', absent),
      toRestore.nothing,
      readSet('b', absent),
    ]);
    assert.deepEqual([todo.do, said, state.isDecided], ['look', ['pending'], true]);
  }
});

test('errors are pending for ten seconds, whatever the clock of the machine does; the same ones again are no event', () => {
  const { state } = decisionAfter([...changed, readSet('b', bad)]);
  const at = (ms: number) => decide(state, { ...looked('b'), now: 0, ms } as LiveEvent, rules);
  assert.deepEqual([at(15_999).said, at(16_000).said], [[], ['failed']]);
  const again = decide(at(16_000).state, { ...readSet('b', bad), now: 9, ms: 17_000 } as LiveEvent, rules);
  assert.deepEqual([again.said, again.state.attempt?.outcome], [[], 'failed']);
});

test('a file that cannot be read is read again after 2, 4, 8 s, and so on up to each minute', () => {
  const unreadable = reportOf(undefined, { problems: [{ ...problem, code: 'UNREADABLE_FILE' }] });
  let { state } = decisionAfter([...changed, readSet('b', unreadable)]);
  let ms = 6_000;
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const begin = ms;
    let next = decide(state, { ...looked('b'), now: 0, ms } as LiveEvent, rules);
    while (next.todo.do !== 'read') {
      ms += 1_000;
      next = decide(next.state, { ...looked('b'), now: 0, ms } as LiveEvent, rules);
    }
    pauses.push((ms - begin) / 1_000);
    ({ state } = decide(next.state, { ...readSet('b', unreadable), now: 0, ms } as LiveEvent, rules));
  }
  assert.deepEqual(pauses, [2, 4, 8, 16, 32, 60, 60, 60]);
});

test('files must lie still, for longer if they were incomplete; those from before the start have done so since then', () => {
  const first = { ...lookAt('a'), print: { key: 'a', changedAt: 3_599_900, fileCount: 1 } };
  const todoAt = (ms: number) =>
    decide(initialState, { type: 'looked', look: first, now: 3_600 + ms / 1_000, ms }, rules).todo;
  assert.deepEqual(todoAt(0), { do: 'look', waitMs: 200, isReadNext: true });
  assert.deepEqual(todoAt(150), { do: 'look', waitMs: 50, isReadNext: true });
  assert.equal(todoAt(200).do, 'read');
  const { state, todo } = decisionAfter([...changed, toRead['a set that is incomplete']]);
  assert.deepEqual(todo, { do: 'look', waitMs: 200, isReadNext: true });
  const at = (key: string, ms: number) => decide(state, { ...looked(key), now: 0, ms } as LiveEvent, rules);
  assert.equal(at('b', 8_999).todo.do, 'look');
  const reading = { do: 'read', key: 'b', stillMs: 5_000, isBeingWritten: true, isStart: false };
  assert.deepEqual(at('b', 9_000).todo, reading);
  const later = { ...looked('c'), now: 0, ms: 9_300 } as LiveEvent;
  assert.equal(decide(at('c', 9_000).state, later, rules).todo.do, 'read');
});

test('a version that later rules read as another one is pinned all the same', () => {
  const other: Step = { type: 'restored', version: 'c3c3c3', origin: 'rolledBack', set: setOf('d4d4d4') };
  const { todo, said, state } = decisionAfter([
    ...loaded,
    looked('a', pinned),
    other,
    served('d4d4d4', 'rolledBack'),
  ]);
  assert.deepEqual([todo.do, said, state.pinned?.fault], ['look', ['rolledBack', 'pinned'], undefined]);
});

test('the report of what is served is renewed with what is around its files, and keeps what the set changed', () => {
  const changes = { summary: '1 price changed', report: { bytes: 1, sha256: '' } };
  const holds = [{ code: 'NOT_COMPARED', message: '' } as const];
  const set = { ...setOf('a1a1a1'), report: { ...reportOf('a1a1a1'), changes, holds } };
  const report = reportOf('a1a1a1', { images: { missing: ['a.png'], found: [] } });
  for (const [isRecognised, left] of [
    [false, holds],
    [true, []],
  ] as const) {
    const { state } = decisionAfter([
      ...[
        looked('a'),
        readSet('a', good),
        { type: 'served', origin: 'loaded', set } as const,
        looked('b'),
        looked('b'),
      ],
      { ...read('b', { outcome: 'unchanged', report }), isRecognised } as Step,
    ]);
    const renewed = { ...report, changes, holds: left };
    assert.deepEqual([state.served?.report, state.attempt?.report], [renewed, renewed]);
  }
});
