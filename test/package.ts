import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const execute = promisify(execFile);

export const root = fileURLToPath(new URL('..', import.meta.url));

/** What `npm pack` tells of a package; sizes in bytes. */
export interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}

/** Packs the project as it is built, as `npm pack` does, into a directory. */
export async function pack(dir: string): Promise<Packed> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', dir];
  const { stdout } = await execute('npm', args, { cwd: root });
  const [packed] = JSON.parse(stdout);
  return packed;
}

/** The lines of the block in this language under a heading of the README. */
export function readmeBlock(heading: string, language: string): string[] {
  const [, section = ''] = readFileSync(new URL('../README.md', import.meta.url), 'utf8').split(
    `\n## ${heading}\n`,
  );
  const [, code = ''] = section.split(`\n\`\`\`${language}\n`);
  return code.split('\n```')[0]?.split('\n') ?? [];
}
