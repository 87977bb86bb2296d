import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { afterTest } from '../support/after-test.ts';
import { type Deployment, lostAndExtra, startDeployment } from '../support/replicas/deployment.ts';
import { drawBlocks, redisFaults } from '../support/replicas/faults/plan.ts';
import { isKept, play } from '../support/replicas/faults/play.ts';
import { losePower } from '../support/replicas/faults/server.ts';
import { seeded, sum } from '../support/replicas/numbers.ts';
import { fromSource } from '../support/replicas/replica.ts';
import { skipWithout } from '../support/skipping.ts';
import { isLong, rounds } from '../support/soak.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('redis-server');
const timeout = 600_000;

/** Replicas under load, which end with the test. */
async function deploy(t: TestContext, ...options: Parameters<typeof startDeployment>): Promise<Deployment> {
  const deployment = await startDeployment(...options);
  afterTest(t, deployment.stop);
  return deployment;
}

/** Every second round may lose reads. */
const ROUNDS = rounds(2, 50);
const FAULTS = ROUNDS * Object.keys(redisFaults).length;

test(`${FAULTS} faults of Redis, and replicas stopped and killed meanwhile: every answered read is stored exactly once`, {
  skip,
  timeout: timeout + ROUNDS * 60_000,
}, async t => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`SEED=${seed}`);
  const deployment = await deploy(t, { settings: { flushIntervalMs: 200 } });
  for (const steps of drawBlocks(seeded(seed), ROUNDS)) {
    const happened: string[] = [];
    const report = () => [`SEED=${seed}`, ...happened].join('\n');
    const outcome = await play(deployment, steps, ({ text }) => void happened.push(text)).catch(error => {
      throw new Error(report(), { cause: error });
    });
    const { lost, atRisk, extra, unanswered } = outcome;
    t.diagnostic(`${happened.length} faults: ${lost} of ${atRisk} lost, ${extra} of ${unanswered} extra`);
    if (!isKept(outcome)) assert.fail(`${JSON.stringify(outcome)}\n${report()}`);
  }
  const { clients, replicas } = deployment;
  const sentAgain = sum(replicas.map(({ sentAgain }) => sentAgain()));
  t.diagnostic(`${sum(clients.answered().values())} answers, ${sentAgain} sent again`);
  assert.ok(sentAgain > 0);
});

test('the check notices a counter that repeats reads until Redis responds, and forgets with it', {
  skip,
  timeout,
}, async t => {
  const deployment = await deploy(t, { program: fromSource('../naive-replica.ts') });
  const { clients, redis, replicas, settle, differences } = deployment;
  clients.resume();
  await until(t, async () =>
    replicas.every(({ answered }) => answered.answers() > 99) ? true : await delay(20),
  );
  // A freeze or a loss may come when no read is on its way, above all on a busy machine.
  const extra = await until(t, async () => {
    clients.resume();
    await redis().freeze(700);
    await settle();
    return lostAndExtra(await differences()).extra || undefined;
  });
  t.diagnostic(`${extra} extra after a freeze`);
  const block = [redisFaults.flush, losePower].map((fault = losePower, replica) => ({
    kind: 'redis' as const,
    fault,
    replica,
    random: Math.random,
  }));
  const lost = await until(t, async () => {
    const outcome = await play(deployment, block, () => {});
    return isKept(outcome) ? undefined : outcome.lost;
  });
  t.diagnostic(`${lost} lost with Redis`);
});

test('through nginx all reads are counted, whatever fails', {
  skip: skip || skipWithout('nginx'),
  timeout,
}, async t => {
  const deployment = await deploy(t, { hasNginx: true, settings: { flushIntervalMs: 200 } });
  // The usual form has a fault of a process, of the line and of the data; the others do not depend on the proxy.
  const [rounds, names] = isLong ? [4, undefined] : [1, ['crash', 'loseReplies', 'flush']];
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  for (const steps of drawBlocks(seeded(seed), rounds, names)) {
    const outcome = await play(deployment, steps, ({ text }) => t.diagnostic(text));
    assert.ok(isKept(outcome), `SEED=${seed} ${JSON.stringify(outcome)}`);
  }
});
