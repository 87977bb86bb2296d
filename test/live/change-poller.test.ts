import { test } from 'node:test';
import { openChangePoller } from '../../src/live/watch.ts';
import { afterTest } from '../support/after-test.ts';

test('pollNow() makes the poll due at once, whether or not a caller already waits', async () => {
  const poller = openChangePoller(3_600_000);
  poller.pollNow();
  await poller.nextPoll();
  const waiting = poller.nextPoll();
  poller.pollNow();
  await waiting;
});

test('a poll is due after the interval', async t => {
  const alive = setInterval(() => {}, 1000);
  afterTest(t, () => clearInterval(alive));
  await openChangePoller(1).nextPoll();
});
