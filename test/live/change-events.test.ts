import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileSystemEvents } from '../../src/live/watch.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles } from '../support/catalogs.ts';
import { until } from '../support/until.ts';

test('what a file holds in the end is seen, although it is truncated before it is written', {
  timeout: 60_000,
}, async t => {
  const dir = await writeFiles(t, { pin: 'first' });
  const file = join(dir, 'pin');
  let seen = '';
  let calls = 0;
  const events = fileSystemEvents(dir, () => {
    calls += 1;
    seen = readFileSync(file, 'utf8');
  });
  afterTest(t, () => events.close());
  await until(t, async () => (calls > 0 ? true : undefined));
  for (let write = 1; write <= 30; write += 1) {
    await writeFile(file, String(write));
    await until(t, async () => (seen === String(write) ? true : undefined));
  }
  assert.ok(calls > 30);
});
