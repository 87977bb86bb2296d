/** Compares Vitrine with other servers, and measures its start and its memory. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryDirectory } from '../test/support/replicas/programs.ts';
import type { Text } from './bench/catalog/words.ts';
import { reportAndExit } from './bench/command-line.ts';
import { requireCpuTimes } from './bench/cpu.ts';
import { describeMachine } from './bench/machine.ts';
import { programPath } from './bench/node-server.ts';
import { HELP, type Options, type PartName, readOptions } from './bench/options.ts';
import { markdown } from './bench/output/markdown.ts';
import { measureMemory } from './bench/parts/memory.ts';
import { measureRequests } from './bench/parts/requests.ts';
import { measureStarts } from './bench/parts/start.ts';
import { installPeer } from './bench/peers.ts';
import { formatSize } from './bench/plan.ts';
import { failuresIn, type Results } from './bench/results.ts';
import { generateCatalog } from './generate-catalog.ts';

/** The README shows the servers over the largest catalogs that all of them can serve. */
const LARGEST_FOR_ALL = 10_000;

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (!options) return void process.stdout.write(HELP);
  requireCpuTimes();
  if (options.parts.includes('requests') && !options.isQuick) installPeer();
  const results = await measure(options);
  write(results, options.isPartial);
  const failures = failuresIn(results);
  if (failures.length === 0) return;
  throw new Error(`${failures.length} unexpected answers:\n${failures.slice(0, 10).join('\n')}`);
}

async function measure({ parts, servers, cases, plan }: Options): Promise<Results> {
  const date = new Date().toISOString();
  const installed = servers.filter(server => server.isInstalled());
  const sample = programPath('../../data/catalog');
  const { large } = plan;
  const catalog = async (text: Text) => {
    const dir = temporaryDirectory();
    await generateCatalog(dir, { ...large, text, seed: 1 });
    return dir;
  };
  const [ascii, chinese] = [await catalog('ascii'), await catalog('chinese')];
  const name = formatSize(large);
  const dirs = { 'sample catalogs': sample, [name]: ascii, [`${name}, in Chinese`]: chinese };
  const ifChosen = async <Result>(part: PartName, run: () => Promise<Result[]>) => {
    if (!parts.includes(part)) return [];
    console.error(part);
    return run();
  };
  return {
    date,
    machine: describeMachine(),
    servers: installed.map(server => server.name),
    requests: await ifChosen('requests', () => measureRequests(installed, cases, plan)),
    starts: await ifChosen('start', () => measureStarts(sample, ascii, plan)),
    memory: await ifChosen('memory', () => measureMemory(dirs, plan.idleMs)),
  };
}

/** Writes the results of a whole run beside the bench, and of any other to a new folder. */
function write(results: Results, isPartial: boolean): void {
  const dir = isPartial ? mkdtempSync(join(tmpdir(), 'vitrine-bench-')) : programPath('.');
  const sizes = [...new Set(results.requests.map(({ size }) => size))];
  const size = sizes.findLast(size => size <= LARGEST_FOR_ALL);
  const text = `${markdown(results, size)}\n`;
  writeFileSync(join(dir, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(dir, 'results.md'), text);
  console.log(`${text}\nResults are in ${dir}`);
}

main(process.argv.slice(2)).catch(reportAndExit);
