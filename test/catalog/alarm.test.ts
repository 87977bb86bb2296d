import { test } from 'node:test';
import { openAlarm } from '../../src/catalog/alarm.ts';

test('a ring ends a wait, and where nobody waits the next one', async () => {
  const alarm = openAlarm(3_600_000);
  alarm.ring();
  await alarm.wait();
  const waiting = alarm.wait();
  alarm.ring();
  await waiting;
});

test('without a ring a wait ends after the interval', async t => {
  const alive = setInterval(() => {}, 1000);
  t.after(() => clearInterval(alive));
  await openAlarm(1).wait();
});
