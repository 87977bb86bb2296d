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
import { findProgram, temporaryDirectory } from '../test/support/programs.ts';
import { full, quick } from './bench/cases.ts';
import { generateCatalog } from './bench/catalog.ts';
import { quantile } from './bench/load.ts';
import { measureRequests } from './bench/requests.ts';
import { benchPath, installedServers } from './bench/servers.ts';
import { measureMemory, measureStarts } from './bench/starts.ts';

if (!existsSync('/proc/self/schedstat'))
  throw new Error('the bench reads CPU times from /proc: run it on Linux');
const isQuick = process.argv.includes('--quick');
const plan = isQuick ? quick : full;

const date = new Date().toISOString().slice(0, 10);
const servers = installedServers(isQuick);
const sample = benchPath('../../data/catalog');
const [ascii, chinese] = [temporaryDirectory(), temporaryDirectory()];
await generateCatalog(ascii, { ...plan.large, text: 'ascii', seed: 1 });
await generateCatalog(chinese, { ...plan.large, text: 'chinese', seed: 1 });
const size = `${figure(plan.large.prices)} prices, ${figure(plan.large.news)} news`;
const requests = await measureRequests(servers, plan);

const tables = [requestRows(), await startRows(), await memoryRows()];
const text = `${[`${date}, ${machine()}:`, ...tables.map(table)].join('\n\n')}\n`;
console.log(text);
if (!isQuick) writeFileSync(benchPath('results.md'), text);
const failures = requests.flatMap(({ server, title, failures }) =>
  failures.map(failure => `${server}, ${title}: ${failure}`),
);
if (failures.length > 0)
  throw new Error(`${failures.length} unexpected answers:\n${failures.slice(0, 10).join('\n')}`);

/** The servers side by side. */
function requestRows(): string[][] {
  const names = servers.map(({ name }) => name);
  const cell = (title: string, server: string) =>
    figure(requests.find(item => item.title === title && item.server === server)?.cpuMicroseconds);
  const titles = [...new Set(requests.map(({ title }) => title))];
  return [
    [`CPU time a request in µs, ${figure(plan.size)} news`, ...names],
    ...titles.map(title => [title, ...names.map(name => cell(title, name))]),
  ];
}

async function startRows(): Promise<string[][]> {
  const times = Object.entries(await measureStarts(sample, ascii, size, plan));
  const [[, fastify] = ['', []]] = times;
  return [
    ['Start until it listens', 'ms', '', '× Fastify', 'starts'],
    ...times.map(([what, all]) => {
      const median = quantile(all, 0.5);
      const range = `${figure(quantile(all, 0))}..${figure(quantile(all, 1))}`;
      return [what, figure(median), range, figure(median / quantile(fastify, 0.5)), String(all.length)];
    }),
  ];
}

async function memoryRows(): Promise<string[][]> {
  const rows = [['Memory, after loading', 'files MB', 'RSS MB', 'growth × files']];
  const first = await measureMemory(sample, plan.idleMs);
  rows.push(['sample catalogs', figure(first.fileBytes / 1e6), figure(first.residentBytes / 1e6), '-']);
  for (const [what, dir] of [
    [size, ascii],
    [`${size}, in Chinese`, chinese],
  ] as const) {
    const { fileBytes, residentBytes } = await measureMemory(dir, plan.idleMs);
    const growth = (residentBytes - first.residentBytes) / (fileBytes - first.fileBytes);
    rows.push([what, ...[fileBytes / 1e6, residentBytes / 1e6, growth].map(figure)]);
  }
  return rows;
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
  const peer = 'peers/node_modules/json-server';
  const nginx = findProgram('nginx');
  const { stderr = '' } = nginx ? spawnSync(nginx, ['-v'], { encoding: 'utf8' }) : {};
  return [
    `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB`,
    `, ${system}, ${type()} ${release()}; vitrine ${versionOf('../..')}, node ${process.versions.node}`,
    `, fastify ${versionOf('../../node_modules/fastify')}`,
    existsSync(benchPath(peer)) ? `, json-server ${versionOf(peer)}` : '',
    nginx ? `, nginx ${/\/(\S+)/.exec(stderr)?.[1]}` : '',
  ].join('');
}

/** A number in three digits; a dash for none. */
function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '-';
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
