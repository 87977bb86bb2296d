import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { programPath } from './node-server.ts';

/** Whether json-server is installed, in the version of its lock file. */
export function isPeerInstalled(): boolean {
  const timeOf = (file: string) =>
    statSync(programPath(`peers/${file}`), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return timeOf('node_modules/.package-lock.json') >= timeOf('package-lock.json');
}

/** Installs json-server if it is missing. */
export function installPeer(): void {
  if (isPeerInstalled()) return;
  const dir = programPath('peers');
  process.stderr.write(`installing json-server in ${dir}\n`);
  const { status } = spawnSync('npm', ['ci'], { cwd: dir, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.stderr.write('installation failed: the bench leaves it out\n');
}
