import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { previousPath } from '../../../src/files/atomic-write.ts';

const LOOK_MS = 20;

/**
 * Counts the answers of a replica, and knows which of them are sure to be in its state directory. Each save writes a file
 * of the next generation: what was answered while generation 5 was the last is in generation 7, whenever the writing of
 * generation 6 began.
 */
export function followAnswers(stateDir: string) {
  const path = join(stateDir, 'redis-counts.json');
  /** How many answers there were at least when a generation was seen last. */
  const seen = new Map<number, number>();
  let answers = 0;
  let before = 0;
  const timer = setInterval(() => void seen.set(generationOf(path), answers), LOOK_MS);

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
    saved(): number {
      const last = generationOf(path);
      const sure = [...seen].filter(([generation]) => generation <= last - 2);
      return Math.max(before, ...sure.map(([, answers]) => answers));
    },
    stop: () => clearInterval(timer),
  };
}

/** Between two files, the previous one counts; 0 without any. */
function generationOf(path: string): number {
  const text = [path, previousPath(path)].map(textOf).find(text => text !== '') ?? '';
  return Number(/"generation": ?(\d+)/.exec(text)?.[1] ?? 0);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
