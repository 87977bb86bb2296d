import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeDirectory, temporaryDirectory } from '../../test/support/replicas/programs.ts';
import { idsIn, recordAnswers } from './answers.ts';
import { type Case, cases, indicesOf } from './cases.ts';
import { generateCatalog } from './catalog/catalog.ts';
import { closedLoop, requestOf } from './load.ts';
import type { Plan } from './plan.ts';
import type { RunningServer, Server } from './servers.ts';
import { quantile } from './statistics.ts';

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

/** Measures each case with each server. */
export async function measureRequests(servers: Server[], plan: Plan): Promise<RequestResult[]> {
  const results: RequestResult[] = [];
  for (const text of ['ascii', 'chinese'] as const) {
    const alike = cases.filter(item => (item.text ?? 'ascii') === text);
    const dir = temporaryDirectory();
    const catalogDir = join(dir, 'catalog');
    await generateCatalog(catalogDir, { news: plan.size, prices: plan.size, text, seed: 1 });
    results.push(...(await measureCatalog(servers, alike, catalogDir, dir, plan)));
    removeDirectory(dir);
  }
  const inOrder = ({ title }: RequestResult) => cases.findIndex(item => item.title === title);
  return results.sort((one, other) => inOrder(one) - inOrder(other));
}

/** Measures cases over one catalog. The servers take turns, so that whatever else the machine does affects all of them. */
async function measureCatalog(
  servers: Server[],
  alike: Case[],
  catalogDir: string,
  dir: string,
  plan: Plan,
): Promise<RequestResult[]> {
  const { size } = plan;
  const lists = alike.map(item => indicesOf(item, size).map(item.path));
  const { file, ids } = await recordAnswers(catalogDir, lists, plan.prepareMs, dir);
  const used = servers.filter(server => alike.some(item => server.canAnswer(item)));
  const starting = used.map(async server => ({ server, process: await server.start(catalogDir, file) }));
  try {
    const running = await Promise.all(starting);
    await delay(plan.idleMs);
    const results: RequestResult[] = [];
    for (const item of alike) {
      console.error(item.title);
      const contenders = [];
      for (const { server, process } of running) {
        if (!server.canAnswer(item)) continue;
        const indices = indicesOf(item, size).filter(
          index => !server.isPrepared || ids.has(item.path(index)),
        );
        const pathOf = (server.isPeer && item.peerPath) || item.path;
        const [first = 0] = indices;
        if (server.isPeer) await requireRows(process, pathOf(first), ids.get(item.path(first)) ?? []);
        contenders.push({ server, ...(await openContender(process, indices.map(pathOf), item, plan)) });
      }
      for (let round = 0; round < plan.rounds; round += 1) for (const { run } of contenders) await run();
      for (const { server, result } of contenders)
        results.push({ title: item.title, server: server.name, ...result() });
    }
    return results;
  } finally {
    for (const started of await Promise.allSettled(starting))
      if (started.status === 'fulfilled') await started.value.process.stop();
  }
}

/**
 * Asks a server once, before it is measured. Its answer may name further rows, such as those that it embeds.
 * @throws where it does not answer with the rows of these ids in this order.
 */
async function requireRows({ port }: RunningServer, path: string, ids: string[]): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const sent = idsIn(await response.text());
  const left = sent.reduce((expected, id) => (id === expected[0] ? expected.slice(1) : expected), ids);
  if (response.ok && left.length === 0) return;
  throw new Error(`${response.status} with the rows ${sent} instead of ${ids} for ${path}`);
}

/** Warms up a server for a case; then measures it in rounds. */
async function openContender(
  { port, pid }: RunningServer,
  paths: string[],
  { isConditional, acceptEncoding }: Case,
  { warmUpMs, roundMs }: Plan,
) {
  const headers = acceptEncoding ? { 'Accept-Encoding': acceptEncoding } : {};
  const plain = paths.map(path => requestOf(path, headers));
  const requests = isConditional ? await conditional(port, paths, warmUpMs) : plain;
  if (requests.length === 0) throw new Error('nothing to request: there were no answers or no ETags');
  const status = isConditional ? 304 : 200;
  const load = (connections: number, ms: number, first = 0) =>
    closedLoop(requests, first, { port, connections, status, ms });
  // The first answer of a server does not make it slow.
  const cold = await load(1, warmUpMs * 0.1);
  const warm = await load(1, warmUpMs * 0.1);
  const connections = warm.leastMs > SLOW_MS ? 1 : CONNECTIONS;
  const hot = await load(connections, warmUpMs * 0.8);
  const failures = [cold, warm, hot].flatMap(({ failures }) => failures);
  const microseconds: number[] = [];
  let next = hot.answers;
  return {
    /** One round, which goes on in the list where the last one ended. */
    async run(): Promise<void> {
      const before = cpuTimes(pid);
      const round = await load(connections, roundMs, next);
      let nanoseconds = 0;
      for (const [thread, time] of cpuTimes(pid)) nanoseconds += time - (before.get(thread) ?? 0);
      microseconds.push(nanoseconds / 1000 / round.answers);
      failures.push(...round.failures);
      next += round.answers;
    },
    result: () => ({ cpuMicroseconds: quantile(microseconds, 0.5), failures }),
  };
}

/** Requests with the ETags of their answers, as far as the server answers in this time. */
async function conditional(port: number, paths: string[], ms: number): Promise<string[]> {
  const etags = new Map<number, string>();
  const onAnswer = (index: number, head: string) => {
    const [, etag] = /\r\netag: *([^\r]+)/i.exec(head) ?? [];
    if (etag !== undefined) etags.set(index, etag);
  };
  const requests = paths.map(path => requestOf(path));
  const { failures } = await closedLoop(requests, 0, {
    ...{ port, connections: CONNECTIONS, status: 200, ms, onAnswer },
  });
  if (failures.length > 0) throw new Error(failures[0]);
  return [...etags].map(([index, etag]) => requestOf(paths[index] ?? '', { 'If-None-Match': etag }));
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
