import { join } from 'node:path';
import { generateCatalog } from '../../generate-catalog.ts';
import { removeDirectory, temporaryDirectory } from '../../replicas/programs.ts';
import { type Answers, fetchAnswers } from '../answers.ts';
import { type Case, questionsOf } from '../cases.ts';
import { seededRandom } from '../catalog/random.ts';
import type { Text } from '../catalog/words.ts';
import type { RunningServer } from '../node-server.ts';
import { pathOf, type Question } from '../questions.ts';
import type { Server } from '../servers.ts';
import type { Spread } from '../statistics.ts';
import { openContender, type Timing } from './contender.ts';

const SEED = 1;

/** How one server did in one case. */
export interface RequestResult {
  case: string;
  /** How many news the catalog has, and as many prices. */
  size: number;
  server: string;
  /** Over how many connections it was asked. */
  connections: number;
  /** How many requests were answered in all rounds together. */
  answers: number;
  /** Of the server's processes, for each request. */
  cpuMicroseconds: Spread;
  /** How many times the CPU time of bare node:http that is, by the medians; undefined where that was not measured. */
  timesNodeHttp: number | undefined;
  requestsPerSecond: Spread;
  /** What 99 of 100 answers took at most. */
  p99Ms: Spread;
  failures: string[];
}

export interface RequestOptions extends Timing {
  sizes: number[];
  servers: Server[];
  cases: Case[];
  /** Hears which case is next. */
  onCase(name: string, size: number): void;
}

/** Measures each case with each server, over catalogs of each size. */
export async function measureRequests(options: RequestOptions): Promise<RequestResult[]> {
  if (options.servers.length === 0) return [];
  const results: RequestResult[] = [];
  for (const size of options.sizes) {
    for (const text of ['ascii', 'chinese'] as const) {
      const cases = options.cases.filter(item => item.text === text);
      if (cases.length > 0) results.push(...(await measureCatalog({ ...options, cases }, size, text)));
    }
  }
  return results;
}

async function measureCatalog(options: RequestOptions, size: number, text: Text): Promise<RequestResult[]> {
  const dir = temporaryDirectory();
  const catalogDir = join(dir, 'catalog');
  await generateCatalog(catalogDir, { news: size, prices: size, text, seed: SEED });
  const plans = options.cases.map(item => ({ item, questions: questionsOf(item, size, seededRandom(SEED)) }));
  const lists = plans.map(({ questions }) => questions.map(pathOf));
  const answers = await fetchAnswers(catalogDir, lists, options.prepareMs);
  const used = options.servers.filter(server => options.cases.some(item => !server.omission(item, size)));
  const starting = used.map(async server => ({ server, process: await server.start(catalogDir, answers) }));
  try {
    const running = await Promise.all(starting);
    const results: RequestResult[] = [];
    for (const { item, questions } of plans) {
      options.onCase(item.name, size);
      results.push(...(await measureCase(item, size, questions, running, answers, options)));
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

/** The rounds of the servers alternate, so that what else the machine does meets all of them. */
async function measureCase(
  item: Case,
  size: number,
  questions: Question[],
  running: { server: Server; process: RunningServer }[],
  answers: Answers,
  timing: Timing,
): Promise<RequestResult[]> {
  const contenders = [];
  for (const { server, process } of running) {
    if (server.omission(item, size)) continue;
    const asked = server.isPrepared
      ? questions.filter(question => answers.paths.has(pathOf(question)))
      : questions;
    const paths = asked.map(server.pathOf);
    contenders.push({ server, ...(await openContender(process, paths, item.isConditional, timing)) });
  }
  for (let round = 0; round < timing.rounds; round += 1) {
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
