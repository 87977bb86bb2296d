import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeDirectory, temporaryDirectory } from '../../test/support/programs.ts';
import { type Case, cases, indicesOf, type Plan } from './cases.ts';
import { generateCatalog } from './catalog.ts';
import { closedLoop, quantile, requestOf } from './load.ts';
import { type Answer, type RunningServer, type Server, startVitrine } from './servers.ts';

/** One server in one case. */
export interface RequestResult {
  title: string;
  server: string;
  /** Of the server's processes, per request; the median of all rounds. */
  cpuMicroseconds: number;
  failures: string[];
}

const CONNECTIONS = 16;
/** A server that takes longer, in ms, gets one connection: requests that wait on others would outlast the round. */
const SLOW_MS = 5;
const NODE_HEADERS = ['date', 'connection', 'keep-alive'];

/**
 * Measures each case with each server. The servers take turns, so that whatever else the machine does affects all of
 * them.
 */
export async function measureRequests(servers: Server[], plan: Plan): Promise<RequestResult[]> {
  const results: RequestResult[] = [];
  for (const text of ['ascii', 'chinese'] as const) {
    const alike = cases.filter(item => (item.text ?? 'ascii') === text);
    const dir = temporaryDirectory();
    const size = { news: plan.size, prices: plan.size };
    const rows = await generateCatalog(join(dir, 'catalog'), { ...size, text, seed: 1 });
    await writeFile(join(dir, 'rows.json'), JSON.stringify(rows));
    const ids = await recordAnswers(dir, alike, plan);
    const starting = servers
      .filter(server => alike.some(server.canAnswer))
      .map(async server => ({ server, process: await server.start(dir) }));
    try {
      const running = await Promise.all(starting);
      await delay(plan.idleMs);
      for (const item of alike) results.push(...(await measureCase(item, running, ids, plan)));
    } finally {
      for (const started of await Promise.allSettled(starting))
        if (started.status === 'fulfilled') await started.value.process.stop();
      removeDirectory(dir);
    }
  }
  const inOrder = ({ title }: RequestResult) => cases.findIndex(item => item.title === title);
  return results.sort((one, other) => inOrder(one) - inOrder(other));
}

/**
 * Records what Vitrine answers, for some time for each case, as `answers.json` in a directory. Returns the ids of the
 * rows in each answer, by its path.
 */
async function recordAnswers(dir: string, alike: Case[], { size, prepareMs }: Plan) {
  const answers: Answer[] = [];
  const ids = new Map<string, string[]>();
  const vitrine = await startVitrine(join(dir, 'catalog'));
  for (const item of alike) {
    const paths = indicesOf(item, size).map(item.path);
    const unknown = paths.filter(path => !ids.has(path));
    for (const answer of await fetchAnswers(vitrine, unknown, prepareMs)) {
      answers.push(answer);
      ids.set(answer.path, idsIn(answer.body));
    }
  }
  await vitrine.stop();
  await writeFile(join(dir, 'answers.json'), JSON.stringify(answers));
  return ids;
}

/** The answers to requests for these paths, as many as come in this time. */
async function fetchAnswers({ port }: RunningServer, paths: string[], ms: number): Promise<Answer[]> {
  const fetchAnswer = async (path: string): Promise<Answer> => {
    const init = { headers: { 'Accept-Encoding': 'identity' } };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const body = await response.text();
    if (!response.ok) throw new Error(`${response.status} for ${path}: ${body}`);
    const headers = [...response.headers].filter(([name]) => !NODE_HEADERS.includes(name));
    return { path, headers: Object.fromEntries(headers), body };
  };
  const answers: Answer[] = [];
  const end = performance.now() + ms;
  for (let start = 0; start < paths.length && performance.now() < end; start += CONNECTIONS)
    answers.push(...(await Promise.all(paths.slice(start, start + CONNECTIONS).map(fetchAnswer))));
  return answers;
}

