import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { compareAll } from '../../../src/reads/redis/compare.ts';
import { openConnection } from '../../../src/reads/redis/connection.ts';
import { openLedger } from '../../../src/reads/redis/ledger.ts';
import { SCRIPTS } from '../../../src/reads/redis/scripts.ts';
import { openSession } from '../../../src/reads/redis/session.ts';
import { afterTest } from '../after-test.ts';
import type { startRedis } from '../redis.ts';
import { keepingLog } from './stores.ts';

export const COUNTS = 'vitrine:{reads}:counts';

export type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** What one process knows and sends, which has compared its rows with Redis. `owner` is that of the process before. */
export async function join(
  t: TestContext,
  redis: TestRedis,
  column: string,
  rows: Record<number, string> = {},
  owner?: string,
) {
  const { messages, ...log } = keepingLog();
  const connection = await openConnection({ redisUrl: [redis.url], redisPrefix: 'vitrine' }, SCRIPTS, log);
  afterTest(t, connection.close);
  const ledger = openLedger(new Map(Object.entries(rows).map(([id, row]) => [Number(id), row])), column);
  const session = openSession(connection, ledger, owner);
  messages.length = 0;
  const read = async (id: number, floor = 100) => {
    let count: number | undefined;
    ledger.add(id, floor, received => (count = received));
    assert.ok(await session.send(ledger.take()));
    return count;
  };
  const compare = () => compareAll(session, ledger, log);
  await compare();
  return { connection, ledger, session, messages, read, compare };
}
