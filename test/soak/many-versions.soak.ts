import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemFs } from '../../src/files/atomic-write.ts';
import { onDisk } from '../../src/history/keep.ts';
import { keepAndPrune, readAll, setOf, UNBOUNDED } from '../support/catalog/history.ts';
import { writeFiles } from '../support/catalogs.ts';
import { rounds } from '../support/soak.ts';

const VERSIONS = rounds(250, 10_000);

test(`the history of ${VERSIONS} versions stays below its bound`, { timeout: 900_000 }, async t => {
  const dir = join(await writeFiles(t, {}), 'history');
  const bounds = { ...UNBOUNDED, historyMb: 1 };
  let most = 0;
  for (let number = 1; number <= VERSIONS; number += 1) {
    const set = setOf({ 'products.json': `${number} `.repeat(500), 'news.csv': 'news' }, number);
    await keepAndPrune(systemFs, set, bounds, undefined, dir);
    if (number % 20 === 0) most = Math.max(most, await bytesIn(dir));
  }
  assert.ok(most <= 2 ** 20, `${most} bytes`);
  const { sets, damage } = await readAll(systemFs, dir);
  assert.deepEqual(damage, []);
  assert.ok(sets.every(([text], index) => text === `${VERSIONS - index} `.repeat(500)));
  t.diagnostic(`${sets.length} sets, ${most} bytes at most`);
});

async function bytesIn(dir: string): Promise<number> {
  let bytes = 0;
  for (const name of await systemFs.readdir(dir)) {
    const path = join(dir, name);
    bytes +=
      name === 'files'
        ? await bytesIn(path)
        : onDisk(Number((await systemFs.stat(path, { bigint: true })).size));
  }
  return bytes;
}
