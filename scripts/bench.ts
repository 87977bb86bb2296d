/**
 * Compares the CPU time of requests with other servers, and measures start and memory of Vitrine. A whole run takes a
 * quarter of an hour, installs json-server, and writes scripts/bench/results.md:
 *
 *   npm run bench
 *   npm run bench -- --quick    a rough run of a few minutes, which installs and writes nothing
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { findProgram } from '../test/support/replicas/find-program.ts';
import { temporaryDirectory } from '../test/support/replicas/programs.ts';
import { generateCatalog } from './bench/catalog/catalog.ts';
import { full, quick } from './bench/plan.ts';
import { measureRequests, type RequestResult } from './bench/requests.ts';
import { benchPath, installPeer, isPeerInstalled, servers } from './bench/servers.ts';
import { type MemoryResult, measureMemory, measureStarts, type StartResult } from './bench/starts.ts';
import { figure } from './bench/statistics.ts';

if (!existsSync('/proc/self/schedstat'))
  throw new Error('the bench reads CPU times from /proc: run it on Linux');
const isQuick = process.argv.includes('--quick');
const plan = isQuick ? quick : full;
if (!isQuick) installPeer();

const date = new Date().toISOString().slice(0, 10);
const installed = servers.filter(server => server.isInstalled());
const [ascii, chinese] = [temporaryDirectory(), temporaryDirectory()];
await generateCatalog(ascii, { ...plan.large, text: 'ascii', seed: 1 });
await generateCatalog(chinese, { ...plan.large, text: 'chinese', seed: 1 });
const sample = benchPath('../../data/catalog');
const size = `${figure(plan.large.prices)} prices, ${figure(plan.large.news)} news`;
const dirs = { 'sample catalogs': sample, [size]: ascii, [`${size}, in Chinese`]: chinese };
const requests = await measureRequests(installed, plan);
const starts = await measureStarts(sample, ascii, size, plan);
const memory = await measureMemory(dirs, plan.idleMs);

const tables = [serverRows(requests), startRows(starts), memoryRows(memory)];
const text = `${[`${date}, ${machine()}:`, ...tables.map(table)].join('\n\n')}\n`;
console.log(text);
if (!isQuick) writeFileSync(benchPath('results.md'), text);
const failures = requests.flatMap(({ server, title, failures }) =>
  failures.map(failure => `${server}, ${title}: ${failure}`),
);
if (failures.length > 0)
  throw new Error(`${failures.length} unexpected answers:\n${failures.slice(0, 10).join('\n')}`);

/** The servers side by side. */
function serverRows(results: RequestResult[]): string[][] {
  const names = installed.map(({ name }) => name);
  const cell = (title: string, server: string) =>
    figure(results.find(item => item.title === title && item.server === server)?.cpuMicroseconds);
  const titles = [...new Set(results.map(({ title }) => title))];
  return [
    [`CPU time a request in µs, ${figure(plan.size)} news`, ...names],
    ...titles.map(title => [title, ...names.map(name => cell(title, name))]),
  ];
}

function startRows(results: StartResult[]): string[][] {
  const [fastify] = results;
  return [
    ['Start until it listens', 'ms', '', '× Fastify', 'starts'],
    ...results.map(({ what, median, least, most, starts }) => [
      what,
      ...[figure(median), `${figure(least)}..${figure(most)}`, figure(fastify && median / fastify.median)],
      String(starts),
    ]),
  ];
}

function memoryRows(results: MemoryResult[]): string[][] {
  return [
    ['Memory, after loading', 'files MB', 'RSS MB', 'growth × files'],
    ...results.map(({ what, fileBytes, residentBytes, bytesPerByte }) => [
      what,
      ...[fileBytes / 1e6, residentBytes / 1e6, bytesPerByte].map(figure),
    ]),
  ];
}

function table([head = [], ...rows]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** What the figures depend on: `AMD EPYC, 2 cores, 24 GB, Debian …, Linux 6.1.0; vitrine 0.1.0, node 20.20.2`. */
function machine(): string {
  const versionOf = (dir: string) =>
    JSON.parse(readFileSync(benchPath(`${dir}/package.json`), 'utf8')).version;
  const [, system = 'unknown system'] = existsSync('/etc/os-release')
    ? (/^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [])
    : [];
  const nginx = findProgram('nginx');
  const { stderr = '' } = nginx ? spawnSync(nginx, ['-v'], { encoding: 'utf8' }) : {};
  return [
    `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB`,
    `, ${system}, ${type()} ${release()}; vitrine ${versionOf('../..')}, node ${process.versions.node}`,
    `, fastify ${versionOf('../../node_modules/fastify')}`,
    isPeerInstalled() ? `, json-server ${versionOf('peers/node_modules/json-server')}` : '',
    nginx ? `, nginx ${/\/(\S+)/.exec(stderr)?.[1]}` : '',
  ].join('');
}
