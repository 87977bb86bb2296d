import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from '../deployment.ts';
import { shuffle } from '../numbers.ts';
import { startProxy } from '../proxy.ts';
import { type RedisServer, startRedis } from '../redis.ts';
import { type Fault, lasting } from './fault.ts';

/** The replica of Redis is promoted when it lags behind: writes since then are lost with the primary. */
export const failover: Fault = async (deployment, random) => {
  const { heir, link } = await startHeir(deployment);
  link.hold('replies');
  const lag = await lasting(random);
  await promote(heir);
  await link.stop();
  await deployment.replaceRedis(heir);
  return { text: `Redis fails over to a replica that has heard nothing ${lag}` };
};

/** Some replicas count in the old primary and some in the new one, until one of them is thrown away with its counts. */
export const splitBrain: Fault = async (deployment, random) => {
  const { heir, link } = await startHeir(deployment);
  await promote(heir);
  await link.stop();
  const [first, ...others] = shuffle(deployment.replicas, random);
  const moved = [first, ...others.filter((_, index) => index === 0 && random() < 0.5)];
  for (const replica of moved) replica?.proxy.leadTo(heir.port);
  const howLong = await lasting(random);
  if (random() < 0.5) {
    await deployment.replaceRedis(heir);
    return { text: `there are two primaries ${howLong}, and the new one wins` };
  }
  for (const replica of moved) replica?.proxy.leadTo(deployment.redis().port);
  await heir.stop();
  return { text: `there are two primaries ${howLong}, and the old one wins` };
};

/** Starts a replica of Redis that has all its data, and the line on which it hears more. */
async function startHeir({ redis }: Deployment) {
  const link = await startProxy(redis().port);
  const heir = await startRedis();
  await heir.ask(async client => {
    await client.replicaof('127.0.0.1', link.port);
    while (!isInSync(await client.info())) await delay(10);
  });
  return { heir, link };
}

/** Whether a replica has everything, and has written it to a file of its own. */
function isInSync(info: string): boolean {
  return ['master_link_status:up', 'aof_rewrite_in_progress:0', 'aof_rewrite_scheduled:0'].every(line =>
    info.includes(line),
  );
}

async function promote(heir: RedisServer): Promise<void> {
  await heir.ask(client => client.replicaof('NO', 'ONE'));
  heir.sync();
}
