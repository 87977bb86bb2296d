import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeDirectory, temporaryDirectory } from '../../../test/support/replicas/programs.ts';
import { generateCatalog } from '../../generate-catalog.ts';
import { type Answers, fetchAnswers } from '../answers.ts';
import { type Case, indicesOf } from '../cases.ts';
import type { RunningServer } from '../node-server.ts';
import type { Plan } from '../plan.ts';
import type { Server } from '../servers.ts';
import type { Spread } from '../statistics.ts';
import { openContender } from './contender.ts';
import { requireRows } from './rows.ts';

/** One server in one case. */
export interface RequestResult {
  case: string;
  /** How many news items the catalog has, and as many prices. */
  size: number;
  server: string;
  connections: number;
  /** In all rounds. */
  answers: number;
  /** Of the server's processes, per request. */
  cpuMicroseconds: Spread;
  /** The CPU time divided by that of bare node:http, by the medians; undefined without node:http. */
  timesNodeHttp: number | undefined;
  requestsPerSecond: Spread;
  p99Ms: Spread;
  failures: string[];
}

/** Measures each case with each server, over catalogs of each size. */
export async function measureRequests(
  servers: Server[],
  cases: Case[],
  plan: Plan,
): Promise<RequestResult[]> {
  const results: RequestResult[] = [];
  for (const size of plan.sizes) {
    for (const text of ['ascii', 'chinese'] as const) {
      const alike = cases.filter(item => item.text === text);
      if (alike.length > 0) results.push(...(await measureCatalog(servers, alike, size, plan)));
    }
  }
  return results;
}

/** Measures cases over one catalog. */
async function measureCatalog(
  servers: Server[],
  cases: Case[],
  size: number,
  plan: Plan,
): Promise<RequestResult[]> {
  const dir = temporaryDirectory();
  const catalogDir = join(dir, 'catalog');
  const text = cases[0]?.text ?? 'ascii';
  await generateCatalog(catalogDir, { news: size, prices: size, text, seed: 1 });
  const lists = cases.map(item => indicesOf(item, size).map(item.path));
  const answers = await fetchAnswers(catalogDir, lists, plan.prepareMs);
  const used = servers.filter(server => cases.some(item => server.canAnswer(item, size)));
  const starting = used.map(async server => ({ server, process: await server.start(catalogDir, answers) }));
  try {
    const running = await Promise.all(starting);
    await delay(plan.idleMs);
    const results: RequestResult[] = [];
    for (const item of cases) {
      console.error(`${item.name}, ${size} news items`);
      results.push(...(await measureCase(item, size, running, answers, plan)));
    }
    return results;
  } finally {
    for (const started of await Promise.allSettled(starting)) {
      if (started.status === 'fulfilled') await started.value.process.stop();
    }
    answers.remove();
    removeDirectory(dir);
  }
}

/** The servers take turns, so that whatever else the machine does affects all of them. */
async function measureCase(
  item: Case,
  size: number,
  running: { server: Server; process: RunningServer }[],
  answers: Answers,
  plan: Plan,
): Promise<RequestResult[]> {
  const indices = indicesOf(item, size);
  const contenders = [];
  for (const { server, process } of running) {
    if (!server.canAnswer(item, size)) continue;
    const known = server.isPrepared ? indices.filter(index => answers.ids.has(item.path(index))) : indices;
    const paths = known.map(index => server.pathOf(item, index));
    const [first = 0] = known;
    const ids = answers.ids.get(item.path(first)) ?? [];
    if (server.isPeer) await requireRows(process, server.pathOf(item, first), ids);
    contenders.push({ server, ...(await openContender(process, paths, item, plan)) });
  }
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const contender of contenders) await contender.run();
  }
  const results = contenders.map(({ server, result }) => ({ server: server.name, ...result() }));
  const bare = results.find(({ server }) => server === 'node:http')?.cpuMicroseconds.median;
  return results.map(result => ({
    case: item.name,
    size,
    ...result,
    timesNodeHttp: bare && result.cpuMicroseconds.median / bare,
  }));
}
