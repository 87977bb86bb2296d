import type { TestContext } from 'node:test';
import { type Random, seededRandom } from '../../../scripts/bench/catalog/random.ts';
import { type Case, keepCase, type TargetName } from './cases.ts';

/** Something to fuzz. */
export interface Target {
  name: TargetName;
  /** A mutated case; the same one for the same random numbers. */
  draw(random: Random): Case;
  /** Runs a case and returns its outcomes, to be counted. @throws where a promise is broken. */
  run(item: Case): Promise<string[]>;
}

/** More findings than these nobody reads at once. */
const MAX_FINDINGS = 20;
/** For how long smaller cases are tried for one that fails, in ms. */
const SHRINK_MS = 30_000;

/**
 * Runs mutated cases for some seconds. Case N from seed S is the first case from seed S + N. Returns one
 * finding of each kind: its seed, the folder of a smaller case that fails alike, and what is wrong.
 */
export async function fuzz(t: TestContext, target: Target, seed: number, seconds: number): Promise<string[]> {
  const outcomes = new Map<string, number>();
  const findings = new Map<string, string>();
  const end = performance.now() + seconds * 1000;
  let cases = 0;
  for (; performance.now() < end && findings.size < MAX_FINDINGS; cases += 1) {
    const item = target.draw(seededRandom(seed + cases));
    const fault = await faultOf(target, item, outcomes);
    if (!fault || findings.has(kindOf(fault))) continue;
    // The empty case is in order, unless nothing is any more.
    const isLast = (await faultOf(target, {})) !== undefined;
    const dir = keepCase(target.name, isLast ? item : await shrink(target, item, kindOf(fault)));
    findings.set(kindOf(fault), `FUZZ_SEED=${seed + cases} ${dir}: ${fault.message.split('\n')[0]}`);
    t.diagnostic(findings.get(kindOf(fault)) ?? '');
    if (isLast) break;
  }
  const counted = Object.fromEntries([...outcomes].sort(([, one], [, other]) => other - one));
  t.diagnostic(
    `${cases} cases from seed ${seed}, ${findings.size} findings; outcomes: ${JSON.stringify(counted)}`,
  );
  return [...findings.values()];
}

async function faultOf(
  target: Target,
  item: Case,
  outcomes?: Map<string, number>,
): Promise<Error | undefined> {
  try {
    for (const outcome of await target.run(item)) outcomes?.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Faults of one kind differ in numbers and in what they quote. */
function kindOf({ message }: Error): string {
  return message.replace(/\d+|"[^"]*"|'[^']*'/g, '').slice(0, 50);
}

/** Removes ever smaller ranges of the files for as long as the fault stays of its kind. */
async function shrink(target: Target, item: Case, kind: string): Promise<Case> {
  const end = performance.now() + SHRINK_MS;
  let smallest = item;
  for (const [file, { length: longest }] of Object.entries(item)) {
    for (let length = longest; length >= 1; length = Math.floor(length / 2)) {
      for (let at = 0; at < (smallest[file] ?? '').length && performance.now() < end; ) {
        const text = smallest[file] ?? '';
        const smaller = { ...smallest, [file]: text.slice(0, at) + text.slice(at + length) };
        const fault = await faultOf(target, smaller);
        if (fault && kindOf(fault) === kind) smallest = smaller;
        else at += length;
      }
    }
  }
  return smallest;
}
