import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { writeInto } from '../support/catalogs.ts';
import { entriesOf } from '../support/kept-shop.ts';
import { fill, mountSmallDisk } from '../support/small-disk.ts';
import { countsIn, FLOOR, openCounts, openShop, type Shop } from '../support/state-shop.ts';
import { until } from '../support/until.ts';

/** The deadline of each test, also on a busy machine. */
const TEST_MS = 300_000;
const DISK_KB = 128;
/** So many other counts that the file has several pages. */
const OTHERS = 600;

/** A shop whose state is on a small disk of its own, and has been saved; undefined where that cannot be had. */
async function openOnSmallDisk(t: TestContext): Promise<Shop | undefined> {
  const dir = await mountSmallDisk(t, DISK_KB);
  if (!dir) return undefined;
  const shop = await openShop(t, dir);
  await openCounts(shop.file).save(new Map(Array.from({ length: OTHERS }, (_, index) => [1000 + index, 1])));
  return shop;
}

/** Resolves once the served set is in the history: nothing but counts is written then. */
function kept(t: TestContext, shop: Shop): Promise<true> {
  return until(t, async () => ((await entriesOf(shop)).length > 0 ? true : undefined));
}

test('a full disk loses no read until a stop, which says how many; they are saved once there is space', {
  timeout: TEST_MS,
}, async t => {
  const shop = await openOnSmallDisk(t);
  if (!shop) return;
  const first = await shop.start();
  await kept(t, shop);
  const free = await fill(shop.stateDir, 0);
  for (let count = 1; count <= 3; count += 1) assert.equal(await first.read(), FLOOR + count);
  const { reasons, reads } = await first.degraded();
  assert.deepEqual(reasons, ['read counts cannot be saved: no space left on device']);
  assert.equal(reads.unsaved, 3);
  first.child.kill('SIGTERM');
  const { code, stdout, stderr } = await first.exit;
  assert.notEqual(code, 0);
  assert.match(stdout, /"level":50,.*3 reads could not be saved: ENOSPC/);
  assert.equal(stderr, '');

  const { read, saved, health, degraded } = await shop.start();
  for (let count = 1; count <= 50; count += 1) assert.equal(await read(), FLOOR + count);
  await degraded();
  assert.equal((await countsIn(shop.file)).get(1), undefined);
  await free();
  await saved();
  assert.deepEqual((await health()).reasons, []);
  const counts = await countsIn(shop.file);
  assert.equal(counts.get(1), FLOOR + 50);
  assert.equal(counts.size, OTHERS + 1);
});

test('the last tenth of a small disk is for counts: a new set is served without being kept, which the log says once, and is kept once there is space', {
  timeout: TEST_MS,
}, async t => {
  const shop = await openOnSmallDisk(t);
  if (!shop) return;
  const { read, saved, health, degraded, stdout } = await shop.start();
  await kept(t, shop);
  // Both files have all counts before the disk is filled, so that no save is under way, and later ones need no more room.
  assert.equal(await read(), FLOOR + 1);
  await until(t, async () => {
    const counts = await openCounts(shop.previous).load();
    return counts?.get(1) === FLOOR + 1 ? true : undefined;
  });
  const free = await fill(shop.stateDir, 4);
  const names = ['Cloud server', '香港云服务器', 'Not sold out'];
  await writeInto(shop.catalogDir, {
    'products.json': names.map((name, index) => ({ id: index + 1, name })),
  });
  const unkept =
    'the served set is not in the history: the disk is nearly full, and its last 32 MB (or tenth) are for read counts: free some space, or lower HISTORY_MB';
  await degraded(unkept);
  assert.equal(await read(), FLOOR + 2);
  await saved();
  assert.deepEqual((await health()).reasons, [unkept]);
  assert.equal((await entriesOf(shop)).length, 1);

  await free();
  await until(t, async () => ((await health()).reasons.length === 0 ? true : undefined));
  assert.equal((await entriesOf(shop)).length, 2);
  assert.equal(stdout().split('"cannot keep version').length, 2);
});
