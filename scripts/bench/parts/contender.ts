import { cpuBetween, cpuTimes } from '../cpu.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { requestOf, tagIn } from '../load/request.ts';
import type { RunningServer } from '../node-server.ts';
import { quantile, spreadOf } from '../statistics.ts';

export const CONNECTIONS = 16;
/**
 * A server whose quickest answer takes longer, in milliseconds, is asked over one connection, since what waits on the
 * others would outlast the round.
 */
export const SLOW_MS = 5;

export interface Timing {
  /** For how long each list of addresses is asked of Vitrine beforehand, at most. */
  prepareMs: number;
  warmUpMs: number;
  rounds: number;
  roundMs: number;
}

interface Round {
  answers: number;
  cpuMicroseconds: number;
  requestsPerSecond: number;
  p99Ms: number;
  failures: string[];
}

/** Warms up a server for a case, and makes ready to ask it in rounds. */
export async function openContender(
  { port, pid }: RunningServer,
  paths: string[],
  isConditional: boolean,
  { warmUpMs, roundMs }: Timing,
) {
  const requests = isConditional
    ? await conditional(port, paths, warmUpMs)
    : paths.map(path => requestOf(path));
  if (requests.length === 0) throw new Error('there is nothing to ask: no answers or ETags came before');
  const status = isConditional ? 304 : 200;
  const warmUp = (connections: number, share: number) =>
    closedLoop(requests, 0, { port, connections, status, ms: warmUpMs * share });
  // What is made for the first answer shall not count as slow.
  const [cold, warm] = [await warmUp(1, 0.1), await warmUp(1, 0.1)];
  const connections = quantile(warm.latencies, 0) > SLOW_MS ? 1 : CONNECTIONS;
  const hot = await warmUp(connections, 0.8);
  const rounds: Round[] = [];
  let next = hot.answers;

  return {
    /** One round. Goes on in the list of addresses where the last one has ended. */
    async run(): Promise<void> {
      const before = cpuTimes(pid);
      const { answers, seconds, latencies, failures } = await closedLoop(requests, next, {
        port,
        connections,
        status,
        ms: roundMs,
      });
      const cpu = cpuBetween(before, cpuTimes(pid));
      next += answers;
      rounds.push({
        answers,
        cpuMicroseconds: cpu / answers,
        requestsPerSecond: answers / seconds,
        p99Ms: quantile(latencies, 0.99),
        failures,
      });
    },
    /** What has come of all rounds. */
    result: () => ({
      connections,
      answers: rounds.reduce((sum, { answers }) => sum + answers, 0),
      cpuMicroseconds: spreadOf(rounds.map(round => round.cpuMicroseconds)),
      requestsPerSecond: spreadOf(rounds.map(round => round.requestsPerSecond)),
      p99Ms: spreadOf(rounds.map(round => round.p99Ms)),
      failures: [cold, warm, hot, ...rounds].flatMap(({ failures }) => failures),
    }),
  };
}

/** Requests with the tags of the answers, of as many addresses as are answered in this time. */
async function conditional(port: number, paths: string[], ms: number): Promise<string[]> {
  const tagged = new Map<number, string>();
  const onAnswer = (index: number, head: string) => {
    const tag = tagIn(head);
    if (tag !== undefined) tagged.set(index, tag);
  };
  const plain = paths.map(path => requestOf(path));
  const { failures } = await closedLoop(plain, 0, {
    port,
    connections: CONNECTIONS,
    status: 200,
    ms,
    onAnswer,
  });
  if (failures.length > 0) throw new Error(failures[0]);
  return [...tagged].map(([index, tag]) => requestOf(paths[index] ?? '', tag));
}
