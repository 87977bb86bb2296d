import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { constants } from '../../src/settings/settings.ts';
import { removeDirectory, temporaryDirectory } from '../../test/support/programs.ts';
import type { Plan } from './cases.ts';
import { type RunningServer, startNode, startVitrine } from './servers.ts';

/**
 * Starts Vitrine and a Fastify with one route in turn, then Vitrine over large catalogs, whose prices it then changes.
 * Returns all times in milliseconds.
 */
export async function measureStarts(
  sampleDir: string,
  largeDir: string,
  size: string,
  { starts, largeStarts }: Plan,
): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {};
  const add = (what: string, ms: number) => {
    times[what] = [...(times[what] ?? []), ms];
  };
  for (let count = 0; count < starts; count += 1) {
    add('Fastify with one route', await startTime(() => startNode(['servers/one-route.mjs'])));
    add('Vitrine, sample catalogs', await startTime(() => startVitrine(sampleDir)));
  }
  for (let count = 0; count < largeStarts; count += 1) {
    const { start, changed } = await largeTimes(largeDir);
    add(`Vitrine, ${size}`, start);
    add('a price of it changed, until it is live', changed);
  }
  return times;
}

async function startTime(start: () => Promise<RunningServer>): Promise<number> {
  const begin = performance.now();
  const server = await start();
  const ms = performance.now() - begin;
  await server.stop();
  return ms;
}

/** Times of a start, and of a change, after the time that files must be stable. */
async function largeTimes(largeDir: string) {
  const [catalogDir, stateDir] = [temporaryDirectory(), temporaryDirectory()];
  await cp(largeDir, catalogDir, { recursive: true });
  const path = join(catalogDir, 'prices.csv');
  const text = await readFile(path, 'utf8');
  await writeFile(`${path}.new`, text.replace(/\d+\.\d+\n/, '1234.56\n'));
  let loads = 0;
  const onLine = (line: string) => {
    if (line.includes('catalogs loaded')) loads += 1;
  };
  const begin = performance.now();
  const server = await startVitrine(catalogDir, { STATE_DIR: stateDir, HOLD_BACK: 'off' }, onLine);
  const start = performance.now() - begin;
  const isKept = () => readdirSync(join(stateDir, 'history')).some(name => name.endsWith('.json'));
  while (loads === 0 || !isKept()) await delay(2);
  await rename(`${path}.new`, path);
  const saved = performance.now();
  while (loads < 2) await delay(2);
  const changed = performance.now() - saved - constants.reloadQuietMs;
  await server.stop();
  for (const dir of [catalogDir, stateDir]) removeDirectory(dir);
  return { start, changed };
}

/** Starts Vitrine over the catalogs of a directory, and reads its memory after a while, before any request. */
export async function measureMemory(dir: string, waitMs: number) {
  const vitrine = await startVitrine(dir);
  await delay(waitMs);
  const fileBytes = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
  const status = readFileSync(`/proc/${vitrine.pid}/status`, 'latin1');
  await vitrine.stop();
  return { fileBytes, residentBytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024 };
}
