import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipWithout } from '../support/skipping.ts';
import { rounds } from '../support/soak.ts';
import { openFolder, type Stop, stopUnderLoad } from '../support/stops.ts';

const ROUNDS = rounds(8, 100);

for (const stop of ['SIGTERM', '^C'] as const satisfies Stop[]) {
  test(`${ROUNDS} stops of npm start under 20 clients by ${stop} lose no read, reset nobody and exit with 0`, {
    skip: stop === '^C' && skipWithout('script'),
  }, async t => {
    const { dir, saved } = await openFolder(t);
    let answers = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      answers += await stopUnderLoad(t, dir, 'npm start', stop, 100 + Math.floor(Math.random() * 2000));
      assert.equal(await saved(), answers, `round ${round}`);
    }
    t.diagnostic(`${answers} reads answered and saved`);
  });
}
