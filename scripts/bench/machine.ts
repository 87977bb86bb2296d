import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { nginxPath } from './nginx.ts';
import { programPath } from './node-server.ts';
import { arePeersInstalled } from './peers.ts';

/** What the figures of a run depend on, besides what was run. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  /** The versions of all that is measured, as far as it is installed. */
  versions: Record<string, string>;
}

/** `AMD EPYC, 2 cores, 24 GB, Debian GNU/Linux 12 (bookworm), Linux 6.1.0` */
export function formatMachine({ cpu, cores, memoryGb, system }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}`;
}

/** `vitrine 0.1.0, node 20.20.2` */
export function formatVersions({ versions }: Machine): string {
  return Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${distribution()}${type()} ${release()}`,
    versions: {
      vitrine: versionIn('../..'),
      node: process.versions.node,
      fastify: versionIn('../../node_modules/fastify'),
      ...(arePeersInstalled() && peerVersions()),
      ...(nginxPath && { nginx: nginxVersion(nginxPath) }),
    },
  };
}

function distribution(): string {
  if (!existsSync('/etc/os-release')) return '';
  const [, name] = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  return name ? `${name}, ` : '';
}

function peerVersions(): Record<string, string> {
  const { dependencies } = packageIn('peers');
  const names = Object.keys(dependencies);
  return Object.fromEntries(names.map(name => [name, versionIn(`peers/node_modules/${name}`)]));
}

function versionIn(dir: string): string {
  return packageIn(dir).version;
}

function packageIn(dir: string) {
  return JSON.parse(readFileSync(programPath(`${dir}/package.json`), 'utf8'));
}

/** nginx tells its version on standard error. */
function nginxVersion(path: string): string {
  const { stderr } = spawnSync(path, ['-v'], { encoding: 'utf8' });
  return /\/(\S+)/.exec(stderr)?.[1] ?? 'unknown';
}
