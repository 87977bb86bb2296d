import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type CatalogEvent,
  type CatalogStatus,
  decide,
  judge,
  logStatus,
  nothingServed,
  openStatus,
  type Start,
} from '../../src/live/status.ts';
import type { SetReport } from '../../src/reader/read-set.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';

const START = 1_767_225_600;

/** The report of a set with these problems, which is a version unless there are errors. */
function reportOf(version: string | undefined, others: Partial<SetReport> = {}): SetReport {
  const none = { files: [], digests: [], awaitedImages: [] };
  const reading = { csvEncoding: 'utf-8', csvDecimal: '.', timeZone: 'UTC', markdownHtml: false } as const;
  return { version, problems: [], errors: version ? 0 : 1, warnings: 0, ...none, reading, ...others };
}

const [one, two] = ['a1', 'b2'].map(version => ({
  report: reportOf(version),
  snapshot: { version } as Snapshot,
  since: START,
})) as [NonNullable<CatalogStatus['served']>, NonNullable<CatalogStatus['served']>];
const problem = {
  severity: 'error',
  file: 'news.json',
  line: 1,
  code: 'NOT_AN_OBJECT',
  message: 'no row',
} as const;
const bad = reportOf(undefined, { problems: [problem] });
const unread = reportOf(undefined, { problems: [{ ...problem, code: 'LOAD_FAILED' }] });

const loaded: CatalogEvent = { type: 'loaded', set: one };
const held: CatalogEvent = { type: 'held', report: two.report, snapshot: two.snapshot };
const refused: CatalogEvent = { type: 'refused', report: bad, isFinal: false };
const unchanged: CatalogEvent = { type: 'unchanged', report: one.report, isRecognised: false };
const polled: CatalogEvent = { type: 'polled' };
const unpinned: CatalogEvent = { type: 'unpinned' };
const rolledBack: CatalogEvent = { type: 'rolledBack', set: two };
const pinned: CatalogEvent = { type: 'pinned', pin: { version: 'b2', changedAt: 7_000 }, fault: 'damaged' };
const pinnedServed: CatalogEvent = { ...pinned, pin: { version: 'a', changedAt: 7_000 }, fault: undefined };
/** One a second. */
const polls = (count: number) => Array.from({ length: count }, () => polled);
const reading: CatalogEvent = { type: 'reading', progress: { rows: 3, percent: 9 } };

test('what is served and why follows from what was and what happens', () => {
  // What people hear last, what is served, the last attempt, what is held back since when, and what is pinned.
  for (const [events, expected] of [
    [[loaded], 'loaded a1 loaded - -'],
    [[unchanged], '- - - - -'],
    [[loaded, unchanged], 'unchanged a1 unchanged - -'],
    [[refused], 'pending - pending - -'],
    [[loaded, ...polls(11)], '- a1 loaded - -'],
    [[refused, ...polls(9)], '- - pending - -'],
    [[refused, ...polls(10)], 'failed - failed - -'],
    [[refused, ...polls(8), refused, polled], 'failed - failed - -'],
    [[refused, loaded, ...polls(11)], '- a1 loaded - -'],
    [[loaded, refused, unchanged, ...polls(9), refused, ...polls(9)], '- a1 pending - -'],
    [[loaded, refused, pinned, ...polls(11)], '- a1 pending - b2:7:damaged'],
    [[loaded, { ...refused, isFinal: true }], 'failed a1 failed - -'],
    [[loaded, { ...refused, report: unread }], 'failed a1 failed - -'],
    [[refused, ...polls(10), refused], 'failed - failed - -'],
    [[{ type: 'restored', set: two }], '- b2 - - -'],
    [[loaded, held], 'held a1 held b2:1 -'],
    [[loaded, held, held], 'held a1 held b2:1 -'],
    [[loaded, held, refused], 'pending a1 pending - -'],
    [[loaded, held, unchanged], 'unchanged a1 unchanged - -'],
    [[loaded, held, { type: 'loaded', set: two }], 'loaded b2 loaded - -'],
    [[loaded, held, reading], '- a1 held b2:1:freed -'],
    [[loaded, rolledBack], 'rolledBack b2 loaded - -'],
    [[loaded, held, pinned], 'pinned a1 held - b2:7:damaged'],
    [[loaded, pinnedServed], 'pinned a1 loaded - a1:7:-'],
    [[loaded, pinned, pinned], '- a1 loaded - b2:7:damaged'],
    [[loaded, unpinned], '- a1 loaded - -'],
    [[loaded, pinned, unpinned], 'unpinned a1 loaded - -'],
  ] satisfies [CatalogEvent[], string][]) {
    let status = nothingServed;
    let last: string | undefined;
    for (const [time, event] of events.entries()) {
      const decision = decide(status, event, time);
      ({ status } = decision);
      last = decision.said;
    }
    const { served, attempt, held, pinned } = status;
    const state = [
      ...[last, served?.snapshot.version, attempt?.outcome],
      held && `${held.version}:${held.since}${held.snapshot ? '' : ':freed'}`,
      pinned && `${pinned.version}:${pinned.since}:${pinned.fault ?? '-'}`,
    ];
    assert.equal(state.map(part => part ?? '-').join(' '), expected, events.map(({ type }) => type).join());
  }
});

