import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of a case by name, their bytes one per character (latin1). */
export type Case = Record<string, string>;

/** What is fuzzed; the corpus has a folder for each. */
export type TargetName = 'requests' | 'catalogs' | 'states';

const corpus = fileURLToPath(new URL('corpus', import.meta.url));

/** Text as the bytes of its UTF-8, one per character. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** The named cases of a target: a folder each, with the files of the case. */
export function namedCases(target: TargetName): [name: string, Case][] {
  return readdirSync(join(corpus, target)).map(name => [name, readCase(join(corpus, target, name))]);
}

/** The files of a folder and of those in it. */
export function readCase(dir: string): Case {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .map(path => [relative(dir, path), readFileSync(path, 'latin1')]),
  );
}

/** Writes a case to a new temporary folder, which may be moved into the corpus, and returns its path. */
export function keepCase(target: TargetName, item: Case): string {
  const dir = mkdtempSync(join(tmpdir(), `vitrine-fuzz-${target}-`));
  writeCase(dir, item);
  return dir;
}

/** Writes the files of a case into a folder, which is made where it is missing. */
export function writeCase(dir: string, item: Case): void {
  mkdirSync(dir, { recursive: true });
  for (const [file, text] of Object.entries(item)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text, 'latin1');
  }
}
