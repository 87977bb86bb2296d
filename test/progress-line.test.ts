import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProgressLine } from '../src/process/terminal.ts';

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
