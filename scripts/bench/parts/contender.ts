import type { Case } from '../cases.ts';
import { cpuBetween, cpuTimes } from '../cpu.ts';
import { closedLoop, type Load } from '../load/closed-loop.ts';
import { requestOf } from '../load/connection.ts';
import type { RunningServer } from '../node-server.ts';
import type { Plan } from '../plan.ts';
import { quantile, spreadOf } from '../statistics.ts';

const CONNECTIONS = 16;
/** A server that takes longer, in ms, gets one connection: requests that wait on others would outlast the round. */
const SLOW_MS = 5;

/** Warms up a server for a case; then measures it in rounds. */
export async function openContender(
  { port, pid }: RunningServer,
  paths: string[],
  { isConditional, acceptEncoding }: Pick<Case, 'isConditional' | 'acceptEncoding'>,
  { warmUpMs, roundMs }: Plan,
) {
  const requests = isConditional
    ? await conditional(port, paths, warmUpMs)
    : paths.map(path => requestOf(path, acceptEncoding ? { 'Accept-Encoding': acceptEncoding } : {}));
  if (requests.length === 0) throw new Error('nothing to request: there were no answers or no ETags');
  const status = isConditional ? 304 : 200;
  const load = (connections: number, ms: number, first = 0) =>
    closedLoop(requests, first, { port, connections, status, ms });
  // The first answer of a server does not make it slow.
  const [cold, warm] = [await load(1, warmUpMs * 0.1), await load(1, warmUpMs * 0.1)];
  const connections = quantile(warm.latencies, 0) > SLOW_MS ? 1 : CONNECTIONS;
  const hot = await load(connections, warmUpMs * 0.8);
  const rounds: (Load & { cpu: number })[] = [];
  let next = hot.answers;

  return {
    /** One round, which goes on in the list where the last one ended. */
    async run(): Promise<void> {
      const before = cpuTimes(pid);
      const round = await load(connections, roundMs, next);
      rounds.push({ ...round, cpu: cpuBetween(before, cpuTimes(pid)) });
      next += round.answers;
    },
    result: () => ({
      connections,
      answers: rounds.reduce((sum, { answers }) => sum + answers, 0),
      cpuMicroseconds: spreadOf(rounds.map(({ cpu, answers }) => cpu / answers)),
      requestsPerSecond: spreadOf(rounds.map(({ answers, seconds }) => answers / seconds)),
      p99Ms: spreadOf(rounds.map(({ latencies }) => quantile(latencies, 0.99))),
      failures: [cold, warm, hot, ...rounds].flatMap(({ failures }) => failures),
    }),
  };
}

/** Requests with the ETags of their answers, as far as the server answers in this time. */
async function conditional(port: number, paths: string[], ms: number): Promise<string[]> {
  const etags = new Map<number, string>();
  const onAnswer = (index: number, head: string) => {
    const [, etag] = /\r\netag: *([^\r]+)/i.exec(head) ?? [];
    if (etag !== undefined) etags.set(index, etag);
  };
  const options = { port, connections: CONNECTIONS, status: 200, ms, onAnswer };
  const { failures } = await closedLoop(
    paths.map(path => requestOf(path)),
    0,
    options,
  );
  if (failures.length > 0) throw new Error(failures[0]);
  return [...etags].map(([index, etag]) => requestOf(paths[index] ?? '', { 'If-None-Match': etag }));
}
