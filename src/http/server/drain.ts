import { setTimeout as delay, setImmediate as poll } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../errors.ts';

/**
 * `stopping`: the service answers with `Connection: close`. `holding`: it delays responses until the listener is closed.
 * `closed`: it refuses requests that a host still passes to it.
 */
export type Phase = 'serving' | 'stopping' | 'holding' | 'closed';

/** If nothing arrives for this long, nothing is assumed to be on its way, in milliseconds. */
const QUIET_MS = 20;
/** The maximum number of such waits. */
const MAX_ROUNDS = 10;

/**
 * Drains a service when its app closes, so that no client sees an error. For `drainMs` milliseconds, or until `endDrain` is
 * aborted, the service answers with `Connection: close`, which Fastify adds. Clients may reconnect at once, and closing the
 * listener resets connections that it has not accepted yet. So the last responses wait until nothing arrives for a moment.
 * Reads are flushed before and after the drain, since a close can be cut short. Nothing waits for the first flush, since a
 * disk may hang. Returns a function that returns the current phase.
 */
export function registerDrain(
  app: FastifyInstance,
  drainMs: number,
  flush: () => Promise<void>,
  endDrain?: AbortSignal,
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

  app.addHook('preClose', async () => {
    phase = 'stopping';
    void flush();
    if (drainMs > 0 && app.server.listening) {
      await delay(drainMs, undefined, { signal: endDrain }).catch(() => {}); // Rejects if aborted.
      phase = 'holding';
      app.server.on('connection', () => (arrivals += 1));
      for (let round = 0, seen = -1; round < MAX_ROUNDS && seen !== arrivals; round += 1) {
        seen = arrivals;
        await delay(QUIET_MS);
        await poll(); // If the process was suspended, this accepts what has arrived meanwhile.
      }
      app.server.close();
      phase = 'stopping';
      release();
    }
    await flush();
  });

  app.addHook('onClose', async () => {
    phase = 'closed';
  });
  return () => phase;
}
