import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { previousPath } from '../../../src/files/atomic-write.ts';

/** The file of a replica that counts in Redis, and its name in earlier versions. */
const NAMES = ['redis-counts.json'];
const LOOK_MS = 20;

/** How far a replica has saved: the generation of its file, and the lines in the journal since. */
interface Position {
  generation: number;
  lines: number;
}

/**
 * Counts the answers of a replica, and tells which of them are sure to be in its state directory. Each flush appends a
 * line to the journal, one after the other, so that what was answered while line 5 was the last is in line 7, whenever
 * the writing of line 6 began. A new generation starts with an empty journal.
 */
export function followAnswers(stateDir: string) {
  const path = () => NAMES.map(name => join(stateDir, name)).find(path => existsSync(path)) ?? '';
  /** How many answers there were at least when a position was seen last. */
  const seen = new Map<string, { position: Position; answers: number }>();
  let answers = 0;
  let before = 0;
  const timer = setInterval(() => {
    const position = positionOf(path());
    if (position) seen.set(`${position.generation}:${position.lines}`, { position, answers });
  }, LOOK_MS);

  const saved = () => {
    const last = positionOf(path()) ?? { generation: 0, lines: 0 };
    const sure = [...seen.values()].filter(({ position }) => isSure(position, last));
    return Math.max(before, ...sure.map(({ answers }) => answers));
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
    stop: () => clearInterval(timer),
  };
}

/** Whether what was answered at a position is saved at the last one: two flushes later, or two generations. */
function isSure(position: Position, last: Position): boolean {
  if (position.generation === last.generation) return position.lines <= last.lines - 2;
  return position.generation <= last.generation - 2;
}

/** Undefined where the file has just been replaced, or there is none. Between two files, the previous one counts. */
function positionOf(path: string): Position | undefined {
  const generation = generationOf(path);
  const lines = textOf(`${path}.journal`).split('\n').length - 1;
  if (generation !== generationOf(path)) return undefined;
  if (generation !== undefined) return { generation, lines };
  const previous = generationOf(previousPath(path));
  return previous === undefined ? undefined : { generation: previous, lines: 0 };
}

function generationOf(path: string): number | undefined {
  const generation = /"generation": ?(\d+)/.exec(textOf(path))?.[1];
  return generation === undefined ? undefined : Number(generation);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
