import '../support/reader-pool.ts';
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { loadCatalog } from '../../src/live/load.ts';
import { logStatus, openStatus } from '../../src/live/status.ts';
import { afterTest } from '../support/after-test.ts';
import { type Files, shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';

/** A status under a mocked clock, and what it logs. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_767_225_600_000 });
  const logged: string[] = [];
  const log =
    (level: string) =>
    (message: string, details: object = {}) => {
      logged.push(
        `${level}: ${message}${'problems' in details ? ` ${JSON.stringify(details.problems)}` : ''}`,
      );
    };
  const keeper = openStatus(logStatus({ info: log('info'), warn: log('warn'), error: log('error') }));
  afterTest(t, keeper.close);
  return { keeper, logged, tick: (ms: number) => t.mock.timers.tick(ms) };
}

async function load(t: TestContext, files: Files) {
  const { report, snapshot } = await loadCatalog(sourceIn(await writeFiles(t, files)));
  return { report, snapshot: snapshot ?? assert.fail('the set was refused') };
}

async function refusedReport(t: TestContext) {
  const { report } = await loadCatalog(sourceIn(await writeFiles(t, shopWith({ 'news.json': '[7]' }))));
  return report;
}

test('a set with errors is pending for ten seconds, then failed, and the set before it stays', async t => {
  const [good, bad] = [await load(t, shop), await refusedReport(t)];
  const { keeper, logged, tick } = open(t);
  const outcome = () => keeper.status().attempt?.outcome;
  keeper.loaded(good.report, good.snapshot);
  assert.equal(outcome(), 'loaded');
  tick(5_000);
  keeper.refused(bad, false);
  tick(6_000);
  // Another bad save does not extend the ten seconds.
  keeper.refused(bad, false);
  tick(3_999);
  assert.equal(outcome(), 'pending');
  assert.equal(keeper.status().attempt?.time, 1_767_225_611);
  tick(1);
  assert.equal(outcome(), 'failed');
  assert.equal(keeper.status().served?.snapshot, good.snapshot);
  assert.equal(keeper.status().served?.since, 1_767_225_600);
  keeper.refused(bad, false);
  assert.equal(outcome(), 'failed', 'and stays so until a good one comes');
  tick(60_000);

  const problem = '["news.json:1:2: error NOT_AN_OBJECT this is not a row: write each row as { ... }"]';
  const summary = 'catalogs refused: 1 error, 0 warnings in 6 files with 22 rows';
  const { version } = good.snapshot;
  assert.deepEqual(logged.slice(1), [
    `warn: ${summary}; waiting 10 s for the rest of the files ${problem}`,
    `warn: ${summary}; waiting 10 s for the rest of the files ${problem}`,
    `error: ${summary}; serving version ${version}, which has been served since 2026-01-01T00:00:00Z ${problem}`,
    `error: ${summary}; serving version ${version}, which has been served since 2026-01-01T00:00:00Z ${problem}`,
  ]);
});

test('a set that could not be read to the end has failed at once: no other file completes it', async t => {
  const [good, bad] = [await load(t, shop), await refusedReport(t)];
  const unread = { file: 'catalog', code: 'LOAD_FAILED', message: 'the set could not be read' } as const;
  const { keeper, logged, tick } = open(t);
  keeper.loaded(good.report, good.snapshot);
  keeper.refused(bad, false);
  keeper.refused({ ...bad, problems: [unread] }, false);
  assert.equal(keeper.status().attempt?.outcome, 'failed');
  tick(60_000);
  assert.equal(logged.length, 3, 'it is reported once');
});

test('a good set ends the pending state, and so does the return of the served files', async t => {
  const [good, bad] = [await load(t, shop), await refusedReport(t)];
  const { keeper, logged, tick } = open(t);
  keeper.loaded(good.report, good.snapshot);
  keeper.refused(bad, false);
  keeper.unchanged();
  tick(10_000);
  assert.equal(keeper.status().attempt?.outcome, 'unchanged');
  assert.equal(keeper.status().attempt?.report, good.report);
  keeper.refused(bad, false);
  keeper.loaded(good.report, good.snapshot);
  tick(10_000);
  assert.equal(keeper.status().attempt?.outcome, 'loaded');
  assert.deepEqual(
    logged.map(line => line.split(' ', 3).join(' ')),
    [
      'info: catalogs loaded:',
      'warn: catalogs refused:',
      'info: catalogs unchanged:',
      'warn: catalogs refused:',
      'info: catalogs loaded:',
    ],
  );
});
