import { test } from 'node:test';
import { simulate } from './simulation.ts';

const SEEDS = 200;

test('whatever editors, operators, disks, receivers and clocks do, what is served is right, and health says what is wrong', async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) await simulate(seed);
});
