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
 * What happens, one after the other, to processes A and B and to their state directory: one starts, stops, reads or saves; the
 * lock file is deleted (`d`), or made impossible to open, as in a read-only directory, until it is deleted (`x`).
 */
const events = ['x', 'd', '+A', '-A', 'rA', 'sA', '+B', '-B', 'rB', 'sB'];

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
  const happen = async (event: string) => {
    const [what, name = ''] = event;
    if (what === 'x') await rm(lock, { force: true }).then(() => symlink('missing/lock', lock));
    if (what === 'd') await rm(lock, { force: true });
    if (what === '+') await start(name);
    if (what === '-') await stop(name);
    if (what === 'r') await read(name);
    if (what === 's') await processes.get(name)?.flush();
  };
  return {
    happen,
    health: (name: string) => processes.get(name)?.health().reasons ?? [],
    isRunning: (name: string) => processes.has(name),
    /** Ends all processes while the directory can be locked, and asserts that each read is stored once. */
    async settle(what: string) {
      await happen('d');
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
const orders = [
  [
    'the first starts without a lock and gets it before the second starts',
    'x +A rA d sA +B rB sA',
    'B refused',
  ],
  ['the second starts before the first tries again', 'x +A rA d +B rB sB rA sA', 'A degraded'],
  ['both start without a lock, and the first gets it first', 'x +A +B rA rB d sA sB rB', 'B degraded'],
  ['the lock file is deleted, and the second starts before', '+A rA sA rA d +B rB sB sA rB', 'A degraded'],
] as const;

for (const [what, order, expected] of orders) {
  test(`each read is stored once: ${what}`, async t => {
    const { happen, isRunning, health, settle } = await startPlay(t);
    for (const event of order.split(' ')) await happen(event);
    const found = ['A', 'B'].flatMap(name => {
      if (!isRunning(name)) return [`${name} refused`];
      return /in use by process/.test(health(name).join()) ? [`${name} degraded`] : [];
    });
    assert.deepEqual(found, [expected]);
    await settle(what);
  });
}

const ROUNDS = 30;
const STEPS = 25;

test('each read is stored once, or a stop says that it is not, in any order of events', async t => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { happen, settle } = await startPlay(t);
    const order: string[] = [];
    for (let seed = round, step = 0; step < STEPS; step += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      const event = events[seed % events.length] ?? 'd';
      order.push(event);
      await happen(event);
    }
    await settle(order.join(' '));
  }
});
