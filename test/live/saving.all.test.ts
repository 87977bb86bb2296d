import { join } from 'node:path';
import { test } from 'node:test';
import { type ChangeEvents, fileSystemEvents } from '../../src/live/watch.ts';
import { waysToSave } from '../support/catalog/ways-to-save.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { startLive } from '../support/live.ts';

/** Events of the file system, and none at all, as on a network mount. */
const sources: [name: string, changeEvents: ChangeEvents][] = [
  ['fileSystem', fileSystemEvents],
  ['none', () => ({ renew() {}, close: async () => {} })],
];

for (const [name, changeEvents] of sources)
  test(`with change events: ${name}, every way to save is detected, and only whole sets are served`, {
    concurrency: 4,
  }, async t => {
    const [old, next] = [fixtureSet(1), fixtureSet(2)];
    await Promise.all(
      waysToSave.map(({ what, prepare, save }) =>
        t.test(what, async t => {
          const root = await writeFiles(t, {});
          const dir = join(root, 'catalog');
          await (prepare ? prepare(root, old, next) : writeInto(dir, old));
          const { live, serves, outcome } = await startLive(t, dir, {}, { changeEvents });
          await serves(1);
          const before = live.status().attempt;
          await save(root, next, () =>
            outcome(({ status }) => (status().attempt === before ? undefined : true)),
          );
          await serves(2);
        }),
      ),
    );
  });
