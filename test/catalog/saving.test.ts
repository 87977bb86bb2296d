import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { writeFiles, writeInto } from '../catalogs.ts';
import { edition } from '../editions.ts';
import { startLive, takeUpSaved, watchers } from '../live.ts';
import { waysToSave } from './ways-to-save.ts';

for (const [name, hints] of Object.entries(watchers)) {
  test(`with the watcher ${name}, every way to save is seen, and only whole sets are served`, {
    concurrency: 4,
  }, async t => {
    await Promise.all(
      waysToSave.map(way =>
        t.test(way.what, async t => {
          const seenMs = await takeUpSaved(t, way, hints);
          t.diagnostic(`seen ${seenMs} ms after it was saved`);
        }),
      ),
    );
  });

  test(`with the watcher ${name}, a directory that is missing at first is served when it comes`, async t => {
    const dir = join(await writeFiles(t, {}), 'later');
    const { live, serves } = await startLive(t, dir, {}, hints);
    assert.equal(live.snapshot(), undefined);
    await writeInto(dir, edition(1));
    await serves(1);
  });

  test(`with the watcher ${name}, a change right after the start is seen`, { concurrency: true }, async t => {
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        t.test(`${index} ms after it`, async t => {
          const dir = await writeFiles(t, edition(1));
          const { serves } = await startLive(t, dir, { reloadPollMs: 100, reloadQuietMs: 50 }, hints);
          await delay(index);
          await writeInto(dir, edition(2));
          await serves(2);
        }),
      ),
    );
  });
}
