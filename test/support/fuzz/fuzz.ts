import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Random, seededRandom } from '../../../scripts/bench/catalog/random.ts';

/** The files of a case by name, their bytes one per character (latin1). */
export type Case = Record<string, string>;

/** Something to fuzz; the corpus has a folder for each. */
export interface Target {
  name: 'requests' | 'catalogs' | 'states';
  /** A mutated case; the same one for the same random numbers. */
  draw(random: Random): Case;
  /** Runs a case and returns its outcomes, to be counted. @throws where a promise is broken. */
  run(item: Case): Promise<string[]>;
}

const corpus = fileURLToPath(new URL('corpus', import.meta.url));

/** Text as the bytes of its UTF-8, one per character. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** The named cases of a target: a folder each, with the files of the case. */
export function namedCases(target: Target['name']): [name: string, Case][] {
  return readdirSync(join(corpus, target)).map(name => [name, readCase(join(corpus, target, name))]);
}

/** The files of a folder and of those in it. */
export function readCase(dir: string): Case {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map(path => [relative(dir, path), readFileSync(path, 'latin1')]));
}

/** Writes the files of a case into a folder, which is made where it is missing. */
export function writeCase(dir: string, item: Case): void {
  for (const [file, text] of Object.entries(item)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text, 'latin1');
  }
}

/**
 * Runs mutated cases for some seconds. Case N from seed S is the first case from seed S + N. A failure names this seed,
 * and a folder with the case that may be moved into the corpus.
 */
export async function fuzz(t: TestContext, target: Target, seed: number, seconds: number): Promise<void> {
  const outcomes: Record<string, number> = {};
  const end = performance.now() + seconds * 1000;
  let cases = 0;
  for (; performance.now() < end; cases += 1) {
    const item = target.draw(seededRandom(seed + cases));
    try {
      for (const outcome of await target.run(item)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    } catch (error) {
      const dir = mkdtempSync(join(tmpdir(), `vitrine-fuzz-${target.name}-`));
      writeCase(dir, item);
      assert.fail(`FUZZ_SEED=${seed + cases} ${dir}: ${error}`);
    }
  }
  t.diagnostic(`${cases} cases from seed ${seed}; outcomes: ${JSON.stringify(outcomes)}`);
}
