import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { loadCatalog } from '../src/live/readers.ts';
import { type CatalogEvent, openStatus } from '../src/live/status.ts';
import { openTerminalReport } from '../src/process/terminal-report.ts';
import { settingsFrom } from '../src/settings/read.ts';
import { type Files, shopWith, sourceIn, writeFiles } from './support/catalogs.ts';
import './support/reader-pool.ts';

process.env.TZ = 'UTC';

const START = 1_767_225_600;

/** A status that a terminal shows, under a mocked clock, and the lines there. */
function open(t: TestContext, stateDir = 'data/state') {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START * 1000 });
  const lines: string[] = [];
  const write =
    (word: string) =>
    ({ details = [] }: { details?: string[] }, message: string) =>
      void lines.push(`${word}${message}`, ...details.map(detail => `  ${detail}`));
  const log = { info: write(''), warn: write('warning: '), error: write('error: ') };
  const { onStatus, showStart } = openTerminalReport(settingsFrom({ catalogDir: 'shop', stateDir }), log);
  const keeper = openStatus(onStatus);
  /** The lines since the last call. */
  const shown = () => lines.splice(0);
  const start = () => showStart(keeper.status(), ['http://a', 'http://b']);
  return { keeper, start, shown, tick: (ms: number) => t.mock.timers.tick(ms) };
}

/** The report of the shop with some files replaced. */
async function reportOf(t: TestContext, files: Files = {}) {
  const dir = await writeFiles(t, { ...shopWith(files), 'launch.png': '' });
  return (await loadCatalog(sourceIn(dir))).report;
}

/** The shop as a set to serve, with what it changes and why it is held back. */
async function setOf(t: TestContext, changes?: string, hold?: string) {
  const { report, snapshot } = await loadCatalog(
    sourceIn(await writeFiles(t, { ...shopWith({}), 'launch.png': '' })),
  );
  const change = changes !== undefined && {
    changes: { summary: changes, report: undefined, from: 'a1', tags: [] },
  };
  const holds = hold === undefined ? [] : [{ code: 'LOST_ROWS' as const, message: hold }];
  return {
    report: { ...report, ...change, holds },
    snapshot: snapshot ?? assert.fail(),
    since: 1_767_139_200,
  };
}

/** With five warnings. */
const products = [
  { id: 1, name: 'A', a: 0, b: 0, c: 0, d: 0, e: 0 },
  { id: 2, name: 'B' },
  { id: 3, name: 'C' },
];
const addresses = ['  page  http://a/', '  API   http://a/api/products', '  docs  http://a/docs'];
const counts = '  3 products, 5 configurations, 4 durations, 8 prices, 2 news types, 6 news items';

test('a quiet start says what is served since when, from where, and at which addresses', async t => {
  const { report, snapshot } = await setOf(t);
  const { keeper, start, shown } = open(t);
  keeper.apply({ type: 'loaded', set: { report, snapshot, since: Date.now() / 1000 } });
  assert.deepEqual(shown(), [], 'before the start, events have no line');
  start();
  assert.deepEqual(shown(), [
    'listening on http://a',
    'listening on http://b',
    `serving shop, version ${snapshot.version} since 00:00:00`,
    ...[counts, ...addresses, '  no problems; changes in shop go live as you save them'],
  ]);
});

test('a start with errors says that the last good set is served, and what to correct', async t => {
  const set = await setOf(t);
  const refused = await reportOf(t, { 'news.json': '[7]' });
  const { keeper, start, shown } = open(t);
  keeper.apply({ type: 'restored', set });
  keeper.apply({ type: 'refused', report: refused, isFinal: true });
  start();
  const { version } = set.snapshot;
  assert.deepEqual(shown().slice(2), [
    `serving shop, version ${version} since 2025-12-31 00:00:00`,
    ...[counts, ...addresses],
    `error: the files have 1 error; version ${version} of 2025-12-31 00:00:00 stays live`,
    '  news.json:1:2: error NOT_AN_OBJECT this is not a row: write each row as { ... }',
    '  correct the files: they are loaded as soon as you save them',
  ]);
});

test('a start without files says how to begin, and nothing more until there are some', async t => {
  const { report } = await loadCatalog(sourceIn(await writeFiles(t, {})));
  const { keeper, start, shown, tick } = open(t);
  keeper.apply({ type: 'refused', report, isFinal: false });
  start();
  tick(10_000);
  assert.deepEqual(shown().slice(2), [
    'nothing to serve yet: waiting for catalogs in shop',
    ...['  page  http://a/', '  API   http://a/api/news', '  docs  http://a/docs'],
    `  ${report.problems[0]?.file}: error MISSING_FILE the directory has no catalog files: add one, such as products.csv or news.json`,
    "  for files to begin with, run 'vitrine template shop'",
  ]);
});

