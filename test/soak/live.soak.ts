import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { startLive } from '../support/live.ts';
import { rounds } from '../support/soak.ts';

const STARTS = rounds(1, 20);
const COPIES = rounds(6, 20);
const SLICES = rounds(4, 8);
const CHANGES = 10;

test(`${CHANGES * STARTS} changes 0 to 5 ms after the start are all detected`, {
  concurrency: true,
}, async t => {
  for (let round = 0; round < STARTS; round += 1) {
    await Promise.all(
      Array.from({ length: CHANGES }, (_, index) =>
        t.test(`${index / 2} ms after start ${round}`, async t => {
          const dir = await writeFiles(t, fixtureSet(1));
          const { serves } = await startLive(t, dir, { reloadPollMs: 100, reloadQuietMs: 50 });
          await delay(index / 2);
          await writeInto(dir, fixtureSet(2));
          await serves(2);
        }),
      ),
    );
  }
});

test(`${COPIES} slow copies in ${SLICES} slices with stalls of up to 5 s: none is served before it is complete`, {
  concurrency: true,
}, async t => {
  const news = String(fixtureSet(1)['news.csv']).replaceAll(',2024-01-01,', ',2024-02-02,');
  const slices = Array.from({ length: SLICES }, (_, index) =>
    news.slice((news.length * index) / SLICES, (news.length * (index + 1)) / SLICES),
  );
  await Promise.all(
    Array.from({ length: COPIES }, (_, copy) =>
      t.test(`copy ${copy}`, async t => {
        const dir = await writeFiles(t, fixtureSet(1));
        const { live, outcome } = await startLive(t, dir);
        const before = live.snapshot();
        const file = await open(join(dir, 'news.csv'), 'w');
        for (const [index, slice] of slices.entries()) {
          await file.write(slice);
          if (index < SLICES - 1) await delay(((copy * 7 + index) * 1237) % 5000);
        }
        assert.equal(live.snapshot(), before);
        await file.close();
        const after = await outcome(({ snapshot }) => (snapshot() === before ? undefined : snapshot()));
        assert.equal(after?.news.id.length, before?.news.id.length);
      }),
    ),
  );
});
