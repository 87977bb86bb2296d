import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { previousPath } from '../../../src/reads/file/atomic-write.ts';

const LOOK_MS = 20;

/**
 * Counts the answers of a replica, and tells which of them are sure to be in its state file. One generation of the file
 * is saved after the other, so that what was answered while generation 5 was still there is in generation 7, whenever
 * the saving of that began.
 */
export function followAnswers(stateDir: string) {
  const path = join(stateDir, 'redis-leftover.json');
  /** How many answers there were at least when a generation was seen last. */
  const seen = new Map<number, number>();
  let answers = 0;
  let before = 0;
  const timer = setInterval(() => {
    const generation = generationOf(path);
    if (generation !== undefined) seen.set(generation, answers);
  }, LOOK_MS);

  const saved = () => {
    const last = generationOf(path) ?? generationOf(previousPath(path)) ?? 0;
    const sure = [...seen].filter(([generation]) => generation <= last - 2).map(([, answers]) => answers);
    return Math.max(before, ...sure);
  };

  return {
    count(): void {
      answers += 1;
    },
    answers: () => answers,
    /** A new process has begun, which nothing that was answered before concerns. */
    begin(): void {
      before = answers;
      seen.clear();
    },
    /** How many answers, of all, the process has saved that has just died. */
    saved,
    /** Whether it has saved often enough by now for that to be more than what was answered before its start. */
    hasSaved(): boolean {
      return saved() > before;
    },
    stop: () => clearInterval(timer),
  };
}

/** The generation of a state file; undefined where it is missing, as it is for a moment whenever it is replaced. */
function generationOf(path: string): number | undefined {
  const start = Buffer.alloc(64);
  try {
    const file = openSync(path, 'r');
    readSync(file, start);
    closeSync(file);
  } catch {
    return undefined;
  }
  const generation = /"generation":(\d+)/.exec(start.toString('latin1'))?.[1];
  return generation === undefined ? undefined : Number(generation);
}
