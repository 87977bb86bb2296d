import { join } from 'node:path';
import type { ReadCounter } from './counter.ts';
import { countsForm } from './counts.ts';
import { systemDisk } from './disk.ts';
import { openFileCounter } from './file-counter.ts';
import type { Log } from './log.ts';
import { openStateFile } from './state-file.ts';
import { takeState } from './state-lock.ts';

/** The settings that say where reads are counted. */
export interface ReadsPlace {
  stateDir: string;
  flushIntervalMs: number;
}

/**
 * Takes the state directory, and goes on counting where the last process stopped.
 * @throws Error where the directory cannot be made, or another process has it.
 */
export async function openReads({ stateDir, flushIntervalMs }: ReadsPlace, log: Log): Promise<ReadCounter> {
  const giveBack = await takeState(stateDir, log);
  const file = openStateFile(join(stateDir, 'read-counts.json'), countsForm, log, systemDisk);
  const counter = await openFileCounter(file, flushIntervalMs, log);
  return { ...counter, close: () => counter.close().finally(giveBack) };
}
