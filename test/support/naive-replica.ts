/**
 * A replica that counts as one would at first, to show that the proof of the replicas tells it from one that counts
 * right: each read is an HINCRBY, which is tried again where it fails or takes more than 250 ms. Takes its settings from
 * the environment.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { openLiveCatalog } from '../../src/live/live.ts';
import type { ReadCounter } from '../../src/reads/counts.ts';
import { readSettings } from '../../src/settings/read.ts';
import { COUNTS_KEY } from './replicas/redis.ts';

function openNaiveCounter(url: string): ReadCounter {
  const client = new Redis(url, { commandTimeout: 250 });
  client.on('error', () => {});
  const shown = new Map<number, number>();
  let counted = 0;
  let unsaved = 0;

  const tryToRaise = async (id: number, floor: number): Promise<number> => {
    // Once is enough, and whoever comes first has set it.
    if (!shown.has(id)) await client.hsetnx(COUNTS_KEY, String(id), floor);
    shown.set(id, Math.max(floor, shown.get(id) ?? 0));
    return client.hincrby(COUNTS_KEY, String(id), 1);
  };
  return {
    async raise(id, floor) {
      counted += 1;
      unsaved += 1;
      for (;;) {
        try {
          const count = await tryToRaise(id, floor);
          shown.set(id, count);
          unsaved -= 1;
          return count;
        } catch {
          await delay(10);
        }
      }
    },
    shown: (id, floor) => Math.max(floor, shown.get(id) ?? 0),
    revision: () => Number.NaN, // Nothing is known to be as it was.
    health: () => ({ store: 'redis', counted, unsaved, lastFlush: undefined, reasons: [] }),
    flush: async () => {},
    close: async () => client.disconnect(),
  };
}

const settings = readSettings({}, process.env);
const log = pino({ level: settings.logLevel });
const catalog = openLiveCatalog(settings, settings, log);
await catalog.loaded;
const reads = openNaiveCounter(String(settings.redisUrl));
const services = {
  catalog,
  reads,
  now: () => Date.now() / 1000,
  close: () => Promise.all([catalog.close(), reads.close()]),
};
await buildApp(services, settings, log).listen({
  port: settings.port,
  listenTextResolver: address => `listening on ${address}`,
});
