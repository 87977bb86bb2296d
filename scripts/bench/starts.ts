import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningServer, startNode, startVitrine } from './servers.ts';

/**
 * How long a Fastify with one route, and Vitrine over each of these directories, take until they listen, in
 * milliseconds. They take turns.
 */
export async function measureStarts(dirs: string[], count: number): Promise<number[][]> {
  const starters = [() => startNode(['servers/one-route.mjs']), ...dirs.map(dir => () => startVitrine(dir))];
  const times: number[][] = starters.map(() => []);
  for (let round = 0; round < count; round += 1)
    for (const [index, start] of starters.entries()) times[index]?.push(await startTime(start));
  return times;
}

async function startTime(start: () => Promise<RunningServer>): Promise<number> {
  const begin = performance.now();
  const server = await start();
  const ms = performance.now() - begin;
  await server.stop();
  return ms;
}

/**
 * The memory of Vitrine over the catalogs of a directory, after some idle time and before any request; and how long
 * prices that change take until they are live.
 */
export async function measureCatalog(dir: string, idleMs: number, count: number) {
  const path = join(dir, 'prices.csv');
  const text = await readFile(path, 'utf8');
  const vitrine = await startVitrine(dir);
  const loads = () => vitrine.output.stdout.split('catalogs loaded').length - 1;
  await delay(idleMs);
  const status = readFileSync(`/proc/${vitrine.pid}/status`, 'latin1');
  const changeMs: number[] = [];
  for (let change = 1; change <= count; change += 1) {
    await writeFile(`${path}.new`, text.replace(/[\d.]+\n/, `${change}.5\n`));
    const begin = performance.now();
    await rename(`${path}.new`, path);
    while (loads() <= change) await delay(2);
    changeMs.push(performance.now() - begin);
    await delay(idleMs / 10);
  }
  await vitrine.stop();
  return {
    fileBytes: readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0),
    residentBytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024,
    changeMs,
  };
}
