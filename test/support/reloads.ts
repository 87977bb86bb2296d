import assert from 'node:assert/strict';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Agent, request } from 'undici';
import type { Health } from '../../src/contract/health.ts';
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

/** A service under load. */
interface LoadedService {
  stateDir: string;
  /** Saves a set as an editor does. */
  publish(release: number, files: Files): Promise<void>;
  /** The data of `/health`. */
  health(): Promise<Health>;
  /** Whether a client has failed. */
  isDone(): boolean;
}

/**
 * Saves sets while clients send requests, every second one with an error, each as soon as health shows the outcome of the
 * last. Returns the number of responses, each of which is from one set.
 */
export function reloadUnderLoad(t: TestContext, clients: number, reloads: number): Promise<number> {
  return changeUnderLoad(t, clients, async ({ publish, health, isDone }) => {
    for (let release = 1; release <= reloads && !isDone(); release += 1) {
      const version = (await health()).catalogs?.version;
      const files = fixtureSet(2 + (release % 8));
      const isBroken = release % 2 === 0;
      await publish(release, isBroken ? { ...files, 'prices.csv': 'id\n' } : files);
      await until(t, async () => {
        const { catalogs, last_attempt } = await health();
        const isDone = isBroken ? (last_attempt?.errors ?? 0) > 0 : catalogs?.version !== version;
        return isDone ? true : undefined;
      });
    }
  });
}

/**
 * Changes what is served while clients send requests over keep-alive connections. Asserts that every response is from one
 * set, and that the clients have seen three; returns the number of responses.
 */
async function changeUnderLoad(
  t: TestContext,
  clients: number,
  change: (service: LoadedService) => Promise<void>,
): Promise<number> {
  const root = await writeFiles(t, {});
  const catalogDir = join(root, 'current');
  const publish = async (release: number, files: Files) => {
    await writeInto(join(root, `release-${release}`), files);
    await symlink(`release-${release}`, join(root, 'next'));
    await rename(join(root, 'next'), catalogDir);
  };
  await publish(0, fixtureSet(1));
  const stateDir = join(root, 'state');
  const settings = { port: 0, catalogDir, stateDir };
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
  const asking = Promise.all(Array.from({ length: clients }, client));
  try {
    await Promise.race([change({ stateDir, publish, health, isDone: () => done }), asking]);
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
