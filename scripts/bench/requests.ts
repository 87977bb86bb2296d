import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'undici';
import { type Case, cases } from './cases.ts';
import { generateCatalog, seededRandom, shuffled } from './catalog.ts';
import {
  type Answer,
  type RunningServer,
  type Server,
  servers,
  startVitrine,
  temporaryDirectory,
} from './servers.ts';

/** How much a run measures; times in milliseconds. */
interface Plan {
  /** How many news items, and as many prices, the catalogs have. All servers can serve them. */
  size: number;
  /** How long a server is idle before it is measured: V8 collects garbage after ten idle seconds. */
  idleMs: number;
  warmUpMs: number;
  rounds: number;
  roundMs: number;
}

/** One case, measured. */
interface CaseResult {
  title: string;
  /** CPU time of each server per request, the median of all rounds; a server that cannot answer it has none. */
  microseconds: Map<Server, number>;
}

const CONNECTIONS = 16;
/** How many answers clients have at most that ask whether these have changed. */
const MAX_KEPT = 1000;

/**
 * Measures each case with each server. The servers take turns, so that whatever else the machine does affects all of
 * them.
 */
export async function measureRequests(plan: Plan): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const text of ['ascii', 'chinese'] as const) {
    const alike = cases.filter(item => (item.text ?? 'ascii') === text);
    const dir = await temporaryDirectory();
    const size = { news: plan.size, prices: plan.size };
    const rows = await generateCatalog(join(dir, 'catalog'), { ...size, text });
    await writeFile(join(dir, 'rows.json'), JSON.stringify(rows));
    const answers = await recordAnswers(join(dir, 'catalog'), alike, plan);
    await writeFile(join(dir, 'answers.json'), JSON.stringify(answers));
    const starting = servers.map(async server => ({ server, process: await server.start(dir) }));
    const running = await Promise.all(starting);
    await delay(plan.idleMs);
    for (const item of alike) results.push(await measureCase(item, running, answers, plan));
    for (const { process } of running) await process.stop();
  }
  return results;
}

/** What Vitrine answers to all requests of these cases. */
async function recordAnswers(catalogDir: string, alike: Case[], { size }: Plan): Promise<Answer[]> {
  const paths = alike.flatMap(item => indicesOf(item, size).map(item.path));
  const vitrine = await startVitrine(catalogDir);
  const answers = await fetchAnswers(vitrine, [...new Set(paths)]);
  await vitrine.stop();
  return answers;
}

/** The numbers of a case's requests, in random order. */
function indicesOf({ count }: Case, size: number): number[] {
  return shuffled(Array.from({ length: count(size) }).keys(), seededRandom(1));
}

/** The answers to requests for these paths. */
async function fetchAnswers({ port }: RunningServer, paths: string[]): Promise<Answer[]> {
  const client = new Client(`http://127.0.0.1:${port}`);
  const answers: Answer[] = [];
  for (const path of paths) {
    const response = await client.request({ method: 'GET', path });
    const body = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`${response.statusCode} for ${path}: ${body}`);
    answers.push({ path, headers: response.headers, body });
  }
  await client.close();
  return answers;
}

/** The ids of the rows in an answer, in its order. */
function idsIn(json = ''): string[] {
  return [...json.matchAll(/"id": ?(\d+)/g)].map(([, id = '']) => id);
}

async function measureCase(
  item: Case,
  running: { server: Server; process: RunningServer }[],
  answers: Answer[],
  { size, warmUpMs, rounds, roundMs }: Plan,
): Promise<CaseResult> {
  console.error(item.title);
  const indices = indicesOf(item, size);
  const [first = 0] = indices;
  const expected = idsIn(answers.find(({ path }) => path === item.path(first))?.body);
  const contenders = [];
  for (const { server, process } of running) {
    const pathOf = server.pathOf(item);
    if (!pathOf) continue;
    await requireRows(process, pathOf(first), expected);
    const load = closedLoop(
      process,
      await requestsOf(item, process, indices.map(pathOf)),
      item.isConditional ? 304 : 200,
    );
    await load(warmUpMs);
    contenders.push({ server, pid: process.pid, load, microseconds: [] as number[] });
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { pid, load, microseconds } of contenders) {
      const before = cpuNanoseconds(pid);
      const count = await load(roundMs);
      microseconds.push((cpuNanoseconds(pid) - before) / 1000 / count);
    }
  return {
    title: item.title,
    microseconds: new Map(contenders.map(({ server, microseconds }) => [server, median(microseconds)])),
  };
}

/**
 * Asks a server once, before it is measured. Its answer may name further rows, such as those that it embeds.
 * @throws where it does not answer with the rows of these ids in this order.
 */
async function requireRows(process: RunningServer, path: string, ids: string[]): Promise<void> {
  const [answer] = await fetchAnswers(process, [path]);
  const sent = idsIn(answer?.body);
  const left = sent.reduce((expected, id) => (id === expected[0] ? expected.slice(1) : expected), ids);
  if (left.length > 0) throw new Error(`the rows ${sent} instead of ${ids} for ${path}`);
}

/** Requests for these paths with the headers of the case. */
async function requestsOf({ isConditional, acceptsBrotli }: Case, process: RunningServer, paths: string[]) {
  if (!isConditional)
    return paths.map(path => ({ path, headers: acceptsBrotli ? { 'accept-encoding': 'br' } : {} }));
  const kept = await fetchAnswers(process, paths.slice(0, MAX_KEPT));
  return kept.map(({ path, headers }) => ({ path, headers: { 'if-none-match': headers.etag } }));
}

/**
 * Sends these requests over several connections for some time, each of which sends its next one after its answer, and
 * goes on in the list where it ended the last time. Resolves to the number of answers.
 * @throws where an answer has another status.
 */
function closedLoop(
  { port }: RunningServer,
  requests: Awaited<ReturnType<typeof requestsOf>>,
  status: number,
) {
  let next = 0;
  const client = async (end: number) => {
    const connection = new Client(`http://127.0.0.1:${port}`);
    while (performance.now() < end) {
      const { path = '', headers = {} } = requests[next % requests.length] ?? {};
      next += 1;
      const { statusCode, body } = await connection.request({ method: 'GET', path, headers });
      await body.dump({ limit: Number.POSITIVE_INFINITY });
      if (statusCode !== status) throw new Error(`${statusCode} for ${path}`);
    }
    await connection.close();
  };
  return async (ms: number): Promise<number> => {
    // A client that sleeps between answers lets the server pay for waking it with its own CPU time, and a slow server
    // more often: the figures would double.
    let isOver = false;
    const spin = () => {
      if (!isOver) setImmediate(spin);
    };
    spin();
    const first = next;
    const end = performance.now() + ms;
    await Promise.all(Array.from({ length: CONNECTIONS }, () => client(end)));
    isOver = true;
    return next - first;
  };
}

/** CPU time of the threads of a process since its start. */
function cpuNanoseconds(pid: number): number {
  const times = readdirSync(`/proc/${pid}/task`).map(thread => {
    const [running] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ');
    return Number(running);
  });
  return times.reduce((sum, time) => sum + time, 0);
}

export function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
