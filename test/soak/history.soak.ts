import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { shop, writeInto } from '../support/catalogs.ts';
import { answersOf, entriesOf, healthOf, newShop, serveShop } from '../support/kept-shop.ts';
import { fill, mountSmallDisk } from '../support/small-disk.ts';
import { rounds } from '../support/soak.ts';
import { until } from '../support/until.ts';

const ROUNDS = rounds(100, 500);
/** A kill comes up to this many milliseconds after a set went live. */
const MOST_MS = 15;

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
  const start = async () => {
    const { listening, kill } = serveShop(t, dirs, { reloadQuietMs: 0 });
    return { address: await listening(), kill };
  };
  /** Resolves when the set of this round is served and kept. */
  const isKept = (address: string, round: number) =>
    until(t, async () => {
      const { status, catalogs } = await healthOf(address);
      const [last = ''] = (await entriesOf(dirs)).slice(-1);
      const isServed = nameIn(await answersOf(address)) === `round ${round}`;
      return isServed && status === 'ok' && last.includes(catalogs?.version ?? '?') ? true : undefined;
    });
  let { address, kill } = await start();
  await isKept(address, 0);
  let kept = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = (await healthOf(address)).catalogs?.version;
    await writeInto(dirs.catalogDir, products(`round ${round}`));
    await until(t, async () => ((await healthOf(address)).catalogs?.version === before ? undefined : true));
    await delay(Math.random() * MOST_MS);
    await kill();
    await breakOne(dirs.catalogDir, round);

    ({ address, kill } = await start());
    const answers = await answersOf(address);
    assert.ok(
      answers.every(answer => answer.startsWith('200 ')),
      answers.join('\n'),
    );
    assert.equal(new Set(answers.map(answer => answer.split(' ')[1])).size, 1);
    assert.equal((await healthOf(address)).status, 'degraded');
    const served = Number(nameIn(answers)?.slice('round '.length));
    assert.ok(served === round || served === round - 1, `round ${round} serves ${served}`);
    if (served === round) kept += 1;
    await writeInto(dirs.catalogDir, { ...shop, ...products(`round ${round}`) });
    await isKept(address, round);
  }
  t.diagnostic(`${kept} of ${ROUNDS} sets were kept before the kill`);
  assert.ok(kept > 0 && kept < ROUNDS, `${kept} sets were kept before the kill`);
});

/** Breaks one catalog after the other, and now and then removes all of them. */
async function breakOne(catalogDir: string, round: number): Promise<void> {
  const files = Object.keys(shop);
  const path = join(catalogDir, files[round % files.length] ?? '');
  const text = await readFile(path, 'utf8');
  if (round % 5 === 0) await rm(catalogDir, { recursive: true });
  else await writeFile(path, text.replace(/("id":\s*|\n)\d/, '$1"x"'));
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
  // The log can be behind health.
  await until(t, async () =>
    /"msg":"version [0-9a-f]{12} is in the history now"/.test(stdout()) ? true : undefined,
  );
  await kill();
  await rm(dirs.catalogDir, { recursive: true });
  assert.deepEqual(await answersOf(await serveShop(t, dirs).listening()), answers);
});
