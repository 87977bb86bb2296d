import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { clock, openProgressLine, openTerminalFormat } from '../src/process/terminal.ts';
import { openServices } from '../src/services.ts';
import { settingsFrom } from '../src/settings/read.ts';
import { shop, writeFiles, writeInto } from './support/catalogs.ts';
import { startProcess } from './support/process.ts';
import { skipWithout } from './support/skipping.ts';
import { startInTerminal } from './support/terminal.ts';

process.env.TZ = 'Asia/Kolkata';

const line = (entry: object) =>
  `${JSON.stringify({ level: 30, time: 1_767_225_600_000, pid: 1, hostname: 'h', ...entry })}\n`;

test('shows a log line as its time, its message and its details', () => {
  const format = openTerminalFormat(() => 80);
  const cases: [entry: object, text: string][] = [
    [{ msg: 'stopping on SIGTERM' }, '05:30:00 stopping on SIGTERM\n'],
    [{ msg: 'listening', isSummary: true, details: ['page'] }, 'listening\n  page\n'],
    [{ msg: '' }, ''],
    [
      { msg: 'catalogs loaded: 2 warnings', catalogDir: 'shop', problems: ['a', 'b'] },
      "05:30:00 shop: catalogs loaded: 2 warnings; run 'vitrine check' to see them\n",
    ],
    [
      {
        level: 40,
        msg: 'catalogs refused',
        catalogDir: 'shop',
        problems: ['news.csv:2:1: error X', 'and 3 more'],
      },
      '05:30:00 warning: shop: catalogs refused\n  news.csv:2:1: error X\n  and 3 more\n',
    ],
    [
      { level: 60, msg: 'stopping after an error', err: { message: 'm', stack: 'Error: m\n    at f' } },
      '05:30:00 fatal: stopping after an error\n  Error: m\n      at f\n',
    ],
    [{ msg: 'incoming request', req: { method: 'GET', url: '/' } }, '05:30:00 incoming request: GET /\n'],
    [{ msg: 'request completed', res: { statusCode: 200 } }, '05:30:00 request completed: 200\n'],
  ];
  for (const [entry, text] of cases) assert.equal(format(line(entry)), text);
});

test('breaks lines at spaces, indents what follows, and keeps long words whole', () => {
  const cases: [columns: number, details: string[], text: string][] = [
    [20, ['write 2026-03-31 or 1'], 'm\n  write 2026-03-31\n    or 1\n'],
    [20, ['a b c d e f g h i j k l m n'], 'm\n  a b c d e f g h i\n    j k l m n\n'],
    [
      20,
      ['see https://example.com/a/long/one now'],
      'm\n  see\n    https://example.com/a/long/one\n    now\n',
    ],
    [3, ['a b c'], 'm\n  a b\n    c\n'],
    [20, ['x'.repeat(40)], `m\n  ${'x'.repeat(40)}\n`],
  ];
  for (const [columns, details, text] of cases)
    assert.equal(openTerminalFormat(() => columns)(line({ msg: 'm', isSummary: true, details })), text);
});

test('the next line overwrites progress completely', () => {
  const format = openTerminalFormat(() => 80, true);
  assert.equal(format(line({ msg: 'loading... 5 rows', isProgress: true })), 'loading... 5 rows');
  const blank = `\r${' '.repeat('loading... 5 rows'.length)}\r`;
  assert.equal(format(line({ msg: '6 rows', isProgress: true })), `${blank}6 rows`);
  assert.equal(format(line({ msg: 'done', isSummary: true })), '\r      \rdone\n');
  assert.equal(format(line({ msg: 'done', isSummary: true })), 'done\n');
});

test('progress keeps to its line, and has lines of its own on a terminal that cannot erase any', () => {
  const entry = line({ msg: 'reading the catalogs', isProgress: true });
  assert.equal(openTerminalFormat(() => 10, true)(entry), 'reading t');
  assert.equal(openTerminalFormat(() => 80, false)(entry), 'reading the catalogs\n');
});

test('a progress line covers the one before, and is erased at the end', () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  const show = openProgressLine({ isTTY: true, write });
  for (const text of ['9 rows', '8 r', '']) show(text);
  assert.deepEqual(written, ['\r9 rows', '\r8 r   ', '\r   \r']);
});

test('where there is no terminal, no progress is written', () => {
  const show = openProgressLine({ isTTY: false, write: () => assert.fail() });
  show('9 rows');
});

