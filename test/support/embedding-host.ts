// A program that embeds the service three times, uses it, closes it, and tells what is left: node --import tsx, with the
// directories of two sets of catalogs.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Fastify from 'fastify';
import { createVitrine, vitrine } from '../../src/index.ts';

const [one = '', two = ''] = process.argv.slice(2);
const optionsOf = (dir: string, name: string) => ({
  catalogDir: dir,
  imagesDir: dir,
  stateDir: join(dir, name),
  logLevel: 'silent' as const,
});
const signals = ['SIGTERM', 'SIGINT', 'uncaughtException', 'unhandledRejection'];
/** Handles of Node's own event loop. */
const ofNode = ['async', 'check', 'idle', 'loop', 'prepare', 'timer'];
/** What there is in the process, whether it keeps the process alive or not. */
const look = () => {
  const { libuv, workers } = process.report.getReport() as unknown as Report;
  return {
    resources: process.getActiveResourcesInfo().sort(),
    handles: libuv
      .flatMap(({ type, is_active }) => (is_active && !ofNode.includes(type) ? [type] : []))
      .sort(),
    workers: workers.length,
    listeners: signals.map(signal => process.listenerCount(signal)),
  };
};
interface Report {
  libuv: { type: string; is_active: boolean }[];
  workers: unknown[];
}

const before = look();
const host = Fastify({ pluginTimeout: 0 });
host.register(vitrine, { prefix: '/one', ...optionsOf(one, 'plugin') });
host.register(vitrine, { prefix: '/two', ...optionsOf(two, 'plugin') });
const address = await host.listen({ port: 0, host: '127.0.0.1' });

const own = await createVitrine({ ...optionsOf(one, 'handler') });
const server = createServer(own.handler).listen(0, '127.0.0.1');
await new Promise(resolve => server.once('listening', resolve));
const { port } = server.address() as AddressInfo;

const statuses = [];
for (const base of [`${address}/one`, `${address}/two`, `http://127.0.0.1:${port}`]) {
  for (const path of ['/api/news/1', '/api/news', '/health', '/documentation/json', '/metrics', '/']) {
    const response = await fetch(`${base}${path}`, { headers: { connection: 'close' } });
    await response.text();
    statuses.push(response.status);
  }
}
server.close();
await Promise.all([host.close(), own.close()]);
// What was closed leaves with the turn of the event loop.
for (let turns = 0; turns < 100 && process.getActiveResourcesInfo().length > 0; turns += 1) await turn();
const after = look();
console.log(
  JSON.stringify({
    statuses,
    left: {
      resources: without(after.resources, before.resources),
      handles: without(after.handles, before.handles),
      workers: after.workers - before.workers,
      listeners: after.listeners.map((count, index) => count - (before.listeners[index] ?? 0)),
    },
  }),
);

/** What is in a list more often than in another. What runs this program may be about to leave something when it begins. */
function without(list: string[], others: string[]): string[] {
  const rest = [...others];
  return list.filter(item => {
    const place = rest.indexOf(item);
    if (place >= 0) rest.splice(place, 1);
    return place < 0;
  });
}
