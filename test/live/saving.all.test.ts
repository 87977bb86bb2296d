import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { waysToSave } from '../support/catalog/ways-to-save.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { changeSources, startLive, takeUpSaved } from '../support/live.ts';

for (const [name, changeEvents] of Object.entries(changeSources)) {
  test(`with change events: ${name}, every way to save is detected, and only whole sets are served`, {
    concurrency: 4,
  }, async t => {
    await Promise.all(
      waysToSave.map(way =>
        t.test(way.what, async t => {
          const seenMs = await takeUpSaved(t, way, changeEvents);
          t.diagnostic(`seen ${seenMs} ms after it was saved`);
        }),
      ),
    );
  });

  test(`with change events: ${name}, a directory that is missing at first is served once it exists`, async t => {
    const dir = join(await writeFiles(t, {}), 'later');
    const { live, serves } = await startLive(t, dir, {}, changeEvents);
    assert.equal(live.snapshot(), undefined);
    await writeInto(dir, fixtureSet(1));
    await serves(1);
  });
}
