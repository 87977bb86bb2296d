import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const execute = promisify(execFile);

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A folder with the packages that a project may have beside this one, in their oldest versions. CI installs it. */
export const oldestPackages = process.env.OLDEST_PACKAGES;

/** What `npm pack` says of a package; sizes in bytes. */
interface Packed {
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

/** A project with the package in it, unpacked, for all tests of a file, after which it is removed. */
export async function install(): Promise<{ dir: string; home: string; packed: Packed }> {
  const dir = await mkdtemp(join(tmpdir(), 'vitrine-'));
  after(() => rm(dir, { recursive: true, force: true }));
  const packed = await pack(dir);
  const home = join(dir, 'node_modules/vitrine');
  await mkdir(home, { recursive: true });
  await execute('tar', ['-xzf', packed.filename, '-C', home, '--strip-components', '1'], { cwd: dir });
  return { dir, home, packed };
}

/** Adds packages that this project has, or this one, to a project in a directory. */
export async function link(dir: string, ...packages: string[]): Promise<void> {
  for (const name of packages) {
    const path = join(dir, 'node_modules', name);
    await mkdir(dirname(path), { recursive: true });
    await symlink(name === 'vitrine' ? root : join(root, 'node_modules', name), path);
  }
}
