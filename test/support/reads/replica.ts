import { cp } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import { errorCode } from '../../../src/files/atomic-write.ts';
import { openReads } from '../../../src/reads/open.ts';
import { afterTest } from '../after-test.ts';
import { writeFiles } from '../catalogs.ts';
import { keepingLog } from './stores.ts';

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

/** A counter with a state directory of its own or a copy of another one, as in another process. */
export async function openReplica(
  t: TestContext,
  redis: { url: string },
  saved?: string,
  flushIntervalMs = 20,
) {
  const stateDir = saved ? await copyOf(t, saved) : await writeFiles(t, {});
  const { messages, ...log } = keepingLog();
  const counter = await openReads(
    { stateDir, redisUrl: [redis.url], redisPrefix: 'vitrine', flushIntervalMs },
    log,
  );
  afterTest(t, () => counter.close().catch(() => {}));
  return { counter, stateDir, messages };
}
