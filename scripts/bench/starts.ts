import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { constants } from '../../src/settings/settings.ts';
import { removeDirectory, temporaryDirectory } from '../../test/support/replicas/programs.ts';
import type { Plan } from './plan.ts';
import { benchPath, type RunningServer, startNode, startVitrine } from './servers.ts';
import { quantile } from './statistics.ts';

/** From the start of a process until it listens, or from a change of a file until it is live, in milliseconds. */
export interface StartResult {
  what: string;
  starts: number;
  median: number;
  least: number;
  most: number;
}

/** Starts Vitrine and a Fastify with one route in turn, then Vitrine over large catalogs, whose prices it then changes. */
export async function measureStarts(
  sampleDir: string,
  largeDir: string,
  size: string,
  { starts, largeStarts }: Plan,
): Promise<StartResult[]> {
  const times: Record<string, number[]> = {};
  const add = (what: string, ms: number) => {
    times[what] = [...(times[what] ?? []), ms];
  };
  for (let count = 0; count < starts; count += 1) {
    add('Fastify with one route', await startTime(() => startNode([benchPath('servers/one-route.mjs')])));
    add('Vitrine, sample catalogs', await startTime(() => startVitrine(sampleDir)));
  }
  for (let count = 0; count < largeStarts; count += 1) {
    const { start, changed } = await largeTimes(largeDir);
    add(`Vitrine, ${size}`, start);
    add('a price of it changed, until it is live', changed);
  }
  return Object.entries(times).map(([what, all]) => {
    const [median = 0, least = 0, most = 0] = [0.5, 0, 1].map(share => quantile(all, share));
    return { what, starts: all.length, median, least, most };
  });
}

/** Times of a start, and of a change, after the time that files must be stable. */
async function largeTimes(largeDir: string): Promise<{ start: number; changed: number }> {
  const [catalogDir, stateDir] = [temporaryDirectory(), temporaryDirectory()];
  await cp(largeDir, catalogDir, { recursive: true });
  let loads = 0;
  const onLine = (line: string) => {
    if (line.includes('catalogs loaded')) loads += 1;
  };
  const begin = () => startVitrine(catalogDir, { STATE_DIR: stateDir, HOLD_BACK: 'off' }, onLine);
  const isKept = () => readdirSync(join(stateDir, 'history')).some(name => name.endsWith('.json'));
  let changed = 0;
  try {
    const start = await startTime(begin, async () => {
      await waitFor(isKept);
      const before = loads;
      const path = join(catalogDir, 'prices.csv');
      const text = await readFile(path, 'utf8');
      await writeFile(`${path}.new`, text.replace(/\d+\.\d+\n/, '1234.56\n'));
      await rename(`${path}.new`, path);
      const saved = performance.now();
      await waitFor(() => loads > before);
      changed = performance.now() - saved - constants.reloadQuietMs;
    });
    return { start, changed };
  } finally {
    removeDirectory(catalogDir);
    removeDirectory(stateDir);
  }
}

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(2);
}

async function startTime(start: () => Promise<RunningServer>, use = async () => {}): Promise<number> {
  const begin = performance.now();
  const server = await start();
  const ms = performance.now() - begin;
  await use().finally(server.stop);
  return ms;
}

/** The memory of Vitrine after it loads its catalogs, before any request. */
export interface MemoryResult {
  what: string;
  fileBytes: number;
  residentBytes: number;
  /** How many bytes more than over the first catalogs, for each byte that the files are larger. */
  bytesPerByte: number | undefined;
}

/** Starts Vitrine over the catalogs of each directory, and reads its memory after a while. */
export async function measureMemory(dirs: Record<string, string>, waitMs: number): Promise<MemoryResult[]> {
  const results: MemoryResult[] = [];
  for (const [what, dir] of Object.entries(dirs)) {
    const vitrine = await startVitrine(dir);
    await delay(waitMs);
    const fileBytes = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
    const status = readFileSync(`/proc/${vitrine.pid}/status`, 'latin1');
    const residentBytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    await vitrine.stop();
    const [first] = results;
    const bytesPerByte = first && (residentBytes - first.residentBytes) / (fileBytes - first.fileBytes);
    results.push({ what, fileBytes, residentBytes, bytesPerByte });
  }
  return results;
}
