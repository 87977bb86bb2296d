import { test } from 'node:test';
import { seeded } from '../support/replicas/numbers.ts';
import { skipUnlessLong } from '../support/soak.ts';
import { killWhileTelling } from '../support/webhook/kills.ts';

const KILLS = 500;

// With four kills, webhook/kills.all.test.ts proves the same.
test(`through ${KILLS} kills, each set that was served is sent at least once, in order`, {
  skip: skipUnlessLong,
  timeout: 1_000_000,
}, async t => {
  const { taken, repeated, served } = await killWhileTelling(t, KILLS, seeded(23));
  t.diagnostic(`${served} sets seen to be served, ${taken} webhooks taken, ${repeated} of them again`);
});
