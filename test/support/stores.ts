import { cp } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import { errorCode } from '../../src/files/atomic-write.ts';
import { exportCounts } from '../../src/reads/import-export.ts';
import { openReads } from '../../src/reads/open.ts';
import { afterTest } from './after-test.ts';
import { writeFiles } from './catalogs.ts';
import { startRedis } from './redis.ts';
import { skipWithout } from './skipping.ts';

/** So long that nothing is flushed but by the test itself. */
export const NEVER = 3_600_000;

/** A log that keeps its messages, each with its level. */
export function keepingLog() {
  const messages: string[] = [];
  const at = (level: string) => (message: string) => void messages.push(`${level}: ${message}`);
  return { messages, info: at('info'), warn: at('warn'), error: at('error') };
}

/** A state directory of the test's own. */
export async function startFileStore(t: TestContext) {
  const { place, ...opened } = await openerIn(t, []);
  const saved = async (): Promise<Record<string, number>> => JSON.parse(await exportCounts(place)).counts;
  return { place, ...opened, saved };
}

/** A Redis of the test's own, and a state directory. */
export async function startRedisStore(t: TestContext) {
  const redis = await startRedis(t);
  return { ...(await openerIn(t, [redis.url])), saved: redis.counts, redis };
}

/** Every implementation of the read counter. */
export const stores = [
  { name: 'the file', skip: false as const, start: startFileStore },
  { name: 'Redis', skip: skipWithout('redis-server'), start: startRedisStore },
];

/** Somewhere to count, for counters one after the other; they are closed after the test. */
async function openerIn(t: TestContext, redisUrl: string[], saved?: string) {
  const stateDir = saved ? await copyOf(t, saved) : await writeFiles(t, {});
  const place = { stateDir, redisUrl, redisPrefix: 'vitrine', flushIntervalMs: NEVER };
  const log = keepingLog();
  return {
    place,
    messages: log.messages,
    async open(flushIntervalMs = NEVER) {
      const counter = await openReads({ ...place, flushIntervalMs }, log);
      afterTest(t, () => counter.close().catch(() => {}));
      return counter;
    },
  };
}

/** A counter with a state directory of its own or a copy of another one, as in another process. */
export async function openReplica(t: TestContext, { url }: { url: string }, saved?: string, intervalMs = 20) {
  const { place, messages, open } = await openerIn(t, [url], saved);
  return { counter: await open(intervalMs), stateDir: place.stateDir, messages };
}

/** What a process leaves in its state directory that is killed now. */
export async function copyOf(t: TestContext, stateDir: string): Promise<string> {
  const copy = await writeFiles(t, {});
  try {
    await cp(stateDir, copy, { recursive: true });
    return copy;
  } catch (error) {
    // A save that goes on meanwhile has renamed a file.
    if (errorCode(error) !== 'ENOENT') throw error;
    return copyOf(t, stateDir);
  }
}
