import assert from 'node:assert/strict';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Agent, request } from 'undici';
import { type Files, writeFiles, writeInto } from './catalogs.ts';
import { fixtureSet } from './fixture-sets.ts';
import { flagsOf, startProcess } from './process.ts';
import { until } from './until.ts';

/** Asserts that a response is from one set; returns which. */
function fixtureSetOf(text: string): string {
  const sets = new Set(text.match(/set \d/g));
  assert.equal(sets.size, 1, `a response from ${sets.size} sets: ${text}`);
  return [...sets].join();
}

/**
 * Sends requests over keep-alive connections while an editor saves sets, every second one with an error, each as soon as
 * health shows the outcome of the last. Asserts that every response is from one set; returns the number of responses.
 */
export async function reloadUnderLoad(t: TestContext, clients: number, reloads: number): Promise<number> {
  const root = await writeFiles(t, {});
  const catalogDir = join(root, 'current');
  const publish = async (release: number, files: Files) => {
    await writeInto(join(root, `release-${release}`), files);
    await symlink(`release-${release}`, join(root, 'next'));
    await rename(join(root, 'next'), catalogDir);
  };
  await publish(0, fixtureSet(1));
  const settings = {
    port: 0,
    catalogDir,
    stateDir: join(root, 'state'),
    reloadPollMs: 50,
    reloadQuietMs: 20,
  };
  const { listening, exit, child } = startProcess(t, flagsOf(settings));
  const address = await listening();
  const agent = new Agent({ connections: clients });
  const sets = new Map<string, string>();
  let answers = 0;
  let done = false;

  const ask = async (path: string) => {
    const { statusCode, headers, body } = await request(`${address}${path}`, { dispatcher: agent });
    const text = await body.text();
    assert.equal(statusCode, 200, text);
    answers += 1;
    return { version: String(headers['catalog-version']), text };
  };
  const client = async () => {
    while (!done) {
      const news = await ask('/api/news?limit=100');
      const served = fixtureSetOf(news.text);
      assert.equal(sets.get(news.version) ?? served, served, 'one version names two sets');
      sets.set(news.version, served);
      const product = Number(served.split(' ')[1]) * 1000 + 1;
      const list = await ask(`/api/recommend-config?product_id=${product}&include_durations=true`);
      if (list.version === news.version) assert.equal(fixtureSetOf(list.text), served);
    }
  };
  const health = async () => JSON.parse((await ask('/health')).text).data;
  const edit = async () => {
    for (let release = 1; release <= reloads && !done; release += 1) {
      const { version } = (await health()).catalogs;
      const files = fixtureSet(2 + (release % 8));
      const isBroken = release % 2 === 0;
      await publish(release, isBroken ? { ...files, 'prices.csv': 'id\n' } : files);
      await until(t, async () => {
        const { catalogs, last_attempt } = await health();
        const isDone = isBroken ? last_attempt.errors > 0 : catalogs.version !== version;
        return isDone ? true : undefined;
      });
    }
  };
  const asking = Promise.all(Array.from({ length: clients }, client));
  try {
    await Promise.race([edit(), asking]);
  } finally {
    done = true;
  }
  await asking;
  assert.ok(sets.size >= 3, 'clients have seen the sets change');
  await agent.close();
  child.kill('SIGTERM');
  assert.equal((await exit).code, 0);
  return answers;
}
