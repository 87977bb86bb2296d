import { copyFile, cp, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeDirectory, temporaryDirectory } from '../../replicas/programs.ts';
import { combinationOf } from '../catalog/prices.ts';
import { between, type Random, seededRandom } from '../catalog/random.ts';
import { openLoop } from '../load/open-loop.ts';
import { requestOf } from '../load/request.ts';
import { type NodeServer, programPath, startVitrine } from '../node-server.ts';
import { pathOf } from '../questions.ts';
import { quantile } from '../statistics.ts';

const RATE = 500;
const WARM_UP_MS = 1000;
const SEED = 1;
/** How soon the server has to tell of its event loop, in milliseconds. */
const ANSWER_MS = 10_000;

/** How requests were answered that came at a steady pace. */
export interface ReloadResult {
  what: string;
  /** How many times changed catalogs were taken up meanwhile. */
  reloads: number;
  answers: number;
  failures: string[];
  p99Ms: number;
  maxMs: number;
  /** The longest stop of the server's event loop, in milliseconds. */
  serverStopMs: number;
  /** The longest stop of the process that asks; latencies as short as this may be its own. */
  clientStopMs: number;
}

interface ReloadOptions {
  news: number;
  prices: number;
  /** How long each of the two measurements takes. */
  ms: number;
  reloads: number;
}

/**
 * Asks a Vitrine for prices, lists and news items, 500 times a second: first while its catalogs lie still, and then while
 * those of the other directory and its own take their place in turn.
 */
export async function measureReload(
  dirs: [string, string],
  { news, prices, ms, reloads }: ReloadOptions,
): Promise<ReloadResult[]> {
  const served = temporaryDirectory();
  await cp(dirs[0], served, { recursive: true });
  const hear = listener();
  const nodeArgs = ['--import', programPath('servers/event-loop-delay.mjs')];
  const vitrine = await startVitrine(served, { nodeArgs, onLine: hear.onLine });
  const requests = mixedRequests(news, prices, seededRandom(SEED));
  const measure = async (what: string): Promise<ReloadResult> => {
    await hear.longestStop(vitrine);
    const before = hear.reloads();
    const { latencies, failures, clientStopMs } = await openLoop(requests, {
      port: vitrine.port,
      rate: RATE,
      ms,
    });
    return {
      what,
      reloads: hear.reloads() - before,
      answers: latencies.length,
      failures,
      p99Ms: quantile(latencies, 0.99),
      maxMs: quantile(latencies, 1),
      serverStopMs: await hear.longestStop(vitrine),
      clientStopMs,
    };
  };
  try {
    await openLoop(requests, { port: vitrine.port, rate: RATE, ms: WARM_UP_MS });
    const still = await measure('catalogs lie still');
    const changing = changeCatalogs(served, [dirs[1], dirs[0]], reloads, ms / (reloads + 0.5));
    const [changed] = await Promise.all([measure('catalogs change'), changing]);
    return [still, changed];
  } finally {
    await vitrine.stop();
    removeDirectory(served);
  }
}

/** Hears in the log of a server when it has reloaded, and what it says of its event loop when it is asked. */
function listener() {
  let loads = 0;
  let tell = (_ms: number): void => {};
  return {
    onLine(line: string): void {
      if (line.includes('catalogs loaded')) loads += 1;
      if (line.startsWith('{"longestStopMs"')) tell(JSON.parse(line).longestStopMs);
    },
    reloads: () => loads,
    /** How long the event loop has stood still at most since this was asked before, in milliseconds. */
    longestStop(server: NodeServer): Promise<number> {
      return new Promise((resolve, reject) => {
        const silence = new Error('the server does not tell how long it stood still');
        const timer = setTimeout(reject, ANSWER_MS, silence);
        tell = ms => {
          clearTimeout(timer);
          resolve(ms);
        };
        server.signal('SIGWINCH');
      });
    },
  };
}

/** As editors' tools do it: each file is written under another name, and then takes its place at once. */
async function changeCatalogs(dir: string, sources: string[], times: number, everyMs: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await delay(time === 0 ? everyMs / 4 : everyMs);
    const source = sources[time % sources.length] ?? '';
    const names = await readdir(source);
    for (const name of names) await copyFile(join(source, name), join(dir, `${name}.new`));
    for (const name of names) await rename(join(dir, `${name}.new`), join(dir, name));
  }
}

function mixedRequests(news: number, prices: number, random: Random): string[] {
  return Array.from({ length: 1000 }, () => [
    pathOf({ about: 'price', ...combinationOf(between(random, 1, prices)) }),
    pathOf({ about: 'news', page: between(random, 1, 100), limit: 10 }),
    pathOf({ about: 'item', id: between(random, 1, news) }),
  ])
    .flat()
    .map(path => requestOf(path));
}
