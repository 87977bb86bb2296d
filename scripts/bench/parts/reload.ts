import { copyFile, cp, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeDirectory, temporaryDirectory } from '../../../test/support/replicas/programs.ts';
import { newsItem, newsPage, price } from '../cases.ts';
import { between, seededRandom } from '../catalog/random.ts';
import { requestOf } from '../load/connection.ts';
import { openLoop } from '../load/open-loop.ts';
import { type NodeServer, programPath, startVitrine } from '../node-server.ts';
import type { Plan } from '../plan.ts';
import { quantile } from '../statistics.ts';

const RATE = 500;
const WARM_UP_MS = 1000;

/** Answers to requests at a steady rate. */
export interface ReloadResult {
  what: string;
  /** How many changed catalogs the server loaded meanwhile. */
  reloads: number;
  answers: number;
  failures: string[];
  p99Ms: number;
  maxMs: number;
  /** The longest stop of the server's event loop. */
  serverStopMs: number;
  /** The longest stop of the client; latencies as short may be its own. */
  clientStopMs: number;
}

/** Measures Vitrine while its catalogs stay the same, and while those of two directories alternate. */
export async function measureReload(
  first: string,
  second: string,
  { large, reloadMs: ms, reloads }: Plan,
): Promise<ReloadResult[]> {
  const catalogDir = temporaryDirectory();
  await cp(first, catalogDir, { recursive: true });
  const log = openLog();
  const nodeArgs = ['--import', programPath('servers/event-loop-delay.mjs')];
  const vitrine = await startVitrine(catalogDir, { nodeArgs, onLine: log.onLine });
  const requests = mixedRequests(large);
  const load = (ms: number) => openLoop(requests, { port: vitrine.port, rate: RATE, ms });
  const measure = async (what: string): Promise<ReloadResult> => {
    await log.longestStop(vitrine);
    const before = log.reloads();
    const { latencies, failures, clientStopMs } = await load(ms);
    return {
      what,
      reloads: log.reloads() - before,
      answers: latencies.length,
      failures,
      p99Ms: quantile(latencies, 0.99),
      maxMs: quantile(latencies, 1),
      serverStopMs: await log.longestStop(vitrine),
      clientStopMs,
    };
  };
  try {
    await load(WARM_UP_MS);
    const same = await measure('catalogs stay the same');
    const changing = changeCatalogs(catalogDir, [second, first], reloads, ms / (reloads + 0.5));
    const [changed] = await Promise.all([measure('catalogs change'), changing]);
    return [same, changed];
  } finally {
    await vitrine.stop();
    removeDirectory(catalogDir);
  }
}

/** The log of a server: its reloads, and the delays of its event loop. */
function openLog() {
  let loads = 0;
  let onDelay = (_ms: number): void => {};
  return {
    onLine(line: string): void {
      if (line.includes('catalogs loaded')) loads += 1;
      if (line.startsWith('{"longestStopMs"')) onDelay(JSON.parse(line).longestStopMs);
    },
    reloads: () => loads,
    /** The longest stop of the event loop since the last call, in milliseconds. */
    longestStop: (server: NodeServer): Promise<number> =>
      new Promise(resolve => {
        onDelay = resolve;
        server.signal('SIGWINCH');
      }),
  };
}

/** Replaces the catalogs as editors' tools do: writes each file under another name, then renames it. */
async function changeCatalogs(dir: string, sources: string[], times: number, everyMs: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await delay(time === 0 ? everyMs / 4 : everyMs);
    const source = sources[time % sources.length] ?? '';
    const names = await readdir(source);
    for (const name of names) await copyFile(join(source, name), join(dir, `${name}.new`));
    for (const name of names) await rename(join(dir, `${name}.new`), join(dir, name));
  }
}

function mixedRequests({ news, prices }: Plan['large']): string[] {
  const random = seededRandom(1);
  const paths = Array.from({ length: 1000 }, () => [
    price.path(between(random, 0, prices - 1)),
    newsPage(10).path(between(random, 0, 99)),
    newsItem.path(between(random, 0, news - 1)),
  ]);
  return paths.flat().map(path => requestOf(path));
}
