import assert from 'node:assert/strict';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Agent, request } from 'undici';
import { type Files, writeFiles, writeInto } from './catalogs.ts';
import { edition } from './editions.ts';
import { flagsOf, startProcess } from './process.ts';
import { until } from './until.ts';

/** Asserts that an answer is of one edition, and returns which. */
function editionOf(text: string): string {
  const editions = new Set(text.match(/edition \d/g));
  assert.equal(editions.size, 1, `an answer of ${editions.size} editions: ${text}`);
  return [...editions].join();
}

/**
 * Lets keep-alive clients ask while an editor saves sets, every second one with a mistake in it, each as soon as it was
 * told what became of the last. Asserts that every request is answered from one set; returns how many there were.
 */
export async function reloadUnderLoad(t: TestContext, clients: number, reloads: number): Promise<number> {
  const root = await writeFiles(t, {});
  const catalogDir = join(root, 'current');
  const publish = async (release: number, files: Files) => {
    await writeInto(join(root, `release-${release}`), files);
    await symlink(`release-${release}`, join(root, 'next'));
    await rename(join(root, 'next'), catalogDir);
  };
  await publish(0, edition(1));
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
  const editions = new Map<string, string>();
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
      const served = editionOf(news.text);
      assert.equal(editions.get(news.version) ?? served, served, 'one version names two sets');
      editions.set(news.version, served);
      const product = Number(served.split(' ')[1]) * 1000 + 1;
      const list = await ask(`/api/recommend-config?product_id=${product}&include_durations=true`);
      if (list.version === news.version) assert.equal(editionOf(list.text), served);
    }
  };
  const health = async () => JSON.parse((await ask('/health')).text).data;
  const edit = async () => {
    for (let release = 1; release <= reloads && !done; release += 1) {
      const { version } = (await health()).catalogs;
      const files = edition(2 + (release % 8));
      const isBroken = release % 2 === 0;
      await publish(release, isBroken ? { ...files, 'prices.csv': 'id\n' } : files);
      await until(t, async () => {
        const { catalogs, last_attempt } = await health();
        const isTold = isBroken ? last_attempt.errors > 0 : catalogs.version !== version;
        return isTold ? true : undefined;
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
  assert.ok(editions.size >= 3, 'clients have seen the sets change');
  await agent.close();
  child.kill('SIGTERM');
  assert.equal((await exit).code, 0);
  return answers;
}
