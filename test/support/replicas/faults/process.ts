import { setTimeout as delay } from 'node:timers/promises';
import { aWhile, pick, type Random } from '../numbers.ts';
import { type DeployedReplica, type Fault, lasting } from './fault.ts';

/** For how long a process counts between two faults, and for how long it is away, in milliseconds, at most. */
const AWAKE_MS = 1000;
const AWAY_MS = 500;
/** How far the clock of a process is off, in days. */
const CLOCKS = [0, 0, 100, -100];

/** A replica is told to stop, and started again, perhaps with another clock. */
export const stop: Fault = async (_deployment, random, replica) => {
  await aWhile(AWAKE_MS, random);
  await replica.terminate();
  return { text: `${replica.name} is stopped, ${(await comeBack(replica, random)).text}` };
};

/** A replica is killed while it answers, and started again, perhaps with another clock. */
export const kill: Fault = async (_deployment, random, replica) => {
  await aWhile(AWAKE_MS, random);
  await replica.kill();
  const { text, atRisk } = await comeBack(replica, random);
  return { text: `${replica.name} is killed, ${text}, ${atRisk} reads at risk`, atRisk };
};

/**
 * A replica is killed while it counts in Redis, which costs nothing as long as Redis keeps its data, whether the replica
 * finds Redis when it comes back or has to count on its own first.
 */
export const killWell: Fault = async (deployment, random, replica) => {
  const { clients, settle } = deployment;
  await settle();
  const outages = replica.outages();
  clients.resume();
  await lasting(random);
  await replica.kill();
  const isWell = replica.outages() === outages;
  const { where, begin, end } = pick(returns(replica), random);
  begin();
  const { text, atRisk } = await comeBack(replica, random);
  await lasting(random);
  await end();
  await settle();
  clients.resume();
  const what = `${replica.name} is killed while it counts in Redis, ${text}, ${where}`;
  return isWell ? { text: what } : { text: `${what}; it had lost Redis: ${atRisk} reads at risk`, atRisk };
};

/** Whether the replicas are restarted before and after Redis loses everything, and how long all is idle before that. */
const emptyings = [
  { isBefore: true, isAfter: false, idleMs: 6000 },
  { isBefore: true, isAfter: true, idleMs: 0 },
  { isBefore: false, isAfter: true, idleMs: 0 },
];

/** Redis loses everything while nobody reads, before or after the replicas are restarted. */
export const emptyWhileIdle: Fault = async ({ clients, redis, replicas, settle }, random) => {
  const { isBefore, isAfter, idleMs } = pick(emptyings, random);
  const restart = () =>
    Promise.all(
      replicas.map(async replica => {
        await replica.terminate();
        await replica.restart();
      }),
    );
  await lasting(random);
  await settle();
  if (isBefore) await restart();
  await delay(idleMs);
  await redis().ask(client => client.flushall());
  await delay(AWAY_MS);
  if (isAfter) await restart();
  clients.resume();
  const when = [isAfter && 'before', isBefore && 'after'].filter(Boolean).join(' and ');
  return {
    text: `Redis is emptied ${when} a restart of all replicas, and nobody reads for ${idleMs + AWAY_MS} ms`,
  };
};

async function comeBack(replica: DeployedReplica, random: Random) {
  const days = pick(CLOCKS, random);
  await aWhile(AWAY_MS, random);
  const atRisk = await replica.restart(days);
  return { text: days === 0 ? 'and comes back' : `and comes back with a clock ${days} days off`, atRisk };
}

/** What a replica that comes back finds. */
function returns({ proxy }: DeployedReplica) {
  let release = () => {};
  return [
    { where: 'and finds Redis', begin: () => {}, end: () => {} },
    { where: 'and is refused by Redis', begin: proxy.refuse, end: proxy.accept },
    {
      where: 'and hears nothing of Redis',
      begin: () => (release = proxy.hold('requests', 'replies')),
      end: () => release(),
    },
  ];
}