test('the report of what is served is renewed with what is around its files, and keeps what the set changed', () => {
  const changes = { summary: '1 price changed', report: { bytes: 1, sha256: '' } };
  const holds = [{ code: 'NOT_COMPARED', message: '' } as const];
  const set = { ...one, report: { ...one.report, changes, holds } };
  const { status } = decide(nothingServed, { type: 'loaded', set }, 0);
  const report = reportOf('a1', { awaitedImages: ['a.png'] });
  for (const [isRecognised, left] of [
    [false, holds],
    [true, []],
  ] as const) {
    const next = decide(status, { type: 'unchanged', report, isRecognised }, 1).status;
    const renewed = { ...report, changes, holds: left };
    assert.deepEqual(next.served, { ...one, report: renewed });
    assert.deepEqual(next.attempt, { outcome: 'unchanged', time: 1, report: renewed });
  }
});

/** A status under a mocked clock, and what it logs. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START * 1000 });
  const logged: string[] = [];
  const log = (level: string) => (message: string, details?: object) =>
    void logged.push(`${level}: ${message}${details ? ` ${JSON.stringify(details)}` : ''}`);
  const levels = { info: log('info'), warn: log('warn'), error: log('error') };
  const keeper = openStatus(logStatus(levels));
  return { keeper, logged, tick: (ms: number) => t.mock.timers.tick(ms) };
}

test('each event is one entry of the log, with the problems of the set', t => {
  const { keeper, logged, tick } = open(t);
  const counts = 'in 0 files with 0 rows';
  const since = 'serving version a1, which has been served since 2026-01-01T00:00:00Z';
  const problems = '{"problems":["news.json:1: error NOT_AN_OBJECT no row"]}';
  const next = reportOf('b2', {
    changes: { summary: '1 price changed', from: 'a1', report: { bytes: 1, sha256: '' } },
    holds: [{ code: 'LOST_ROWS', message: '6 of 7 prices would disappear' }],
  });
  for (const [event, ...lines] of [
    [loaded, `info: catalogs loaded: version a1, 0 errors, 0 warnings ${counts} {"problems":[]}`],
    [unchanged, `info: catalogs unchanged: version a1, 0 errors, 0 warnings ${counts} {"problems":[]}`],
    [
      refused,
      `warn: catalogs refused: 1 error, 0 warnings ${counts}; waiting 10 s for the rest of the files ${problems}`,
      `error: catalogs refused: 1 error, 0 warnings ${counts}; ${since} ${problems}`,
    ],
    [
      { ...held, report: next },
      `warn: catalogs held back: version b2 (1 price changed), 0 errors, 0 warnings ${counts}; ${since}; to let it go live, write b2 into a file named publish beside the catalogs, or run 'vitrine publish b2' {"problems":["LOST_ROWS 6 of 7 prices would disappear"]}`,
    ],
    [pinned, `error: version b2 is pinned, but cannot be served: damaged; ${since}`],
    [pinnedServed, 'info: pinned to version a1: changed files are not loaded'],
    [unpinned, 'info: no longer pinned: changed files are loaded again'],
    [
      { ...rolledBack, set: { ...two, report: next } },
      `info: rolled back to version b2 (1 price changed), 0 errors, 0 warnings ${counts}`,
    ],
  ] satisfies [CatalogEvent, ...string[]][]) {
    keeper.apply(event);
    tick(60_000);
    keeper.apply(polled);
    assert.deepEqual(logged.splice(0), lines);
  }
});

test('what becomes of a set that was read follows from what is served and pinned, and who has confirmed it', () => {
  const lost = { code: 'LOST_ROWS', message: '' } as const;
  const blind = { code: 'NOT_COMPARED', message: '' } as const;
  const good = two.report;
  const drastic = { ...good, holds: [blind, lost] };
  const unknown = { ...good, holds: [blind] };
  const absent = reportOf(undefined, { problems: [{ ...problem, code: 'NO_DIRECTORY' }] });
  const pinnedTo = (version: string) => ({ version, since: 0, fault: 'gone' });
  for (const [report, isConfirmed, verdicts] of [
    // While another set is served; later while nothing is; at the start, with --strict, and once it was tried to restore.
    [good, false, 'serve serve serve serve serve'],
    [drastic, false, 'hold serve restore fail serve'],
    [drastic, true, 'serve serve serve serve serve'],
    [unknown, false, 'hold serve serve serve serve'],
    [bad, false, 'refuse refuse restore fail fail'],
    [absent, false, 'refuse refuse restore fail refuse'],
  ] as const) {
    const starts: (Start | undefined)[] = [undefined, 'first', 'strict', 'restored'];
    const found = [
      judge({ served: one, pinned: undefined }, report, isConfirmed, undefined),
      ...starts.map(start => judge({ served: undefined, pinned: undefined }, report, isConfirmed, start)),
    ];
    assert.equal(found.join(' '), verdicts, JSON.stringify(report.holds ?? report.problems));
    // What was restored is the same as what was served before.
    const restored = judge({ served: one, pinned: undefined }, report, isConfirmed, 'restored');
    assert.equal(restored, found[0]);
    const isError = report.version === undefined;
    for (const [version, verdict] of [
      ['a1', isError ? 'refuse' : 'ignore'],
      ['b', found[0]],
    ] as const)
      assert.equal(
        judge({ served: one, pinned: pinnedTo(version) }, report, isConfirmed, undefined),
        verdict,
      );
  }
});
