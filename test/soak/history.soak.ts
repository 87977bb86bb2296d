import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Agent, request } from 'undici';
import { shop, writeInto } from '../support/catalogs.ts';
import { answersOf, healthOf, newShop, serveShop } from '../support/kept-shop.ts';
import { rounds } from '../support/soak.ts';
import { until } from '../support/until.ts';

const ROUNDS = rounds(6, 500);
const CLIENTS = 20;
/** A kill comes up to this many milliseconds after the first answer of a set, */
const MOST_MS = 15;
/** or in every so many rounds as soon as the set is in the history, and perhaps not live yet. */
const EARLY_ROUNDS = 5;
/** In every so many rounds, somebody goes back to the set before. */
const ROLLBACK_ROUNDS = 4;

const products = (name: string) => ({
  'products.json': [
    { id: 1, name },
    { id: 2, name: 'Two' },
    { id: 3, name: 'Three' },
  ],
});
const nameIn = (answer = '') => /"name":"(round \d+)"/.exec(answer)?.[1];

test(`${ROUNDS} kills under load, with broken files waiting: each start serves the set that was live`, {
  timeout: 1_800_000,
}, async t => {
  const dirs = await newShop(t, { ...shop, ...products('round 0') });
  const historyDir = join(dirs.stateDir, 'history');
  const start = async () => {
    const { listening, kill, child } = serveShop(t, dirs);
    return { address: await listening(), kill, child };
  };
  /** Resolves to the version of this name once it is served. */
  const isServed = (address: string, name: string) =>
    until(t, async () => {
      const { status, catalogs } = await healthOf(address);
      const [answer] = await answersOf(address);
      return nameIn(answer) === name && status === 'ok' ? catalogs?.version : undefined;
    });
  let service = await start();
  let before = { name: 'round 0', version: await isServed(service.address, 'round 0') };
  const counts = { live: 0, 'live, by a rollback': 0, 'in the history': 0 };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const isRollback = round % ROLLBACK_ROUNDS === 0 && round > 1;
    const files = products(`round ${round}`);
    if (isRollback) {
      await writeInto(dirs.catalogDir, files);
      await isServed(service.address, `round ${round}`);
    }
    const target = isRollback ? before.name : `round ${round}`;
    const { child } = service;
    const kill = () => void child.kill('SIGKILL');
    const watcher = watch(historyDir, (_event, file) => {
      if (round % EARLY_ROUNDS === 0 && file?.endsWith('.json')) kill();
    });
    let live = isRollback ? `round ${round}` : before.name;
    const watched = watchNames(service.address, name => {
      if (name === target && live !== target) setTimeout(kill, Math.random() * MOST_MS);
      live = name;
    });
    if (isRollback) await writeInto(historyDir, { pin: before.version });
    else await writeInto(dirs.catalogDir, files);
    await watched;
    await service.kill();
    watcher.close();
    if (live === target) counts[isRollback ? 'live, by a rollback' : 'live'] += 1;

    await rm(join(historyDir, 'pin'), { force: true });
    await breakOne(dirs.catalogDir, round);
    service = await start();
    const answers = await answersOf(service.address);
    // One status and one version.
    assert.equal(new Set(answers.map(answer => /^200 \w+/.exec(answer)?.[0])).size, 1, answers.join('\n'));
    assert.match(answers[0] ?? '', /^200 /);
    assert.equal((await healthOf(service.address)).status, 'degraded');
    const served = nameIn(answers[0]);
    if (served !== live) {
      assert.equal(served, target, `round ${round}: ${live} was live, and ${served} is served`);
      assert.notEqual(live, target);
      counts['in the history'] += 1;
    }
    await writeInto(dirs.catalogDir, { ...shop, ...files });
    before = { name: `round ${round}`, version: await isServed(service.address, `round ${round}`) };
  }
  t.diagnostic(`killed once it was ${JSON.stringify(counts)}`);
  assert.ok(counts.live > 0 && counts['live, by a rollback'] > 0, JSON.stringify(counts));
});

/** Asks for the products all the time, over many connections, until the service is gone. */
async function watchNames(address: string, onName: (name: string) => void): Promise<void> {
  const dispatcher = new Agent({ connections: CLIENTS });
  const ask = async () => {
    for (;;) {
      const { body } = await request(`${address}/api/products`, { dispatcher });
      onName(String(nameIn(await body.text())));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, () => ask().catch(() => {})));
  await dispatcher.destroy();
}

/** Breaks one catalog after the other, and now and then removes all of them. */
async function breakOne(catalogDir: string, round: number): Promise<void> {
  const files = Object.keys(shop);
  const path = join(catalogDir, files[round % files.length] ?? '');
  const text = await readFile(path, 'utf8');
  if (round % 5 === 0) await rm(catalogDir, { recursive: true });
  else await writeFile(path, text.replace(/("id":\s*|\n)\d/, '$1"x"'));
}
