import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from './node-server.ts';

const dir = programPath('peers');

/** Whether the other servers are installed, in the versions of their lock file. */
export function arePeersInstalled(): boolean {
  return timeOf('node_modules/.package-lock.json') >= timeOf('package-lock.json');
}

/** Installs the other servers if they are missing. It takes a minute: one of them is compiled. */
export function installPeers(): void {
  if (arePeersInstalled()) return;
  process.stderr.write(`installing the other servers in ${dir}\n`);
  const { status } = spawnSync('npm', ['ci'], { cwd: dir, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.stderr.write('installation failed: the bench leaves them out\n');
}

function timeOf(path: string): number {
  return statSync(join(dir, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
