import assert from 'node:assert/strict';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Agent, request } from 'undici';
import { type Files, writeFiles, writeInto } from './support/catalogs.ts';
import { fixtureSet } from './support/fixture-sets.ts';
import { flagsOf, healthOf, startProcess } from './support/process.ts';
import { until } from './support/until.ts';

const CLIENTS = 10;
const RELOADS = 6;

/** Asserts that a response is from one set; returns which. */
function fixtureSetOf(text: string): string {
  const sets = new Set(text.match(/set \d/g));
  assert.equal(sets.size, 1, `a response from ${sets.size} sets: ${text}`);
  return [...sets].join();
}

test('under load, sets are loaded and refused, and every response comes from one set', async t => {
  const root = await writeFiles(t, {});
  const catalogDir = join(root, 'current');
  const publish = async (release: number, files: Files) => {
    await writeInto(join(root, `release-${release}`), files);
    await symlink(`release-${release}`, join(root, 'next'));
    await rename(join(root, 'next'), catalogDir);
  };
  await publish(0, fixtureSet(1));
  const settings = { port: 0, catalogDir, stateDir: join(root, 'state') };
  const { listening, exit, child } = startProcess(t, flagsOf(settings));
  const address = await listening();
  const agent = new Agent({ connections: CLIENTS });
  const sets = new Map<string, string>();
  let answers = 0;
  let isDone = false;
  const ask = async (path: string) => {
    const { statusCode, headers, body } = await request(`${address}${path}`, { dispatcher: agent });
    const text = await body.text();
    assert.equal(statusCode, 200, text);
    answers += 1;
    return { version: String(headers['catalog-version']), text };
  };
  const client = async () => {
    while (!isDone) {
      const news = await ask('/api/news?limit=100');
      const served = fixtureSetOf(news.text);
      assert.equal(sets.get(news.version) ?? served, served, 'one version names two sets');
      sets.set(news.version, served);
      const product = Number(served.split(' ')[1]) * 1000 + 1;
      const list = await ask(`/api/recommend-config?product_id=${product}&include_durations=true`);
      if (list.version === news.version) assert.equal(fixtureSetOf(list.text), served);
    }
  };
  /** Saves a set, of which every second one has an error, as soon as health shows what became of the last. */
  const change = async () => {
    for (let release = 1; release <= RELOADS && !isDone; release += 1) {
      const version = (await healthOf(address)).catalogs?.version;
      const isBroken = release % 2 === 0;
      await publish(release, { ...fixtureSet(2 + (release % 8)), ...(isBroken && { 'prices.csv': 'id\n' }) });
      await until(t, async () => {
        const { catalogs, last_attempt } = await healthOf(address);
        const isSeen = isBroken ? (last_attempt?.errors ?? 0) > 0 : catalogs?.version !== version;
        return isSeen;
      });
    }
  };
  const asking = Promise.all(Array.from({ length: CLIENTS }, client));
  await Promise.race([change(), asking]).finally(() => {
    isDone = true;
  });
  await asking;
  assert.ok(sets.size >= 3, 'clients have seen the sets change');
  t.diagnostic(`${answers} answers`);
  await agent.close();
  child.kill('SIGTERM');
  assert.equal((await exit).code, 0);
});
