import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CatalogStatus, logStatus, nothingServed, type StatusEvent } from '../../src/live/status.ts';
import type { SetReport } from '../../src/reader/read-set.ts';
import { reportOf, snapshotOf } from '../support/sets.ts';

const START = 1_767_225_600;

const one = { report: reportOf('a1'), snapshot: snapshotOf('a1'), since: START };
const fault = { severity: 'error', code: 'NOT_AN_OBJECT', message: 'no row' } as const;
const bad = reportOf(undefined, { problems: [{ ...fault, file: 'news.json', line: 1 }] });

test('each event is one entry of the log, with the problems of the set', () => {
  const logged: string[] = [];
  const log = (level: string) => (message: string, details?: object) =>
    void logged.push(`${level}: ${message}${details ? ` ${JSON.stringify(details)}` : ''}`);
  const say = logStatus({ info: log('info'), warn: log('warn'), error: log('error') });
  const rows = 'in 0 files with 0 rows';
  const serving = 'serving version a1, which has been served since 2026-01-01T00:00:00Z';
  const problems = '{"problems":["news.json:1: error NOT_AN_OBJECT no row"]}';
  const next = reportOf('b2', {
    changes: { summary: '1 price changed', from: 'a1', report: { bytes: 1, sha256: '' } },
    holds: [{ code: 'LOST_ROWS', message: '6 of 7 prices would disappear' }],
  });
  const [same, other] = ['a1', 'b2 (1 price changed)'].map(
    set => `version ${set}, 0 errors, 0 warnings ${rows}`,
  );
  const errors = `1 error, 0 warnings ${rows}`;
  const remedy = "write b2 into a file named publish beside the catalogs, or run 'vitrine publish b2'";
  const reason = '{"problems":["LOST_ROWS 6 of 7 prices would disappear"]}';
  const attempt = (outcome: NonNullable<CatalogStatus['attempt']>['outcome'], report: SetReport) => ({
    attempt: { outcome, time: START, report },
  });
  const held = { version: 'b2', since: START, report: next, snapshot: undefined };
  const pinned = (version: string, fault?: string) => ({ pinned: { version, since: START, fault } });
  const rolledBack = { served: { ...one, report: next } };
  for (const [event, status, line] of [
    ['loaded', attempt('loaded', one.report), `info: catalogs loaded: ${same} {"problems":[]}`],
    ['unchanged', attempt('unchanged', one.report), `info: catalogs unchanged: ${same} {"problems":[]}`],
    [
      ...(['pending', attempt('pending', bad)] as const),
      `warn: catalogs refused: ${errors}; waiting 10 s for the rest of the files ${problems}`,
    ],
    ['failed', attempt('failed', bad), `error: catalogs refused: ${errors}; ${serving} ${problems}`],
    [
      ...(['held', { ...attempt('held', next), held }] as const),
      `warn: catalogs held back: ${other}; ${serving}; to let it go live, ${remedy} ${reason}`,
    ],
    [
      'pinned',
      pinned('b2', 'damaged'),
      `error: version b2 is pinned, but cannot be served: damaged; ${serving}`,
    ],
    ['pinned', pinned('a1'), 'info: pinned to version a1: changed files are not loaded'],
    ['unpinned', {}, 'info: no longer pinned: changed files are loaded again'],
    ['rolledBack', rolledBack, `info: rolled back to ${other}`],
  ] satisfies [StatusEvent, Partial<CatalogStatus>, string][]) {
    say(event, { ...nothingServed, served: one, ...status });
    assert.deepEqual(logged.splice(0), [line]);
  }
});
