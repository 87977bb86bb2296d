/**
 * Measures Vitrine beside other servers, and its start, its memory and its reloads. `npm run bench -- --help` tells more.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tellAndExit } from './bench/command-line.ts';
import { requireCpuTimes } from './bench/cpu.ts';
import { describeMachine } from './bench/machine.ts';
import { programPath } from './bench/node-server.ts';
import { HELP, type Options, readOptions } from './bench/options.ts';
import { chart } from './bench/output/chart.ts';
import { markdown } from './bench/output/markdown.ts';
import { formatResults } from './bench/output/report.ts';
import { measureAlone } from './bench/parts/alone.ts';
import { measureRequests } from './bench/parts/requests.ts';
import { installPeers } from './bench/peers.ts';
import { failuresIn, type Results } from './bench/results.ts';
import { omissions } from './bench/servers.ts';

/** The size of the catalogs over which the chart and the README show all servers: the largest one that all servers can bear. */
const CHART_SIZE = 10_000;

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (!options) return void process.stdout.write(HELP);
  requireCpuTimes();
  if (options.parts.includes('requests') && !options.isQuick) installPeers();
  const results = await measure(options);
  process.stdout.write(formatResults(results));
  write(results, options);
  const failures = failuresIn(results);
  if (failures.length === 0) return;
  throw new Error(`${failures.length} ANSWERS WERE NOT AS EXPECTED\n${failures.slice(0, 10).join('\n')}`);
}

async function measure(options: Options): Promise<Results> {
  const { isQuick, parts, cases, plan } = options;
  const date = new Date().toISOString();
  const wanted = parts.includes('requests') ? options.servers : [];
  const servers = wanted.filter(server => server.absence() === undefined);
  const onCase = (name: string, size: number) => tell(`${name}, ${size} news`);
  const requests = await measureRequests({ ...plan, servers, cases, onCase });
  const isAlone = parts.some(part => part !== 'requests');
  return {
    date,
    isQuick,
    machine: describeMachine(),
    servers: Object.fromEntries(servers.map(({ name, description }) => [name, description])),
    omissions: omissions(wanted, cases, plan.sizes),
    requests,
    ...(isAlone
      ? await measureAlone(options, tell)
      : { metrics: [], search: [], starts: [], memory: [], reload: [] }),
  };
}

/** To the folder that was named, or where the project keeps the results of whole runs, or else to a new one. */
function write(results: Results, { out, isPartial }: Options): void {
  const dir = out ?? (isPartial ? mkdtempSync(join(tmpdir(), 'vitrine-bench-')) : programPath('.'));
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  const sizes = [...new Set(results.requests.map(({ size }) => size))];
  const size = sizes.findLast(size => size <= CHART_SIZE) ?? sizes[0];
  if (size !== undefined) {
    writeFileSync(join(dir, 'results.svg'), chart(results.requests, size));
    writeFileSync(join(dir, 'results.md'), `${markdown(results, size)}\n`);
  }
  process.stdout.write(`\nwritten to ${dir}\n`);
}

function tell(what: string): void {
  process.stderr.write(`${what}\n`);
}

main(process.argv.slice(2)).catch(tellAndExit);
