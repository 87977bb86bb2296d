import type { Log } from '../messages.ts';
import type { ReadCounter } from './counter.ts';
import { openCountsFile, openFileCounter } from './file/file-counter.ts';
import { lockStateDir } from './file/lock.ts';
import { openJournal } from './redis/journal.ts';
import { openRedisClient } from './redis/redis-client.ts';
import { openRedisCounter } from './redis/redis-counter.ts';

/** The settings of where to count reads. */
export interface ReadsSettings {
  stateDir: string;
  /** Addresses of Redis; empty to count in this process alone. */
  redisUrl: string[];
  flushIntervalMs: number;
}

/**
 * Locks the state directory and goes on from the counts that the last process saved.
 * @throws Error if the directory cannot be created, another process uses it, its files cannot be read, or the package
 * ioredis is missing.
 */
export async function openReads(settings: ReadsSettings, log: Log): Promise<ReadCounter> {
  const { fault, release } = await lockStateDir(settings.stateDir, log);
  try {
    const counter = await openCounter(settings, log);
    const health = () => {
      const health = counter.health();
      return fault ? { ...health, reasons: [fault, ...health.reasons] } : health;
    };
    return { ...counter, health, close: () => counter.close().finally(release) };
  } catch (error) {
    await release();
    throw error;
  }
}

async function openCounter(settings: ReadsSettings, log: Log): Promise<ReadCounter> {
  const { stateDir, redisUrl, flushIntervalMs } = settings;
  if (redisUrl.length === 0) return openFileCounter(openCountsFile(stateDir, log), flushIntervalMs, log);
  const client = await openRedisClient(redisUrl);
  return openRedisCounter(client, openJournal(stateDir, log), flushIntervalMs, log).catch(error => {
    // An open connection keeps the process alive.
    client.close();
    throw error;
  });
}
