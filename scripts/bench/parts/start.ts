import { cp, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemFs } from '../../../src/files/atomic-write.ts';
import { historyPath, listEntries } from '../../../src/history/entries.ts';
import { removeDirectory, temporaryDirectory } from '../../../test/support/replicas/programs.ts';
import { programPath, type RunningServer, startNode, startVitrine } from '../node-server.ts';
import { formatSize, type Plan } from '../plan.ts';
import { type Spread, spreadOf } from '../statistics.ts';

/** From the start of a process until it listens, or from a change of a file until it is live. */
export interface StartResult {
  what: string;
  starts: number;
  ms: Spread;
}

/** How long a changed file must stay as it is, in milliseconds; the default of `RELOAD_QUIET_MS`. */
const QUIET_MS = 300;

/** Starts Vitrine and a Fastify with one route in turn, then Vitrine over large catalogs, whose prices it then changes. */
export async function measureStarts(
  sampleDir: string,
  largeDir: string,
  { starts, largeStarts, large }: Plan,
): Promise<StartResult[]> {
  const [fastify, vitrine]: [number[], number[]] = [[], []];
  for (let count = 0; count < starts; count += 1) {
    vitrine.push(await startTime(() => startVitrine(sampleDir)));
    fastify.push(await startTime(() => startNode([programPath('servers/one-route.mjs')])));
  }
  const [first, second, changed]: [number[], number[], number[]] = [[], [], []];
  for (let count = 0; count < largeStarts; count += 1) {
    const times = await largeTimes(largeDir);
    first.push(times.first);
    second.push(times.second);
    changed.push(times.changed);
  }
  const size = formatSize(large);
  return [
    { what: 'Fastify with one route', starts, ms: spreadOf(fastify) },
    { what: 'Vitrine, sample catalogs', starts, ms: spreadOf(vitrine) },
    { what: `Vitrine, ${size}`, starts: largeStarts, ms: spreadOf(first) },
    { what: 'the same once more', starts: largeStarts, ms: spreadOf(second) },
    { what: 'a price of it changed, until it is live', starts: largeStarts, ms: spreadOf(changed) },
  ];
}

/** Times of a first start, of a second one with the same state, and of a change, after the time that files must be quiet. */
async function largeTimes(largeDir: string): Promise<{ first: number; second: number; changed: number }> {
  const [catalogDir, stateDir] = [temporaryDirectory(), temporaryDirectory()];
  await cp(largeDir, catalogDir, { recursive: true });
  let loads = 0;
  const onLine = (line: string) => {
    if (line.includes('catalogs loaded')) loads += 1;
  };
  const start = () => startVitrine(catalogDir, { env: { STATE_DIR: stateDir, HOLD_BACK: 'off' }, onLine });
  try {
    const first = await startTime(start, () => waitFor(() => isKept(stateDir)));
    let changed = 0;
    const second = await startTime(start, async () => {
      const before = loads;
      await changePrice(catalogDir);
      const begin = performance.now();
      await waitFor(async () => loads > before);
      changed = performance.now() - begin - QUIET_MS;
    });
    return { first, second, changed };
  } finally {
    removeDirectory(catalogDir);
    removeDirectory(stateDir);
  }
}

/** Whether the set that is served is in the history. */
async function isKept(stateDir: string): Promise<boolean> {
  return (await listEntries(systemFs, historyPath(stateDir))).length > 0;
}

async function changePrice(catalogDir: string): Promise<void> {
  const path = join(catalogDir, 'prices.csv');
  const text = await readFile(path, 'utf8');
  await writeFile(`${path}.new`, text.replace(/\d+\.\d+\n/, '1234.56\n'));
  await rename(`${path}.new`, path);
}

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(2);
}

async function startTime(start: () => Promise<RunningServer>, use = async () => {}): Promise<number> {
  const begin = performance.now();
  const server = await start();
  const ms = performance.now() - begin;
  await use().finally(server.stop);
  return ms;
}
