import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadingLog } from '../../src/live/status.ts';

test('a set that takes long to read is logged after two seconds, and then every ten', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const logged: [message: string, details: object | undefined][] = [];
  const log = (message: string, details?: object) => void logged.push([message, details]);
  const reading = openReadingLog({ info: log, warn: assert.fail, error: assert.fail });
  assert.equal(reading.progress(), undefined);
  reading.begin();
  assert.deepEqual(reading.progress(), { rows: 0, percent: 0 });
  t.mock.timers.tick(60_000);
  assert.deepEqual(logged, [], 'the files are not stable yet');
  reading.onProgress({ rows: 1, percent: 0 });
  t.mock.timers.tick(1_999);
  assert.deepEqual(logged, []);
  reading.onProgress({ rows: 40_000, percent: 60 });
  t.mock.timers.tick(1);
  t.mock.timers.tick(10_000);
  const details = { isProgress: true, rows: 40_000, percent: 60 };
  const line = ['reading the catalogs: 60 %, 40,000 rows', details];
  assert.deepEqual(logged, [line, line]);
  reading.onProgress({ rows: 40_000, percent: 60, stalledSeconds: 12 });
  t.mock.timers.tick(10_000);
  assert.equal(logged.pop()?.[0], 'reading the catalogs: 60 %, 40,000 rows, no progress for 12 s');
  reading.end();
  t.mock.timers.tick(60_000);
  assert.equal(logged.length, 2);
  assert.equal(reading.progress(), undefined);
});

test('a set that is read again, since its files must lie still, has no progress meanwhile', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reading = openReadingLog({ info: assert.fail, warn: assert.fail, error: assert.fail });
  reading.begin();
  reading.onProgress({ rows: 40_000, percent: 100 });
  t.mock.timers.tick(1_000);
  reading.begin();
  assert.deepEqual(reading.progress(), { rows: 0, percent: 0 });
  t.mock.timers.tick(60_000);
});
