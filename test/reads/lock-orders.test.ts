import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ReadCounter } from '../../src/reads/counts.ts';
import { startFileStore } from '../support/reads/stores.ts';

/** What each news item has from its catalog. */
const FLOOR = 100;
const NEWS = [1, 2];

/**
 * What happens, one after the other, to two processes and to their state directory. `obstruct` makes it impossible to open
 * the lock file, as in a read-only directory, until it is deleted.
 */
const events = [
  'obstruct',
  'delete the lock',
  ...(['A', 'B'] as const).flatMap(name => [
    `start ${name}` as const,
    `stop ${name}` as const,
    `read by ${name}` as const,
    `save ${name}` as const,
  ]),
] as const;
type Event = (typeof events)[number];

/** Two processes, and how many reads the files must have in the end. */
async function startPlay(t: TestContext) {
  const { place, open, saved } = await startFileStore(t);
  const lock = join(place.stateDir, 'lock');
  const processes = new Map<string, ReadCounter>();
  let reads = 0;

  const start = async (name: string) => {
    if (processes.has(name)) return;
    const counter = await open().catch((error: Error) => error.message);
    if (typeof counter === 'string') assert.match(counter, /is in use by process/);
    else processes.set(name, counter);
  };
  const stop = async (name: string) => {
    const error = await processes
      .get(name)
      ?.close()
      .catch((error: Error) => error.message);
    // Whoever stops then says how many reads are lost.
    if (error) reads -= Number(/^(\d+) reads? could not be saved/.exec(error)?.[1]);
    processes.delete(name);
  };
  const read = async (name: string) => {
    for (const id of processes.has(name) ? NEWS : []) {
      await processes.get(name)?.raise(id, FLOOR);
      reads += 1;
    }
  };
  const happen = async (event: Event) => {
    const name = event.slice(-1);
    if (event === 'obstruct') await rm(lock, { force: true }).then(() => symlink('missing/lock', lock));
    if (event === 'delete the lock') await rm(lock, { force: true });
    if (event.startsWith('start')) await start(name);
    if (event.startsWith('stop')) await stop(name);
    if (event.startsWith('read')) await read(name);
    if (event.startsWith('save')) await processes.get(name)?.flush();
  };
  return {
    happen,
    health: (name: string) => processes.get(name)?.health().reasons ?? [],
    isRunning: (name: string) => processes.has(name),
    /** Ends all processes while the directory can be locked, and asserts that each read is stored once. */
    async settle(what: string) {
      await happen('delete the lock');
      while (processes.size > 0) {
        const before = processes.size;
        for (const [name, counter] of processes) {
          await counter.flush();
          if (counter.health().reasons.length === 0) await stop(name);
        }
        assert.ok(processes.size < before, `none gets the lock: ${what}`);
      }
      const counts = Object.values(await saved().catch(() => ({})));
      assert.equal(
        counts.reduce((sum, count) => sum + count - FLOOR, 0),
        reads,
        what,
      );
    },
  };
}

/** Which process is refused at its start or degraded in the end, as the other one has the lock. */
const orders: { what: string; events: Event[]; refused?: 'A' | 'B'; degraded?: 'A' | 'B' }[] = [
  {
    what: 'the first starts without a lock and gets it before the second starts',
    events: [
      'obstruct',
      'start A',
      'read by A',
      'delete the lock',
      'save A',
      'start B',
      'read by A',
      'save A',
    ],
    refused: 'B',
  },
  {
    what: 'the second starts before the first tries again',
    events: [
      'obstruct',
      'start A',
      'read by A',
      'delete the lock',
      'start B',
      'read by B',
      'save B',
      'read by A',
      'save A',
    ],
    degraded: 'A',
  },
  {
    what: 'the second starts, reads and stops before the first tries again',
    events: [
      'obstruct',
      'start A',
      'read by A',
      'delete the lock',
      'start B',
      'read by B',
      'stop B',
      'read by A',
      'save A',
    ],
  },
  {
    what: 'both start without a lock, and the first gets it first',
    events: [
      'obstruct',
      'start A',
      'start B',
      'read by A',
      'read by B',
      'delete the lock',
      'save A',
      'save B',
      'read by B',
    ],
    degraded: 'B',
  },
  {
    what: 'both start without a lock, and the second gets it first',
    events: [
      'obstruct',
      'start A',
      'start B',
      'read by A',
      'read by B',
      'delete the lock',
      'save B',
      'save A',
      'read by A',
    ],
    degraded: 'A',
  },
  {
    what: 'the lock file is deleted, and the first tries again before the second starts',
    events: ['start A', 'read by A', 'save A', 'delete the lock', 'read by A', 'save A', 'start B'],
    refused: 'B',
  },
  {
    what: 'the lock file is deleted, and the second starts before the first tries again',
    events: [
      ...(['start A', 'read by A', 'save A', 'read by A', 'delete the lock', 'start B'] as const),
      ...(['read by B', 'save B', 'save A', 'read by B'] as const),
    ],
    degraded: 'A',
  },
  {
    what: 'the file of one process is left while the other one waits for the lock',
    events: [
      ...([
        'start A',
        'read by A',
        'save A',
        'obstruct',
        'start B',
        'read by B',
        'read by A',
        'delete the lock',
      ] as const),
      ...(['save A', 'read by A', 'save A', 'read by B', 'save B', 'delete the lock', 'save B'] as const),
    ],
  },
];

for (const { what, events, refused, degraded } of orders) {
  test(`each read is stored once: ${what}`, async t => {
    const { happen, isRunning, health, settle } = await startPlay(t);
    for (const event of events) await happen(event);
    for (const name of ['A', 'B']) {
      const isStarted =
        events.some(event => event === `start ${name}`) && !events.some(event => event === `stop ${name}`);
      assert.equal(isRunning(name), isStarted && name !== refused);
      if (isRunning(name))
        assert.equal(/in use by process/.test(health(name).join()), name === degraded, name);
    }
    await settle(what);
  });
}

const ROUNDS = 30;
const STEPS = 25;

test('each read is stored once, or a stop says that it is not, in any order of events', async t => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { happen, settle } = await startPlay(t);
    const order: Event[] = [];
    for (let seed = round, step = 0; step < STEPS; step += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      const event = events[seed % events.length] ?? 'delete the lock';
      order.push(event);
      await happen(event);
    }
    await settle(order.join(', '));
  }
});