test('problems are shown once, three of a code', async t => {
  const { report, snapshot } = await setOf(t);
  const warned = await reportOf(t, { 'products.json': products });
  const { keeper, start, shown } = open(t);
  keeper.apply({
    type: 'loaded',
    set: { report: { ...warned, version: report.version }, snapshot, since: 0 },
  });
  start();
  const known = 'is unknown and ignored: known columns are id, name, description';
  assert.deepEqual(shown().slice(7), [
    '  5 warnings:',
    `    products.json:5:5: warning UNKNOWN_COLUMN column a ${known}`,
    `    products.json:6:5: warning UNKNOWN_COLUMN column b ${known}`,
    `    products.json:7:5: warning UNKNOWN_COLUMN column c ${known}`,
    '    and 2 more problems',
    '    the page shows more of them',
  ]);
  keeper.apply({ type: 'unchanged', report: { ...warned, version: report.version } });
  assert.deepEqual(shown(), ['nothing changed: the files hold what is served']);
});

test('each event has one line, with the problems that are new and the next step', async t => {
  const good = await setOf(t);
  const next = await setOf(t, '3 prices changed');
  const drastic = await setOf(t, '6 prices removed', '6 of 7 prices would disappear');
  const bad = await reportOf(t, { 'news.json': '[7]', 'products.json': products });
  const worse = await reportOf(t, { 'news.json': '[7, 8]' });
  const { keeper, start, shown, tick } = open(t, '/var/my state');
  const { version } = good.snapshot;
  keeper.apply({ type: 'loaded', set: { ...good, since: Date.now() / 1000 } });
  start();
  shown();
  const notAnObject = '  news.json:1:2: error NOT_AN_OBJECT this is not a row: write each row as { ... }';
  const correct = '  correct the files: they are loaded as soon as you save them';
  const stays = `version ${version} of 00:00:00 stays live`;
  const pin = { version, changedAt: 0 };
  const set = { ...next, since: START + 10 };
  const steps: [event: CatalogEvent | 'ten seconds later', lines: string[]][] = [
    [{ type: 'loaded', set: { ...next, since: START } }, [`loaded version ${version}: 3 prices changed`]],
    [
      { type: 'refused', report: bad, isFinal: false },
      ['warning: the files have 1 error; waiting 10 s for the rest of them', notAnObject, correct],
    ],
    ['ten seconds later', [`error: the files have 1 error; ${stays}`]],
    [
      { type: 'refused', report: worse, isFinal: false },
      [
        `error: the files have 2 errors; ${stays}`,
        '  news.json:1:2: error NOT_AN_OBJECT this is not a row: write each row as { ... } (2 times, last at news.json:1:5)',
        correct,
      ],
    ],
    [
      { type: 'held', report: drastic.report, snapshot: drastic.snapshot, why: 'other' },
      [
        `warning: held back: 6 prices removed; ${stays}`,
        '  LOST_ROWS 6 of 7 prices would disappear',
        `  to let it go live, write ${version} into the file publish beside the catalogs, which does not name it, or run 'vitrine publish ${version} --catalog-dir shop --state-dir "/var/my state"'`,
      ],
    ],
    [{ type: 'rolledBack', set }, [`rolled back to version ${version}: 3 prices changed`]],
    [
      { type: 'pinned', pin, fault: undefined },
      [
        `version ${version} is pinned: changed files wait until you run 'vitrine unpin --catalog-dir shop --state-dir "/var/my state"'`,
      ],
    ],
    [
      { type: 'pinned', pin: { ...pin, version: 'ab' }, fault: 'it is not in the history' },
      [
        `error: version ab is pinned, but cannot be served: it is not in the history; version ${version} of 00:00:10 stays live`,
      ],
    ],
    [{ type: 'unpinned' }, ['not pinned any more: changed files are loaded again']],
    [{ type: 'unchanged', report: good.report }, ['nothing changed: the files hold what is served']],
  ];
  for (const [event, lines] of steps) {
    if (event === 'ten seconds later') tick(10_000);
    keeper.apply(event === 'ten seconds later' ? { type: 'polled' } : event);
    assert.deepEqual(shown(), lines);
  }
});
