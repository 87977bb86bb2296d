import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waysToSave } from './catalog/ways-to-save.ts';
import { writeFiles, writeInto } from './catalogs.ts';
import { edition } from './editions.ts';
import { startLive, takeUpSaved, watchers } from './live.ts';
import { reloadUnderLoad } from './reloads.ts';

test('100 reloads, half of them refused, under 50 keep-alive clients: every answer is of one set', async t => {
  t.diagnostic(`${await reloadUnderLoad(t, 50, 100)} answers`);
});

test('how soon each way to save is seen, one at a time', async t => {
  for (const [name, hints] of Object.entries(watchers)) {
    for (const way of waysToSave) {
      await t.test(`${way.what}, with the watcher ${name}`, async t => {
        t.diagnostic(`seen ${await takeUpSaved(t, way, hints)} ms after it was saved`);
      });
    }
  }
});

test('200 changes 0 to 5 ms after the start are all seen', async t => {
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        t.test(`${index / 2} ms after start ${round}`, async t => {
          const dir = await writeFiles(t, edition(1));
          const { serves } = await startLive(t, dir, { reloadPollMs: 100, reloadQuietMs: 50 });
          await delay(index / 2);
          await writeInto(dir, edition(2));
          await serves(2);
        }),
      ),
    );
  }
});

test('20 slow copies in 8 slices with stalls of up to 5 s: none is served before it is whole', {
  concurrency: true,
}, async t => {
  const news = String(edition(1)['news.csv']).replaceAll(',2024-01-01,', ',2024-02-02,');
  const slices = Array.from({ length: 8 }, (_, index) =>
    news.slice((news.length * index) / 8, (news.length * (index + 1)) / 8),
  );
  await Promise.all(
    Array.from({ length: 20 }, (_, copy) =>
      t.test(`copy ${copy}`, async t => {
        const dir = await writeFiles(t, edition(1));
        const { live, outcome } = await startLive(t, dir);
        const before = live.snapshot();
        const file = await open(join(dir, 'news.csv'), 'w');
        for (const [index, slice] of slices.entries()) {
          await file.write(slice);
          if (index < 7) await delay(((copy * 7 + index) * 1237) % 5000);
        }
        assert.equal(live.snapshot(), before);
        await file.close();
        const after = await outcome(({ snapshot }) => (snapshot() === before ? undefined : snapshot()));
        assert.equal(after?.news.id.length, before?.news.id.length);
      }),
    ),
  );
});
