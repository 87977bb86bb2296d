import { type TestContext, test } from 'node:test';
import { accidents, filesAround } from '../support/catalog/accidents.ts';
import { faults } from '../support/catalog/faults/faults.ts';
import type { Options } from '../support/catalog/forms.ts';
import { type Files, shop } from '../support/catalogs.ts';
import { assertForetold } from '../support/http/checks.ts';
import { isLong } from '../support/soak.ts';

/** What is saved over a set. A form deletes no file, so nothing here does. */
type Save = [what: string, base: Files, files: Files, options?: Options];

/** Files that are believed only after seconds are waited for, so several services run at once. */
const AT_ONCE = 6;
/** In a short run, one of so many. */
const STEP = isLong ? 1 : 8;

async function assertAllForetold(t: TestContext, saves: readonly Save[]): Promise<void> {
  const queue = saves.filter(
    ([, , files], index) => index % STEP === 0 && !Object.values(files).includes(null),
  );
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await assertForetold(t, ...next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

test('a check says of each fault in a file what a save of it then says', async t => {
  await assertAllForetold(
    t,
    faults.map(([files, told, options = {}]) => [told, shop, files, options]),
  );
});

test('a check holds back what a save then holds back', async t => {
  const deeds = Object.values(accidents).flatMap(deeds => Object.entries(deeds));
  const saves = deeds.map(([what, deed]): Save => {
    const { before, after } = filesAround(deed);
    return [what, before, after];
  });
  await assertAllForetold(t, saves);
});
