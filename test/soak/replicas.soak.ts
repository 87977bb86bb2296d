import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Deployment, lostAndExtra, startDeployment } from '../support/replicas/deployment.ts';
import { crash, type Fault, freeze, kill, killIdle, losePower, stop } from '../support/replicas/faults.ts';
import { aWhile, pick, sum } from '../support/replicas/numbers.ts';
import { fromSource } from '../support/replicas/replica.ts';
import { skipWithout } from '../support/skipping.ts';
import { rounds } from '../support/soak.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('redis-server');
const timeout = 300_000;

/** Replicas under load, which end with the test. */
async function deploy(t: TestContext, ...options: Parameters<typeof startDeployment>): Promise<Deployment> {
  const deployment = await startDeployment(...options);
  t.after(deployment.stop);
  return deployment;
}

const ROUNDS = rounds(8, 50);

test(`${ROUNDS} freezes of Redis, losses of its last second and kills: every answered read is stored exactly once`, {
  skip,
  timeout,
}, async t => {
  const deployment = await deploy(t);
  await troubleRedis(deployment, ROUNDS);
  const { clients, replicas, stored } = deployment;
  const answered = clients.answered();
  const sentAgain = sum(replicas.map(({ sentAgain }) => sentAgain()));
  t.diagnostic(`${sum(answered.values())} answers, ${sentAgain} batches sent again`);
  assert.deepEqual(clients.faults(), []);
  assert.deepEqual(byId(await stored()), byId(answered));
  assert.equal(clients.unanswered() + clients.refused(), 0);
  assert.ok(sentAgain > 0);
});

/** Lets Redis freeze and lose its last second in turn while news are read, and has the replicas come to rest. */
async function troubleRedis(deployment: Deployment, rounds: number): Promise<void> {
  deployment.clients.resume();
  for (let round = 0; round < rounds; round += 1) {
    await freeze(deployment);
    await aWhile(1000);
    await losePower(deployment);
    await aWhile(300);
    await crash(deployment);
    await aWhile(300);
  }
  await deployment.settle();
}

function byId(reads: Iterable<[number, number]>): [number, number][] {
  return [...reads].sort(([one], [other]) => one - other);
}

/** What goes wrong in a round, at about the same time. */
const kinds: { what: string; faults: Fault[] }[] = [
  { what: 'a stop about when Redis loses its power', faults: [stop, losePower] },
  { what: 'a kill about when Redis loses its power', faults: [kill, losePower] },
  { what: 'a stop, and Redis loses its power after it', faults: [(...where) => stop(...where, losePower)] },
  { what: 'a kill, and Redis loses its power after it', faults: [(...where) => kill(...where, losePower)] },
  { what: 'a stop about when Redis is killed', faults: [stop, crash] },
  { what: 'a kill about when Redis is killed', faults: [kill, crash] },
  { what: 'a stop about when Redis is frozen', faults: [stop, freeze] },
  { what: 'a kill about when Redis is frozen', faults: [kill, freeze] },
  { what: 'a kill of an idle replica', faults: [killIdle] },
];

test('stopping replicas loses nothing, and killing them loses no more than promised', {
  skip,
  timeout,
}, async t => {
  const deployment = await deploy(t, { settings: { flushIntervalMs: 200 } });
  for (let round = 0; round < rounds(1, 2) * kinds.length; round += 1) {
    const { what, faults } = kinds[round % kinds.length] ?? assert.fail();
    const { lost, extra, atRisk, unanswered } = await playRound(t, deployment, faults);
    t.diagnostic(`${what}: ${lost} of ${atRisk} lost, ${extra} of ${unanswered} extra`);
    assert.ok(lost <= atRisk, what);
    assert.ok(extra <= unanswered, what);
    assert.deepEqual(deployment.clients.faults(), [], what);
  }
});

/** Lets these go wrong at some replica, and returns what that has changed, and how much it may. */
async function playRound(t: TestContext, deployment: Deployment, faults: Fault[]) {
  const { clients, redis, replicas } = deployment;
  const replica = pick(replicas);
  // What a loss of power takes with it is of this round alone.
  redis.sync();
  const before = { differences: await deployment.differences(), unanswered: clients.unanswered() };
  clients.resume();
  // As long as it has saved nothing, all that it answers is at risk.
  await until(t, async () => (replica.answered.hasSaved() ? true : await delay(20)));
  await aWhile(500);
  const reports = await Promise.all(
    faults.map(async fault => {
      await aWhile(700);
      return fault(deployment, replica);
    }),
  );
  await aWhile(500);
  await deployment.settle();
  return {
    ...lostAndExtra(await deployment.differences(), before.differences),
    atRisk: sum(reports.map(({ atRisk }) => atRisk)),
    unanswered: clients.unanswered() - before.unanswered,
  };
}

test('the check notices a counter that repeats reads until Redis responds', { skip }, async t => {
  const deployment = await deploy(t, { program: fromSource('../naive-replica.ts') });
  const { clients, replicas } = deployment;
  clients.resume();
  await until(t, async () =>
    replicas.every(({ answered }) => answered.answers() > 99) ? true : await delay(20),
  );
  await freeze(deployment);
  await deployment.settle();
  const { extra } = lostAndExtra(await deployment.differences());
  t.diagnostic(`${extra} extra after a freeze`);
  assert.ok(extra > 0);
  await troubleRedis(deployment, 5);
  assert.notDeepEqual(byId(await deployment.stored()), byId(clients.answered()));
});

test('through nginx all reads are counted, whatever fails', {
  skip: skip || skipWithout('nginx'),
  timeout,
}, async t => {
  const args = [
    ...fromSource('../../../scripts/replicas.ts'),
    '--rounds',
    String(rounds(5, 8)),
    '--seconds',
    '1',
  ];
  const script = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => script.kill('SIGTERM'));
  const [output, [code]] = await Promise.all([text(script.stdout), once(script, 'close')]);
  for (const line of output.split('\n')) t.diagnostic(line);
  assert.match(output, /^three replicas, asked through nginx\n/);
  assert.equal(code, 0);
});
