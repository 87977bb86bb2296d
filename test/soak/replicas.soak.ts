import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Random, seededRandom, shuffled } from '../../scripts/bench/catalog.ts';
import { countsOf, openRowsFile } from '../../src/reads/redis/rows.ts';
import { afterTest } from '../support/after-test.ts';
import { startProxy } from '../support/reads/proxy.ts';
import { redisFaults, type Stage, startDurable } from '../support/reads/redis-faults.ts';
import { copyOf, keepingLog, openReplica } from '../support/reads/stores.ts';
import { skipWithout, soakRounds } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('redis-server');
const IDS = [1, 2, 3, 4, 5, 6, 7, 8];
const FLOOR = 100;
const PROCESSES = 3;
const READERS = 8;
const INTERVAL_MS = 100;

const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + Math.max(0, number), 0);

/** Processes that count in one Redis while readers read, and what these were answered. */
async function startShop(t: TestContext) {
  const stage: Stage = { redis: await startDurable(t), proxies: [] };
  const answered = new Map<number, number>(IDS.map(id => [id, 0]));
  let answers = 0;
  /** Answered reads that a kill may have cost, and reads that it broke off. */
  const bounds = { atRisk: 0, unanswered: 0 };
  let isReading = false;
  const processes: Awaited<ReturnType<typeof start>>[] = [];

  /** Starts a process in a slot, on a copy of what the one before left. */
  const start = async (slot: number, stateDir?: string) => {
    const proxy = await startProxy(t, stage.redis.port);
    stage.proxies[slot] = proxy;
    const opened = await openReplica(t, proxy, stateDir, INTERVAL_MS);
    let [isOver, isKilled, pending] = [false, false, 0];
    const read = async () => {
      const id = 1 + Math.floor(Math.random() * IDS.length);
      pending += 1;
      await opened.counter.raise(id, FLOOR);
      pending -= 1;
      if (isKilled) return;
      answered.set(id, (answered.get(id) ?? 0) + 1);
      answers += 1;
    };
    const reader = async () => {
      for (; !isOver; await delay(10 * Math.random())) if (isReading) await read();
    };
    const running = Array.from({ length: READERS }, reader);
    afterTest(t, () => {
      isOver = true;
    });
    return {
      ...opened,
      isIdle: () => pending === 0,
      /** Ends it after its last answers, as SIGTERM does. */
      async stop() {
        isOver = true;
        await Promise.all(running);
        await opened.counter.close();
        proxy.refuse();
      },
      /** Nothing that it does from now on reaches Redis or the next process. Only what it has not saved is at risk. */
      async kill(isRisky: boolean) {
        [isOver, isKilled] = [true, true];
        proxy.refuse();
        bounds.unanswered += pending;
        const known = IDS.map(id => opened.counter.shown(id, FLOOR));
        const left = await copyOf(t, opened.stateDir);
        const saved = countsOf((await openRowsFile(left, keepingLog()).load())?.rows ?? new Map());
        if (isRisky)
          bounds.atRisk += sumOf(IDS.map((id, index) => (known[index] ?? 0) - (saved.get(id) ?? FLOOR)));
        return left;
      },
    };
  };
  for (let slot = 0; slot < PROCESSES; slot += 1) processes.push(await start(slot));
  return {
    stage,
    bounds,
    answers: () => answers,
    read: () => (isReading = true),
    async stopAndStart(slot: number) {
      await processes[slot]?.stop();
      processes[slot] = await start(slot, processes[slot]?.stateDir);
    },
    async killAndStart(slot: number, isRisky: boolean) {
      processes[slot] = await start(slot, await processes[slot]?.kill(isRisky));
    },
    /** Resolves once nothing is asked for, and all processes and Redis agree. Returns lost and extra reads. */
    async settle() {
      isReading = false;
      await until(t, async () => {
        for (const { counter } of processes) await counter.flush();
        const isWell = processes.every(({ counter, isIdle }) => {
          const { reasons, unsaved } = counter.health();
          return reasons.length === 0 && unsaved === 0 && isIdle();
        });
        return isWell ? true : undefined;
      });
      // What one has added after another had compared.
      for (const { counter } of [...processes, ...processes]) await counter.flush();
      const stored: Record<string, number> = await stage.redis.counts();
      const differences = [...answered].map(([id, count]) => (stored[id] ?? FLOOR) - FLOOR - count);
      for (const [slot, { counter }] of processes.entries())
        for (const id of IDS) assert.equal(counter.shown(id, FLOOR), stored[id] ?? FLOOR, `${slot} of ${id}`);
      return { lost: sumOf(differences.map(number => -number)), extra: sumOf(differences) };
    },
  };
}

const ROUNDS = soakRounds(2, 50);
const names = Object.keys(redisFaults);

/** Every second round, processes are killed while Redis fails, which may cost what they had not saved. */
async function playRound(shop: Awaited<ReturnType<typeof startShop>>, t: TestContext, random: Random) {
  for (const isStrict of [true, false])
    for (const name of shuffled(names, random)) {
      t.diagnostic(name);
      shop.read();
      const slot = Math.floor(random() * PROCESSES);
      const meanwhile = async () => {
        await delay(200 * random());
        if (random() < 0.5) return;
        await (isStrict ? shop.stopAndStart(slot) : shop.killAndStart(slot, true));
      };
      await Promise.all([redisFaults[name]?.(shop.stage, t, seededRandom(random() * 2 ** 32)), meanwhile()]);
      if (!isStrict || random() < 0.7) continue;
      // While nothing else fails, a kill costs nothing.
      await shop.settle();
      shop.read();
      await delay(300 * random());
      await shop.killAndStart(slot, false);
    }
}

test(`${2 * ROUNDS * names.length} faults of Redis while processes stop or are killed: answered reads are stored once, but for the bound`, {
  skip,
  timeout: 600_000 + ROUNDS * 120_000,
}, async t => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  const random = seededRandom(seed);
  const shop = await startShop(t);
  for (let round = 0; round < ROUNDS; round += 1) {
    await playRound(shop, t, random);
    const { lost, extra } = await shop.settle();
    const { atRisk, unanswered } = shop.bounds;
    const outcome = `SEED=${seed}: ${shop.answers()} answered, ${lost} lost of ${atRisk} at risk, ${extra} extra of ${unanswered} broken off`;
    t.diagnostic(outcome);
    assert.ok(lost <= atRisk && extra <= unanswered, outcome);
  }
});
