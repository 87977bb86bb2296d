import { test } from 'node:test';
import { simulate } from '../live/simulation/simulation.ts';
import { soakRounds } from '../support/skipping.ts';

test('thousands of simulated sites serve what is right, whatever happens to them', async () => {
  // The first seeds are those of test/live.
  const last = 200 + soakRounds(2_000, 20_000);
  for (let seed = 201; seed <= last; seed += 1) await simulate(seed);
});
