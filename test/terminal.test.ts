import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { formatForTerminal, openProgressLine } from '../src/process/terminal.ts';
import { shop, writeFiles, writeInto } from './support/catalogs.ts';
import { flagsOf, startProcess } from './support/process.ts';
import { skipWithout } from './support/skipping.ts';
import { startInTerminal } from './support/terminal.ts';

test('shows a log line as its local time, its message and its details, with all invisible characters escaped', t => {
  t.mock.method(Date.prototype, 'getTimezoneOffset', () => -330);
  const cases: [entry: object, text: string][] = [
    [{ msg: 'listening', details: ['page'] }, '05:30:00 listening\n  page\n'],
    [{ msg: '' }, ''],
    [
      { msg: 'catalogs loaded: 2 warnings', catalogDir: 'shop', problems: ['a', 'b'] },
      "05:30:00 shop: catalogs loaded: 2 warnings; run 'vitrine check' to see them\n",
    ],
    [
      { level: 40, msg: 'catalogs refused', catalogDir: 'shop', problems: ['news.csv:2:1: error X', 'more'] },
      '05:30:00 warning: shop: catalogs refused\n  news.csv:2:1: error X\n  more\n',
    ],
    [
      { level: 60, msg: 'stopping after an error', err: { message: 'm', stack: 'Error: m\n    at f' } },
      '05:30:00 fatal: stopping after an error\n  Error: m\n      at f\n',
    ],
    [{ msg: 'incoming request', req: { method: 'GET', url: '/' } }, '05:30:00 incoming request: GET /\n'],
    [{ msg: 'request completed', res: { statusCode: 200 } }, '05:30:00 request completed: 200\n'],
    [
      { level: 50, msg: 'a\u001b[2Jb\nc\u202ed', problems: ['e\u009b'], details: ['f\u009b'] },
      '05:30:00 error: a\\u001b[2Jb\\u000ac\\u202ed\n  e\\u009b\n  f\\u009b\n',
    ],
  ];
  for (const [entry, text] of cases)
    assert.equal(formatForTerminal(JSON.stringify({ level: 30, time: 1_767_225_600_000, ...entry })), text);
});

test('a progress line covers the one before, and is erased at the end; without a terminal there is none', () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  for (const isTTY of [true, false]) {
    const show = openProgressLine({ isTTY, write });
    for (const text of ['9 rows', '8 r', '']) show(text);
  }
  assert.deepEqual(written, ['\r9 rows', '\r8 r   ', '\r   \r']);
});

const skip = skipWithout('script');
const argumentsOf = (dir: string) =>
  flagsOf({ port: 0, catalogDir: dir, imagesDir: dir, stateDir: `${dir}/state` });

/** Without what differs from run to run. */
const steady = (text: string, dir: string) =>
  text
    .replaceAll(dir, 'DIR')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/\d\d:\d\d:\d\d/g, 'TIME')
    .replace(/\^C/, '');

test('on a terminal, shows each event of the catalogs with its problems, and which addresses to open', {
  skip,
}, async t => {
  const dir = await writeFiles(t, shop);
  const { says, text, stop } = startInTerminal(t, [...argumentsOf(dir), '--base-path', '/shop']);
  await says(/docs .*\r\n/);
  await writeInto(dir, { 'products.json': '[' });
  await says(/error BAD_JSON.*\r\n/);
  assert.equal(await stop(), 0);
  assert.equal(
    steady(text(), dir),
    `TIME DIR: catalogs loaded: version cb5cdb402bf3, 0 errors, 1 warning in 6 files with 28 rows; run 'vitrine check' to see them
TIME listening on http://HOST
  page  http://HOST/shop/
  API   http://HOST/shop/api/products
  docs  http://HOST/shop/docs
TIME warning: DIR: catalogs refused: 1 error, 1 warning in 6 files with 25 rows; waiting 10 s for the rest of the files
  products.json:1:2: error BAD_JSON the file ends too early: save or copy the whole file again, or add what is missing up to the closing ]
  news.json:7:12: warning NO_IMAGE img launch.png is not in the images directory: add the file, or correct the name
TIME stopping on SIGINT
`,
  );
});

test('where the output is no terminal, it is JSON', async t => {
  const dir = await writeFiles(t, shop);
  const { listening, child, exit } = startProcess(t, argumentsOf(dir));
  await listening();
  child.kill('SIGTERM');
  const entries = steady((await exit).stdout, dir)
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const known = { level: 30, pid: child.pid, hostname: hostname() };
  const problem =
    'news.json:7:12: warning NO_IMAGE img launch.png is not in the images directory: add the file, or correct the name';
  const loaded = 'catalogs loaded: version cb5cdb402bf3, 0 errors, 1 warning in 6 files with 28 rows';
  // It comes before or after the catalogs.
  const [opening = assert.fail()] = entries.splice(entries[0].problems ? 1 : 0, 1);
  assert.equal(opening.msg, 'opening http://HOST, which answers 503 until the catalogs are served');
  assert.deepEqual(
    entries.map(({ time, ...entry }) => entry),
    [
      { ...known, catalogDir: 'DIR', problems: [problem], msg: loaded },
      { ...known, msg: 'listening on http://HOST' },
      { ...known, msg: 'stopping on SIGTERM' },
    ],
  );
});
