/**
 * Compares the CPU time of requests with other servers, and measures start and memory of Vitrine. A whole run takes a
 * quarter of an hour, and writes scripts/bench/results.md:
 *
 *   npm run bench
 *   npm run bench -- --quick    a rough run of two minutes, which writes nothing
 *
 * It needs Linux and nginx, and installs json-server if it is missing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { findProgram } from '../test/support/programs.ts';
import { generateCatalog } from './bench/catalog.ts';
import { measureRequests, median } from './bench/requests.ts';
import { benchPath, servers, temporaryDirectory } from './bench/servers.ts';
import { measureCatalog, measureStarts } from './bench/starts.ts';

const isQuick = process.argv.includes('--quick');
const plan = isQuick
  ? { size: 1000, warmUpMs: 300, rounds: 2, roundMs: 50, idleMs: 300, prices: 10_000, starts: 1 }
  : { size: 10_000, warmUpMs: 2000, rounds: 11, roundMs: 200, idleMs: 20_000, prices: 100_000, starts: 7 };

const nginx = findProgram('nginx');
if (!nginx || !existsSync('/proc/self/schedstat')) throw new Error('the bench needs Linux and nginx');
if (!existsSync(benchPath('peers/node_modules'))) execFileSync('npm', ['ci'], { cwd: benchPath('peers') });

const tables = [await requestRows(), await startRows()];
const date = new Date().toISOString().slice(0, 10);
const text = `${[`${date}, ${machine(nginx)}:`, ...tables.map(table)].join('\n\n')}\n`;
console.log(text);
if (!isQuick) writeFileSync(benchPath('results.md'), text);

/** The servers side by side. */
async function requestRows(): Promise<string[][]> {
  const results = await measureRequests(plan);
  return [
    [`CPU time a request in µs, ${figure(plan.size)} news`, ...servers.map(({ name }) => name)],
    ...results.map(({ title, microseconds }) => [
      title,
      ...servers.map(server => figure(microseconds.get(server))),
    ]),
  ];
}

async function startRows(): Promise<string[][]> {
  const size = { news: plan.size, prices: plan.prices };
  const [sample, ascii, chinese] = [
    await temporaryDirectory(),
    await temporaryDirectory(),
    await temporaryDirectory(),
  ];
  cpSync(benchPath('../../data/catalog'), sample, { recursive: true });
  await generateCatalog(ascii, { ...size, text: 'ascii' });
  await generateCatalog(chinese, { ...size, text: 'chinese' });
  const dirs = [sample, ascii, chinese];
  const [fastify = 0, ...starts] = (await measureStarts(dirs, plan.starts)).map(median);
  const catalogs = [];
  for (const dir of dirs) catalogs.push(await measureCatalog(dir, plan.idleMs, plan.starts));
  const [least = { residentBytes: 0, fileBytes: 0 }] = catalogs;
  const large = `Vitrine, ${figure(plan.prices)} prices, ${figure(plan.size)} news`;
  return [
    [
      'Start, memory, change',
      'start ms',
      '× Fastify',
      'files MB',
      'RSS MB',
      'growth × files',
      'change live ms',
    ],
    ['Fastify with one route', figure(fastify), '1', '-', '-', '-', '-'],
    ...catalogs.map(({ fileBytes, residentBytes, changeMs }, index) => {
      const growth = (residentBytes - least.residentBytes) / (fileBytes - least.fileBytes);
      const start = starts[index] ?? 0;
      const title = ['Vitrine, sample catalogs', large, `${large}, in Chinese`][index] ?? '';
      const figures = [
        start,
        start / fastify,
        fileBytes / 1e6,
        residentBytes / 1e6,
        growth,
        median(changeMs),
      ];
      return [title, ...figures.map(figure)];
    }),
  ];
}

function table([head = [], ...rows]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** What the figures depend on: `AMD EPYC, 2 cores, 24 GB, Debian …, Linux 6.1.0; vitrine 0.1.0, node 20.20.2, …`. */
function machine(nginx: string): string {
  const versionOf = (dir: string) =>
    JSON.parse(readFileSync(benchPath(`${dir}/package.json`), 'utf8')).version;
  const [, system] = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  const { stderr } = spawnSync(nginx, ['-v'], { encoding: 'utf8' });
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${gigabytes} GB, ${system}, ${type()} ${release()}`,
    `; vitrine ${versionOf('../..')}, node ${process.versions.node}`,
    `, fastify ${versionOf('../../node_modules/fastify')}`,
    `, json-server ${versionOf('peers/node_modules/json-server')}, nginx ${/\/(\S+)/.exec(stderr)?.[1]}`,
  ].join('');
}

/** A number in three digits; a dash for none. */
function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '-';
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
