import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Controls } from '../../src/live/control.ts';
import {
  type Decision,
  decide,
  initialState,
  type LiveEvent,
  type Look,
  type Origin,
  type Rules,
} from '../../src/live/decide.ts';
import type { LoadedChange, ServedSet } from '../../src/live/readers.ts';
import type { SetReport } from '../../src/reader/read-set.ts';
import { reportOf, snapshotOf } from '../support/sets.ts';

const rules: Rules = { reloadQuietMs: 300, strict: false };

const problem = { severity: 'error', code: 'BAD_JSON', file: 'news.json', message: 'no row' } as const;
const lost = { code: 'LOST_ROWS', message: '6 of 7 prices would disappear' } as const;
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

const looked = (key: string, controls?: Partial<Controls>): Step => {
  return { type: 'looked', look: lookAt(key, controls) };
};
const read = (key: string, change: LoadedChange, controls?: Partial<Controls>): Step => ({
  ...{ type: 'read', change, look: lookAt(key, controls), isRecognised: false },
});
const readSet = (key: string, report: SetReport, controls?: Partial<Controls>): Step => {
  const snapshot = report.version ? snapshotOf(report.version) : undefined;
  return read(key, { outcome: 'read', report, snapshot }, controls);
};
const served = (version: string, origin: Origin = 'loaded'): Step => {
  return { type: 'served', origin, set: setOf(version) };
};

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
const restored = (version: string, set: string | undefined, origin: Origin = 'restored'): Step => {
  return {
    type: 'restored',
    version,
    origin,
    set: set === undefined ? undefined : setOf(set),
    fault: 'damaged',
  };
};
const [version, none] = [restored('c3c3c3', 'c3c3c3', 'rolledBack'), restored('c3c3c3', undefined)];
const [last, nothing] = [restored('', 'a1a1a1'), restored('', undefined)];
const incomplete = read('b', { outcome: 'incomplete', stillMs: 5_000 });
const events: Record<string, Step> = {
  'files are the same': looked('a'),
  'files change': looked('b'),
  'a version is pinned': looked('a', pinned),
  'what is served is pinned': looked('a', { pin: pinOf('a1a1a1') }),
  'the held version is confirmed': looked('b', confirmed),
  'an image arrives': { type: 'looked', look: lookAt('a', {}, true) },
  'the directory does not answer': { type: 'silent' },
  'a good set is read': readSet('b', good),
  'a drastic set': readSet('b', drastic),
  'a drastic set that is confirmed': readSet('b', drastic, confirmed),
  'a set with errors': readSet('b', bad),
  'the set that is served': read('b', { outcome: 'unchanged', report: good }),
  'a set that is incomplete': incomplete,
  'another set than the last good one': read('b', { outcome: 'different' }),
  'a good set, and a pin meanwhile': readSet('b', good, pinned),
  'a version': version,
  'no version': none,
  'the last good set': last,
  nothing,
  'a set of the files is served': served('b2b2b2'),
  'the last good one': served('a1a1a1', 'restored'),
  'an earlier one': served('c3c3c3', 'rolledBack'),
};
const states: Record<string, Step[]> = {
  'nothing is known': [],
  'a start saw nothing': [{ type: 'silent' }],
  'a start has read': [looked('b')],
  'a start has restored': [looked('b'), readSet('b', bad)],
  'a start serves': [looked('b'), readSet('b', bad), last],
  'it has read again': [looked('b'), readSet('b', bad), nothing],
  served: loaded,
  'changed files were read': changed,
  'held back': [...changed, readSet('b', drastic)],
  errors: [...changed, readSet('b', bad)],
  'a pin was restored': [...loaded, looked('a', pinned)],
  'a pin is being served': [...loaded, looked('a', pinned), version],
  pinned: [...loaded, looked('a', pinned), version, served('c3c3c3', 'rolledBack')],
};

/**
 * For states in which the same events can follow, what is done next after each of them, and what people hear of; all others
 * are impossible.
 */
