import type { Redis } from 'ioredis';
import type { Deployment } from '../deployment.ts';
import { freePort } from '../free-port.ts';
import type { Random } from '../numbers.ts';
import { type Fault, lasting, type Report, spanOf } from './fault.ts';

/** Redis is killed, and comes back with all that it had. */
export const crash: Fault = async ({ redis }, random) => {
  await redis().crash(spanOf(random));
  return { text: 'Redis is killed' };
};

/** Redis loses its power, and what it wrote in its last second, and comes back. */
export const losePower: Fault = async ({ redis }, random) => {
  const bytes = await redis().losePower(spanOf(random));
  return { text: `Redis loses its power, and the last ${bytes} bytes of its file` };
};

/** Redis answers nothing for a moment, and then all that it was asked. */
export const freeze: Fault = async ({ redis }, random) => {
  const ms = spanOf(random);
  await redis().freeze(ms);
  return { text: `Redis is frozen for ${ms} ms` };
};

/** Redis wants a password that nobody knows. */
export const wrongPassword: Fault = (deployment, random) =>
  change(
    deployment,
    random,
    'Redis wants a password',
    async client => {
      await client.config('SET', 'requirepass', 'unknown');
      await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    },
    client => client.config('SET', 'requirepass', ''),
  );

/** Redis refuses to write, for it has too little memory. */
export const outOfMemory: Fault = (deployment, random) =>
  change(
    deployment,
    random,
    'Redis is out of memory',
    client => client.config('SET', 'maxmemory', '1'),
    client => client.config('SET', 'maxmemory', '0'),
  );

/** Redis refuses to write, for it follows a primary, which is gone. */
export const readOnly: Fault = async (deployment, random) => {
  const port = await freePort();
  return change(
    deployment,
    random,
    'Redis is read-only',
    client => client.replicaof('127.0.0.1', port),
    client => client.replicaof('NO', 'ONE'),
  );
};

/** Changes Redis for a while. */
async function change(
  { redis }: Deployment,
  random: Random,
  what: string,
  begin: (client: Redis) => Promise<unknown>,
  end: (client: Redis) => Promise<unknown>,
): Promise<Report> {
  return redis().ask(async client => {
    await begin(client);
    const howLong = await lasting(random);
    await end(client);
    return { text: `${what} ${howLong}` };
  });
}
