import { setTimeout as delay, setImmediate as poll } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';

/**
 * How far a service has come with taking its leave. `stopping`: it answers, and asks clients to leave. `holding`: it
 * answers what comes now in a moment, when nobody can connect any more. `closed`: it refuses what a host still sends it.
 */
export type Phase = 'serving' | 'stopping' | 'holding' | 'closed';

/** No more can be on its way when nothing has come for so long, in milliseconds. */
const QUIET_MS = 20;
/** For how many times of that a service waits at most. */
const MAX_ROUNDS = 10;

/**
 * What a service does when its app is closed, before the connections are, so that no client meets with an error: for
 * `drainMs` milliseconds it goes on to answer, with `Connection: close` (which Fastify adds), so that clients leave.
 * Those that come again at once would be reset where their connection is not accepted yet when the listener closes,
 * hence the last answers are held back until nobody has come for a moment. Who is connected by then is answered even
 * if it asks later. Reads are flushed before all that and after it, since a close can be cut short. Returns a look at
 * the phase.
 */
export function registerStopping(
  app: FastifyInstance,
  drainMs: number,
  flush: () => Promise<void>,
): () => Phase {
  let phase: Phase = 'serving';
  let arrivals = 0;
  let release = () => {};
  const released = new Promise<void>(resolve => (release = resolve));

  app.addHook('onRequest', (_request, _reply, done) => {
    if (phase === 'closed') return done(new ApiError('STOPPING'));
    if (phase !== 'holding') return done();
    arrivals += 1;
    void released.then(() => done());
  });

  const closeListener = async () => {
    phase = 'holding';
    app.server.on('connection', () => (arrivals += 1));
    for (let round = 0, seen = -1; round < MAX_ROUNDS && seen !== arrivals; round += 1) {
      seen = arrivals;
      await delay(QUIET_MS);
      await poll(); // A process that did not run for so long finds here who came meanwhile.
    }
    app.server.close();
    phase = 'stopping';
    release();
  };

  app.addHook('preClose', async () => {
    phase = 'stopping';
    await flush();
    if (drainMs > 0 && app.server.listening) {
      await delay(drainMs);
      await closeListener();
    }
    await flush();
  });

  app.addHook('onClose', async () => {
    phase = 'closed';
  });
  return () => phase;
}
