import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from './node-server.ts';

/** Whether the other servers are installed, in the versions of their lock file. */
export const arePeersInstalled = () => isInstalled('peers', 'package-lock.json');

/** Whether the content management systems are installed, in the versions of their package.json. */
export const isCmsInstalled = () => isInstalled('cms', 'package.json');

/** Installs the other servers if they are missing. It takes a minute: one of them is compiled. */
export function installPeers(): void {
  if (arePeersInstalled()) return;
  const dir = programPath('peers');
  process.stderr.write(`installing the other servers in ${dir}\n`);
  const { status } = spawnSync('npm', ['ci'], { cwd: dir, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.stderr.write('installation failed: the bench leaves them out\n');
}

function isInstalled(folder: string, versions: string): boolean {
  const timeOf = (file: string) =>
    statSync(programPath(join(folder, file)), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return timeOf('node_modules/.package-lock.json') >= timeOf(versions);
}
