import { join } from 'node:path';
import type { ReadCounter } from './counter.ts';
import { countsForm } from './counts.ts';
import { openFileCounter } from './file-counter.ts';
import type { Log } from './log.ts';
import { leftoverForm } from './redis/leftover.ts';
import { openRedisLink } from './redis/link.ts';
import { openRedisCounter } from './redis-counter.ts';
import { systemDisk } from './state/disk.ts';
import { openStateFile } from './state/file.ts';
import { takeState } from './state/lock.ts';

/** The settings that say where reads are counted. */
export interface ReadsPlace {
  stateDir: string;
  /** The addresses of Redis; none to count in this process alone. */
  redisUrl: string[];
  flushIntervalMs: number;
}

/**
 * Takes the state directory, and goes on counting where the last process stopped.
 * @throws Error where the directory cannot be made or another process has it, and where ioredis is missing.
 */
export async function openReads(place: ReadsPlace, log: Log): Promise<ReadCounter> {
  const giveBack = await takeState(place.stateDir, log);
  try {
    const counter = await openCounter(place, log);
    return { ...counter, close: () => counter.close().finally(giveBack) };
  } catch (error) {
    await giveBack();
    throw error;
  }
}

/** The file for people in a state directory. */
export function countsPath(stateDir: string): string {
  return join(stateDir, 'read-counts.json');
}

async function openCounter(
  { stateDir, redisUrl, flushIntervalMs }: ReadsPlace,
  log: Log,
): Promise<ReadCounter> {
  if (redisUrl.length === 0) {
    const file = openStateFile(countsPath(stateDir), countsForm, log, systemDisk);
    return openFileCounter(file, flushIntervalMs, log);
  }
  const file = openStateFile(join(stateDir, 'redis-leftover.json'), leftoverForm, log, systemDisk);
  const link = await openRedisLink(redisUrl);
  return openRedisCounter(link, file, flushIntervalMs, log).catch(error => {
    // It would keep the process alive.
    link.close();
    throw error;
  });
}
