import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { request } from 'undici';
import { previousPath, systemFs } from '../../src/files/atomic-write.ts';
import type { Counts } from '../../src/reads/counts.ts';
import { countsFormat } from '../../src/reads/file/file-counter.ts';
import { openStateFile, type StateFile } from '../../src/reads/file/state-file.ts';
import { shop, writeFiles } from './catalogs.ts';
import { flagsOf, startProcess } from './process.ts';
import { until } from './until.ts';

/** The interval of flushes, in milliseconds. */
const FLUSH_MS = 100;
/** The reads that the shop's news item 1 has from its catalog. */
export const FLOOR = 100;

interface Health {
  status: string;
  reasons: string[];
  reads: { unsaved: number };
}

/** The shop, whose reads are kept in a directory of its own or in the one given, through one process after the other. */
export async function openShop(t: TestContext, ownStateDir?: string) {
  const dir = await writeFiles(t, shop);
  const stateDir = ownStateDir ?? join(dir, 'state');
  await mkdir(stateDir, { recursive: true });
  const file = join(stateDir, 'read-counts.json');
  const settings = {
    port: 0,
    catalogDir: dir,
    imagesDir: dir,
    stateDir,
    flushIntervalMs: FLUSH_MS,
    drainMs: 1,
  };

  const start = async (env: Record<string, string> = {}) => {
    const { child, exit, listening, stdout } = startProcess(t, flagsOf(settings), env);
    const address = await listening();
    const ask = async (path: string) => {
      const { statusCode, body } = await request(`${address}${path}`);
      assert.equal(statusCode, 200);
      return ((await body.json()) as { data: unknown }).data;
    };
    const health = async () => (await ask('/health')) as Health;
    return {
      ...{ child, exit, stdout, address, health },
      /** Resolves to the count that the answer says. */
      read: async () => ((await ask('/api/news/1')) as { read: number }).read,
      /** Resolves when a reason contains this text. */
      degraded: (reason = '') =>
        until(t, async () => {
          const now = await health();
          return now.reasons.some(one => one.includes(reason)) ? now : undefined;
        }),
      saved: () => until(t, async () => ((await health()).reads.unsaved === 0 ? true : undefined)),
    };
  };
  const names = { catalogDir: dir, stateDir, file, previous: previousPath(file) };
  return { ...names, flags: flagsOf(settings), start };
}

/** The state file as a process finds it that starts; whatever is wrong with it fails the test. */
export function openCounts(file: string): StateFile<Counts> {
  const fail = (message: string) => assert.fail(message);
  return openStateFile(file, countsFormat, { info: fail, warn: fail, error: fail }, systemFs);
}

/** The counts in a state file, beside which nothing was set aside. */
export async function countsIn(file: string): Promise<Counts> {
  const counts = (await openCounts(file).load()) ?? new Map();
  const names = await readdir(join(file, '..'));
  assert.deepEqual(
    names.filter(name => name.includes('.broken-')),
    [],
  );
  return counts;
}

/** All reads that are in a state file, less those that a catalog has given. */
export async function readsIn(file: string): Promise<number> {
  const counts = await countsIn(file);
  return [...counts.values()].reduce((sum, count) => sum + count, counts.has(1) ? -FLOOR : 0);
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
