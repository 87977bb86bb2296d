import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { nginxPath } from './nginx.ts';
import { programPath } from './node-server.ts';
import { isPeerInstalled } from './peers.ts';

/** What the figures depend on: `AMD EPYC, 2 cores, 24 GB, Debian …, Linux 6.1.0; vitrine 0.1.0, node 20.20.2`. */
export function describeMachine(): string {
  const machine = [
    cpus()[0]?.model.trim() ?? 'unknown CPU',
    `${availableParallelism()} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GB`,
    ...distribution(),
    `${type()} ${release()}`,
  ];
  const versions = [
    `vitrine ${packageIn('../..').version}`,
    `node ${process.versions.node}`,
    `fastify ${packageIn('../../node_modules/fastify').version}`,
    ...(isPeerInstalled() ? [`json-server ${packageIn('peers/node_modules/json-server').version}`] : []),
    ...(nginxPath ? [nginxVersion(nginxPath)] : []),
  ];
  return `${machine.join(', ')}; ${versions.join(', ')}`;
}

function distribution(): string[] {
  if (!existsSync('/etc/os-release')) return [];
  return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.slice(1) ?? [];
}

function packageIn(dir: string) {
  return JSON.parse(readFileSync(programPath(`${dir}/package.json`), 'utf8'));
}

/** `nginx 1.22.1`; nginx prints its version to standard error. */
function nginxVersion(path: string): string {
  const { stderr } = spawnSync(path, ['-v'], { encoding: 'utf8' });
  return `nginx ${/\/(\S+)/.exec(stderr)?.[1]}`;
}
