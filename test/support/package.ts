import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeFiles } from './catalogs.ts';

export const execute = promisify(execFile);

export const root = fileURLToPath(new URL('../..', import.meta.url));

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

/** A project with the package in it, unpacked, and some of the packages that this project has. */
export async function install(
  t: TestContext,
  ...packages: string[]
): Promise<{ dir: string; home: string; packed: Packed }> {
  const dir = await writeFiles(t, {});
  const packed = await pack(dir);
  const modules = join(dir, 'node_modules');
  const home = join(modules, 'vitrine');
  await mkdir(home, { recursive: true });
  await execute('tar', ['-xzf', packed.filename, '-C', home, '--strip-components', '1'], { cwd: dir });
  for (const name of packages) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  return { dir, home, packed };
}