test('a time has its date unless that is today', () => {
  const time = 1_767_225_600_000;
  assert.equal(clock(time, time + 18.4 * 3_600_000), '05:30:00');
  assert.equal(clock(time, time + 18.5 * 3_600_000), '2026-01-01 05:30:00');
});

test('escapes characters that control the terminal', () => {
  const msg = 'a\u001b[2Jb\nc\u202ed';
  const format = openTerminalFormat(() => 80);
  assert.equal(format(line({ msg, isSummary: true })), 'a\\u001b[2Jb\\u000ac\\u202ed\n');
  const problems = ['e\u009b'];
  assert.equal(
    format(line({ level: 50, msg: 'm', problems, details: ['f\u009b'] })),
    '05:30:00 error: m\n  e\\u009b\n  f\\u009b\n',
  );
});

test('every log line of a service has its catalog directory', async t => {
  const lines: object[] = [];
  const info = (details: object) => lines.push(details);
  const dirs = [await writeFiles(t, shop), await writeFiles(t, shop)];
  for (const dir of dirs) {
    const settings = settingsFrom({ catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') });
    const services = await openServices(settings, { info, warn: info, error: info });
    await services.close();
  }
  for (const dir of dirs)
    assert.ok(lines.some(details => 'catalogDir' in details && details.catalogDir === dir));
  assert.ok(lines.every(details => 'catalogDir' in details));
});

const skip = skipWithout('script');
const argumentsOf = (dir: string) => [
  ...['--port', '0', '--catalog-dir', dir, '--images-dir', dir],
  ...['--state-dir', `${dir}/state`],
];

/** Without what differs from run to run. */
const steady = (text: string, dir: string) =>
  text
    .replaceAll(dir, 'DIR')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/\d\d:\d\d:\d\d/g, 'TIME')
    .replace(/\^C/, '');

test('on a terminal, shows what is served and where, with its problems, then each event', {
  skip,
}, async t => {
  const dir = await writeFiles(t, shop);
  const { says, text, stop } = startInTerminal(t, [...argumentsOf(dir), '--base-path', '/shop'], 200);
  await says(/launch\.png/);
  await writeInto(dir, { 'products.json': '[' });
  await says(/waiting 10 s/);
  await writeInto(dir, { 'products.json': shop['products.json'] ?? null });
  await says(/nothing changed/);
  assert.equal(await stop(), 0);
  assert.equal(
    steady(text(), dir),
    `listening on http://HOST
serving DIR, version cb5cdb402bf3 since TIME
  3 products, 5 configurations, 4 durations, 8 prices, 2 news types, 6 news items
  page  http://HOST/shop/
  API   http://HOST/shop/api/products
  docs  http://HOST/shop/docs
  1 warning:
    news.json:7:12: warning NO_IMAGE img launch.png is not in the images directory: add the file, or correct the name
TIME warning: the files have 1 error; waiting 10 s for the rest of them
  products.json:1:2: error BAD_JSON the file ends too early: save or copy the whole file again, or add what is missing up to the closing ]
  correct the files: they are loaded as soon as you save them
TIME nothing changed: the files hold what is served
TIME stopping on SIGINT
`,
  );
});

test('where the output is no terminal, it is JSON', async t => {
  const dir = await writeFiles(t, shop);
  const { listening, child, exit } = startProcess(t, argumentsOf(dir));
  await listening();
  child.kill('SIGTERM');
  const entries = (await exit).stdout
    .trim()
    .split('\n')
    .map(text => JSON.parse(text));
  const known = { pid: child.pid, hostname: hostname() };
  const dirAndProblems = {
    catalogDir: 'DIR',
    problems: [
      'news.json:7:12: warning NO_IMAGE img launch.png is not in the images directory: add the file, or correct the name',
    ],
  };
  // It has no line if the set is read before the server listens.
  const rest = entries.filter(({ msg }) => !/^loading the catalogs; until they are served, http/.test(msg));
  assert.deepEqual(
    rest.map(({ time, ...entry }) => JSON.parse(steady(JSON.stringify(entry), dir))),
    [
      {
        ...{ ...known, ...dirAndProblems, level: 30 },
        msg: 'catalogs loaded: version cb5cdb402bf3, 0 errors, 1 warning in 6 files with 28 rows',
      },
      { ...known, level: 30, msg: 'listening on http://HOST' },
      { ...known, level: 30, msg: 'stopping on SIGTERM' },
    ],
  );
});
