import { type NodeServer, programPath, startNode, startVitrine } from '../node-server.ts';
import { formatSize, type Plan } from '../plan.ts';
import { type Spread, spreadOf } from '../statistics.ts';

/** From the start of a process until it listens. */
export interface StartResult {
  what: string;
  starts: number;
  ms: Spread;
}

/** Starts Vitrine and a Fastify with one route in turn, then Vitrine over large catalogs. */
export async function measureStarts(
  sampleDir: string,
  largeDir: string,
  { starts, largeStarts, large }: Plan,
): Promise<StartResult[]> {
  const [fastify, vitrine, overLarge]: [number[], number[], number[]] = [[], [], []];
  for (let count = 0; count < starts; count += 1) {
    vitrine.push(await startTime(() => startVitrine(sampleDir)));
    fastify.push(await startTime(() => startNode([programPath('servers/one-route.mjs')])));
  }
  for (let count = 0; count < largeStarts; count += 1) {
    overLarge.push(await startTime(() => startVitrine(largeDir)));
  }
  return [
    { what: 'Fastify with one route', starts, ms: spreadOf(fastify) },
    { what: 'Vitrine, sample catalogs', starts, ms: spreadOf(vitrine) },
    { what: `Vitrine, ${formatSize(large)}`, starts: largeStarts, ms: spreadOf(overLarge) },
  ];
}

async function startTime(start: () => Promise<NodeServer>): Promise<number> {
  const begin = performance.now();
  const server = await start();
  const ms = performance.now() - begin;
  await server.stop();
  return ms;
}
