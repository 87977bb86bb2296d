import { test } from 'node:test';
import { seeded } from '../support/replicas/numbers.ts';
import { killWhileTelling } from '../support/webhook/kills.ts';

test('through 4 kills, each set that was served is sent at least once, in order', async t => {
  await killWhileTelling(t, 4, seeded(1));
});
