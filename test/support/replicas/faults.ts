import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from './deployment.ts';
import { aWhile } from './numbers.ts';
import type { Replica } from './replica.ts';

const FREEZE_MS = 700;
/** For how long something is away, in milliseconds, at most. */
const AWAY_MS = 500;

/** What has gone wrong, for people, and how many answered reads that may cost. */
export interface Report {
  text: string;
  atRisk: number;
}

/** Lets something go wrong; when it resolves, that is over. `replica` is where it happens, if at a replica. */
export type Fault = (deployment: Deployment, replica: Replica) => Promise<Report>;

/** Redis loses its power, and what it wrote in its last second, and comes back. */
export async function losePower({ redis }: Deployment): Promise<Report> {
  const bytes = await redis.losePower(Math.random() * AWAY_MS);
  return { text: `Redis loses its power, and the last ${bytes} bytes of its file`, atRisk: 0 };
}

/** Redis is killed, and comes back with all that it had. */
export async function crash({ redis }: Deployment): Promise<Report> {
  await redis.crash(Math.random() * AWAY_MS);
  return { text: 'Redis is killed', atRisk: 0 };
}

/** Redis answers nothing for a moment, and then all that it was asked. */
export async function freeze({ redis }: Deployment): Promise<Report> {
  await redis.freeze(FREEZE_MS);
  return { text: `Redis is frozen for ${FREEZE_MS} ms`, atRisk: 0 };
}

/** A replica is told to stop, and started again; `meanwhile` goes wrong while it is away. */
export async function stop(
  deployment: Deployment,
  replica: Replica,
  meanwhile: Fault = pause,
): Promise<Report> {
  await replica.terminate();
  await meanwhile(deployment, replica);
  return { text: `${replica.name} is stopped`, atRisk: await replica.restart() };
}

/** A replica is killed while it answers, and started again; `meanwhile` goes wrong while it is away. */
export async function kill(
  deployment: Deployment,
  replica: Replica,
  meanwhile: Fault = pause,
): Promise<Report> {
  await replica.kill();
  await meanwhile(deployment, replica);
  return { text: `${replica.name} is killed`, atRisk: await replica.restart() };
}

/** A replica is killed when nobody waits for it and Redis has everything on its disk, which costs nothing. */
export async function killIdle({ clients, redis }: Deployment, replica: Replica): Promise<Report> {
  await clients.pause(replica.address);
  while (await replica.trouble()) await delay(20);
  redis.sync();
  await replica.kill();
  await aWhile(AWAY_MS);
  await replica.restart();
  clients.resume();
  return { text: `${replica.name} is killed while it is idle`, atRisk: 0 };
}

async function pause(): Promise<Report> {
  await aWhile(AWAY_MS);
  return { text: 'nothing', atRisk: 0 };
}
