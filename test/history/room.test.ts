import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasRoom } from '../../src/history/keep.ts';
import { countsFormat, openFileCounter } from '../../src/reads/file/file-counter.ts';
import { openStateFile } from '../../src/reads/file/state-file.ts';
import { keepAndPrune, readAll, setOf } from '../support/catalog/history.ts';
import { DIRECTORY, simulateDisk } from '../support/reads/simulated-disk.ts';
import { keepingLog, NEVER } from '../support/reads/stores.ts';

const MB = 2 ** 20;

test('32 MB of a disk, or a tenth if that is less, are for read counts; one that does not say how full it is has room', async () => {
  for (const [size, free, bytes, expected] of [
    [1000, 32, 0, true],
    [1000, 32, 1, false],
    [1000, 100, 68, true],
    [1000, 100, 69, false],
    [100, 10, 0, true],
    [100, 9, 0, false],
    [0, 0, 0, true],
  ] as const)
    for (const bsize of [1, 4096]) {
      const stats = { bsize, blocks: (size * MB) / bsize, bavail: (free * MB) / bsize };
      const found = await hasRoom({ statfs: async () => stats }, DIRECTORY, bytes * MB);
      assert.equal(found, expected, `${free} of ${size} MB free, ${bytes} MB`);
    }
  const statfs = () => Promise.reject(new Error('function not implemented'));
  assert.equal(await hasRoom({ statfs }, DIRECTORY, MB), true);
});

test('on a nearly full disk, the history writes nothing, and counts are saved; once there is space, both are', async () => {
  const size = 200_000;
  const filler = `${DIRECTORY}/filler`;
  const reserved = size / 10;
  const disk = simulateDisk({ [filler]: 'x'.repeat(size - reserved - 4_000) }, [], size);
  const log = keepingLog();
  const set = setOf({ 'products.json': 'x' });
  const list = async () => (await disk.readdir(DIRECTORY)).sort();

  await assert.rejects(keepAndPrune(disk, set), {
    message:
      'the disk is nearly full, and its last 32 MB (or tenth) are for read counts: free some space, or lower HISTORY_MB',
  });
  assert.deepEqual(await list(), ['filler']);

  const counter = await openFileCounter(
    openStateFile(`${DIRECTORY}/read-counts.json`, countsFormat, log, disk),
    NEVER,
    log,
  );
  for (let id = 1; id <= 300; id += 1) await counter.raise(id, 0);
  await counter.flush();
  assert.deepEqual([counter.health().reasons, log.messages], [[], []]);

  await disk.unlink(filler);
  await keepAndPrune(disk, set);
  assert.deepEqual(await readAll(disk), { sets: [set.texts], damage: [] });
});
