import { test } from 'node:test';
import { seeded } from '../support/replicas/numbers.ts';
import { rounds } from '../support/soak.ts';
import { killWhileTelling } from '../support/webhook/kills.ts';

const KILLS = rounds(5, 50);

test(`through ${KILLS} kills, each final state is announced at least once, in order`, {
  timeout: 600_000,
}, async t => {
  const { taken, repeated, served } = await killWhileTelling(t, KILLS, seeded(23));
  t.diagnostic(`${served} sets seen to be served, ${taken} webhooks taken, ${repeated} of them again`);
});