const tables = `
after                              | nothing is known | served      | held back   | errors      | pinned
files are the same                 | read             | look        | look        | look        | read unpinned
files change                       | read             | look        | look        | look        | look unpinned
a version is pinned                | restore          | restore     | restore     | restore     | look
what is served is pinned           | restore          | look pinned | look pinned | look pinned | restore
the held version is confirmed      | read             | look        | read        | look        | look unpinned
an image arrives                   | read             | read        | look        | look        | read unpinned
the directory does not answer      | restore          |             |             |             |

after                              | a start has read | it has read again | changed files were read
a good set is read                 | serve            | serve             | serve
a drastic set                      | restore          | serve             | look held
a drastic set that is confirmed    | serve            | serve             | serve
a set with errors                  | restore          | end               | look pending
the set that is served             | look             | look              | look unchanged
a set that is incomplete           | read             | read              | look
another set than the last good one | restore          | restore           | restore
a good set, and a pin meanwhile    | restore          | restore           | restore

after                              | a start saw nothing | a start has restored | a pin was restored
a version                          |                     | serve                | serve
no version                         |                     | read                 | look pinned
the last good set                  | serve               | serve                | serve
nothing                            | look                | read                 | restore

after                              | a start serves  | a pin is being served
a set of the files is served       | look loaded     | look loaded pinned
the last good one                  | read            | restore
an earlier one                     | read rolledBack | look rolledBack pinned`;

test('what is done next, and what people hear of, follows from each state and each event that can follow it', () => {
  const seen = new Set<string>();
  for (const table of tables.trim().split('\n\n')) {
    const [[, ...heads] = [], ...rows] = table
      .split('\n')
      .map(line => line.split('|').map(cell => cell.trim()));
    for (const [event = '', ...cells] of rows)
      for (const [column, next] of cells.entries()) {
        const [state = '', step] = [heads[column], events[event] ?? assert.fail(event)];
        if (next === '') continue;
        seen.add(state).add(event);
        const steps = states[state] ?? assert.fail(state);
        assert.equal(show(decisionAfter([...steps, step])), next, `${state}: ${event}`);
      }
  }
  assert.equal(seen.size, Object.keys(states).length + Object.keys(events).length);
});

test('what fails as a whole is said, and done again at the next poll, in any state', () => {
  for (const [state, steps] of Object.entries(states)) {
    const { todo, state: after } = decisionAfter([...steps, { type: 'stepFailed', fault: 'no process' }]);
    assert.deepEqual([todo, after.stepFault], [{ do: 'look' }, 'no process'], state);
  }
});

test('with --strict, a start restores nothing, and ends over files that would not go live', () => {
  const strict = { ...rules, strict: true };
  for (const [report, next] of [
    [good, 'serve'],
    [bad, 'end'],
    [drastic, 'end'],
  ] as const)
    assert.equal(show(decisionAfter([looked('b'), readSet('b', report)], strict)), next);
});

test('a start that finds what is pinned neither in the history nor another set there serves it from the files, or nothing', () => {
  const steps = [looked('b', pinned), none, nothing];
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
    const steps = [looked('b'), readSet('b', absent), nothing, readSet('b', absent)];
    const { todo, said, state } = decisionAfter(steps);
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
  assert.deepEqual(todoAt(0), { do: 'look', waitMs: 200 });
  assert.deepEqual(todoAt(150), { do: 'look', waitMs: 50 });
  assert.equal(todoAt(200).do, 'read');
  const { state, todo } = decisionAfter([...changed, incomplete]);
  assert.deepEqual(todo, { do: 'look', waitMs: 200 });
  const at = (key: string, ms: number) => decide(state, { ...looked(key), now: 0, ms } as LiveEvent, rules);
  assert.equal(at('b', 8_999).todo.do, 'look');
  const reading = { do: 'read', key: 'b', stillMs: 5_000, isBeingWritten: true, isStart: false };
  assert.deepEqual(at('b', 9_000).todo, reading);
  const later = { ...looked('c'), now: 0, ms: 9_300 } as LiveEvent;
  assert.equal(decide(at('c', 9_000).state, later, rules).todo.do, 'read');
});

test('a version that later rules read as another one is pinned all the same', () => {
  const other = restored('c3c3c3', 'd4d4d4', 'rolledBack');
  const steps = [...loaded, looked('a', pinned), other, served('d4d4d4', 'rolledBack')];
  const { todo, said, state } = decisionAfter(steps);
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
    const unchanged = { ...read('b', { outcome: 'unchanged', report }), isRecognised } as Step;
    const steps: Step[] = [looked('a'), readSet('a', good), { type: 'served', origin: 'loaded', set }];
    const { state } = decisionAfter([...steps, looked('b'), looked('b'), unchanged]);
    const renewed = { ...report, changes, holds: left };
    assert.deepEqual([state.served?.report, state.attempt?.report], [renewed, renewed]);
  }
});
