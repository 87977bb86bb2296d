import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipWithout } from './support/skipping.ts';
import { openFolder, STARTS, type Stop, stopUnderLoad } from './support/stops.ts';

for (const start of Object.keys(STARTS) as (keyof typeof STARTS)[]) {
  for (const [stop, what, skip] of [
    ['SIGTERM', 'a SIGTERM to its group', false],
    ['^C', 'a ^C at its terminal', skipWithout('script')],
  ] as const satisfies [Stop, string, string | false][]) {
    test(`${what} under ${start} and clients loses no read and resets nobody`, {
      skip,
    }, async t => {
      const { dir, saved } = await openFolder(t);
      assert.equal(await stopUnderLoad(t, dir, start, stop, 300), await saved());
    });
  }
}
