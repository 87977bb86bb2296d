import type { TestContext } from 'node:test';
import { openConnection } from '../../../src/reads/redis/connection.ts';
import { afterTest } from '../after-test.ts';
import { keepingLog } from './stores.ts';

/** `add` adds a number to a count, and returns the sum. */
export const SCRIPTS = {
  add: `
    redis.call('ZADD', KEYS[2], 1, ARGV[1])
    return redis.call('HINCRBY', KEYS[1], ARGV[1], ARGV[2])`,
};

/** Opens a connection that closes with the test. `ready` counts the calls of its listener. */
export async function openConnectionTo(t: TestContext, redisUrl: string[], redisPrefix = 'vitrine') {
  const { messages, ...log } = keepingLog();
  let ready = 0;
  const connection = await openConnection({ redisUrl, redisPrefix }, SCRIPTS, log);
  afterTest(t, connection.close);
  connection.onReady(() => {
    ready += 1;
  });
  return { connection, messages, ready: () => ready };
}
