import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatForTerminal, openProgressLine } from '../src/process/terminal.ts';

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
    for (const text of ['', '9 rows', '8 r', '', '']) show(text);
  }
  assert.deepEqual(written, ['\r9 rows', '\r8 r   ', '\r   \r']);
});