/** The ids of the rows in an answer, in its order. */
function idsIn(json: string): string[] {
  return [...json.matchAll(/"id": ?(\d+)/g)].map(([, id = '']) => id);
}

async function measureCase(
  item: Case,
  running: { server: Server; process: RunningServer }[],
  ids: Map<string, string[]>,
  plan: Plan,
): Promise<RequestResult[]> {
  console.error(item.title);
  const contenders = [];
  for (const { server, process } of running) {
    if (!server.canAnswer(item)) continue;
    const indices = indicesOf(item, plan.size).filter(
      index => !server.isPrepared || ids.has(item.path(index)),
    );
    const pathOf = (server.isPeer && item.peerPath) || item.path;
    const [first = 0] = indices;
    if (server.isPeer) await requireRows(process, pathOf(first), ids.get(item.path(first)) ?? []);
    contenders.push({ server, ...(await openContender(process, indices.map(pathOf), item, plan)) });
  }
  for (let round = 0; round < plan.rounds; round += 1) for (const { run } of contenders) await run();
  return contenders.map(({ server, microseconds, failures }) => ({
    ...{ title: item.title, server: server.name },
    ...{ cpuMicroseconds: quantile(microseconds, 0.5), failures },
  }));
}

/**
 * Asks a server once, before it is measured. Its answer may name further rows, such as those that it embeds.
 * @throws where it does not answer with the rows of these ids in this order.
 */
async function requireRows(process: RunningServer, path: string, ids: string[]): Promise<void> {
  const [answer] = await fetchAnswers(process, [path], 1000);
  const sent = idsIn(answer?.body ?? '');
  const left = sent.reduce((expected, id) => (id === expected[0] ? expected.slice(1) : expected), ids);
  if (left.length > 0) throw new Error(`the rows ${sent} instead of ${ids} for ${path}`);
}

/** Warms up a server for a case; `run` measures a round, which goes on in the list where the last one ended. */
async function openContender(
  process: RunningServer,
  paths: string[],
  { isConditional, acceptEncoding }: Case,
  { warmUpMs, roundMs }: Plan,
) {
  const { port, pid } = process;
  const requests = isConditional
    ? (await fetchAnswers(process, paths, warmUpMs)).flatMap(({ path, headers: { etag } }) =>
        etag ? [requestOf(path, { 'If-None-Match': etag })] : [],
      )
    : paths.map(path => requestOf(path, acceptEncoding ? { 'Accept-Encoding': acceptEncoding } : {}));
  if (requests.length === 0) throw new Error('nothing to request: there were no answers or no ETags');
  const load = (connections: number, ms: number, first = 0) =>
    closedLoop(requests, first, { port, connections, status: isConditional ? 304 : 200, ms });
  const warm = await load(1, warmUpMs * 0.2);
  const connections = warm.leastMs > SLOW_MS ? 1 : CONNECTIONS;
  const hot = await load(connections, warmUpMs * 0.8);
  const failures = [...warm.failures, ...hot.failures];
  const microseconds: number[] = [];
  let next = hot.answers;
  const run = async () => {
    const before = cpuTimes(pid);
    const round = await load(connections, roundMs, next);
    let nanoseconds = 0;
    for (const [thread, time] of cpuTimes(pid)) nanoseconds += time - (before.get(thread) ?? 0);
    microseconds.push(nanoseconds / 1000 / round.answers);
    failures.push(...round.failures);
    next += round.answers;
  };
  return { run, microseconds, failures };
}

/** CPU time of each thread of a process and of its children since its start, in nanoseconds, by thread id. */
function cpuTimes(pid: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const task = `/proc/${pid}/task/${thread}`;
    // The thread may have ended meanwhile.
    if (!existsSync(task)) continue;
    const [running] = readFileSync(`${task}/schedstat`, 'latin1').split(' ');
    times.set(thread, Number(running));
    const children = readFileSync(`${task}/children`, 'latin1').split(' ').filter(Boolean);
    for (const child of children) for (const [id, time] of cpuTimes(Number(child))) times.set(id, time);
  }
  return times;
}
