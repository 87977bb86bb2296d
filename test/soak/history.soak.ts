import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { onDisk } from '../../src/catalog/history/prune.ts';
import { systemFs } from '../../src/files/atomic-write.ts';
import { keepAndPrune, readAll, setOf, UNBOUNDED } from '../support/catalog/history.ts';
import { shop, writeFiles, writeInto } from '../support/catalogs.ts';
import { answersOf, entriesOf, healthOf, newShop, serveShop } from '../support/kept-shop.ts';
import { fill, mountSmallDisk } from '../support/small-disk.ts';
import { rounds } from '../support/soak.ts';
import { until } from '../support/until.ts';

const ROUNDS = rounds(100, 500);
const VERSIONS = rounds(10_000, 10_000);
/** A kill comes up to this many milliseconds after a good set was saved. */
const MOST_MS = 150;

const products = (name: string) => ({
  'products.json': [
    { id: 1, name },
    { id: 2, name: 'Two' },
    { id: 3, name: 'Three' },
  ],
});
const nameIn = (answers: string[]) => /"name":"(round \d+)"/.exec(answers[0] ?? '')?.[1];

test(`${ROUNDS} times a good set, a kill, a broken catalog and a start: each serves a set that was good`, {
  timeout: 900_000,
}, async t => {
  const dirs = await newShop(t, { ...shop, ...products('round 0') });
  let { listening, kill } = serveShop(t, dirs, { reloadQuietMs: 0 });
  let address = await listening();
  let kept = 0;
  let newest = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    await until(t, async () => ((await entriesOf(dirs)).length > 0 ? true : undefined));
    await writeInto(dirs.catalogDir, products(`round ${round}`));
    await delay(Math.random() * MOST_MS);
    await kill();
    const files = Object.keys(shop);
    const broken = files[round % files.length] ?? assert.fail();
    const text = await readFile(join(dirs.catalogDir, broken), 'utf8');
    if (round % 5 === 0) await rm(dirs.catalogDir, { recursive: true });
    else await writeFile(join(dirs.catalogDir, broken), text.slice(0, text.length / 2));

    ({ listening, kill } = serveShop(t, dirs, { reloadQuietMs: 0 }));
    address = await listening();
    const answers = await answersOf(address);
    assert.ok(
      answers.every(answer => answer.startsWith('200 ')),
      answers.join('\n'),
    );
    assert.equal(new Set(answers.map(answer => answer.split(' ')[1])).size, 1);
    assert.equal((await healthOf(address)).status, 'degraded');
    const served = Number(nameIn(answers)?.slice('round '.length));
    assert.ok(served >= newest && served <= round, `round ${round} serves ${served}, after ${newest}`);
    if (served === round) kept += 1;
    newest = served;
    await writeInto(dirs.catalogDir, { ...shop, ...products(`round ${round}`) });
    await until(t, async () => ((await healthOf(address)).status === 'ok' ? true : undefined));
    newest = round;
    await until(t, async () => {
      const [last = ''] = (await entriesOf(dirs)).slice(-1);
      return last.includes((await healthOf(address)).catalogs?.version ?? '?') ? true : undefined;
    });
  }
  t.diagnostic(`${kept} of ${ROUNDS} sets were kept before the kill`);
});

test(`the history of ${VERSIONS} versions stays below its bound`, { timeout: 900_000 }, async t => {
  const dir = join(await writeFiles(t, {}), 'history');
  const bounds = { ...UNBOUNDED, historyMb: 1 };
  let most = 0;
  for (let number = 1; number <= VERSIONS; number += 1) {
    const set = setOf({ 'products.json': `${number} `.repeat(500), 'news.csv': 'news' }, number);
    await keepAndPrune(systemFs, set, bounds, undefined, dir);
    if (number % 100 === 0) most = Math.max(most, await bytesIn(dir));
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

test('on a full disk a new set goes live, /health says that it is not kept, and it is once there is space', {
  timeout: 120_000,
}, async t => {
  const stateDir = await mountSmallDisk(t, 256);
  if (!stateDir) return;
  const dirs = { ...(await newShop(t, { ...shop, ...products('round 1') })), stateDir };
  const { listening, kill, stdout } = serveShop(t, dirs);
  const address = await listening();
  await until(t, async () => ((await entriesOf(dirs)).length > 0 ? true : undefined));
  const free = await fill(stateDir, 0);
  await writeInto(dirs.catalogDir, products('round 2'));
  const { reasons } = await until(t, async () => {
    const health = await healthOf(address);
    return health.status === 'degraded' ? health : undefined;
  });
  assert.deepEqual(reasons, ['the served set is not in the history: no space left on device']);
  const answers = await answersOf(address);
  assert.equal(nameIn(answers), 'round 2');
  assert.equal((await entriesOf(dirs)).length, 1);

  await free();
  await until(t, async () => ((await healthOf(address)).status === 'ok' ? true : undefined));
  assert.match(stdout(), /"msg":"version [0-9a-f]{12} is in the history now"/);
  await kill();
  await rm(dirs.catalogDir, { recursive: true });
  assert.deepEqual(await answersOf(await serveShop(t, dirs).listening()), answers);
});
