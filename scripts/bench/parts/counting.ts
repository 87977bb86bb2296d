import { findProgram } from '../../../test/support/replicas/find-program.ts';
import { startRedis } from '../../../test/support/replicas/redis.ts';
import { newsItem } from '../cases.ts';
import { cpuBetween, cpuTimes } from '../cpu.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { requestOf } from '../load/connection.ts';
import { type NodeServer, startVitrine } from '../node-server.ts';
import type { Plan } from '../plan.ts';
import { type Spread, spreadOf } from '../statistics.ts';

const CONNECTIONS = [1, 64];

/** News items read by so many connections at once. */
export interface CountingResult {
  what: string;
  connections: number;
  cpuMicroseconds: Spread;
  failures: string[];
}

/** Reads news items of Vitrine by turns where it counts in a file and where it counts in Redis, if that is installed. */
export async function measureCounting(catalogDir: string, plan: Plan): Promise<CountingResult[]> {
  if (!findProgram('redis-server')) return [];
  const redis = await startRedis();
  const file = await startVitrine(catalogDir);
  const shared = await startVitrine(catalogDir, { env: { REDIS_URL: redis.url } });
  const requests = Array.from({ length: newsItem.count(plan.large.news) }, (_, index) =>
    requestOf(newsItem.path(index)),
  );
  try {
    const results: CountingResult[] = [];
    for (const connections of CONNECTIONS) {
      const contenders = [
        openContender('counted in a file', file, requests, connections),
        openContender('counted in Redis', shared, requests, connections),
      ];
      for (const { run } of contenders) await run(plan.warmUpMs);
      for (const { clear } of contenders) clear();
      for (let round = 0; round < plan.rounds; round += 1)
        for (const { run } of contenders) await run(plan.roundMs);
      results.push(...contenders.map(({ result }) => result()));
    }
    return results;
  } finally {
    for (const { stop } of [file, shared, redis]) await stop();
  }
}

function openContender(what: string, { port, pid }: NodeServer, requests: string[], connections: number) {
  const cpu: number[] = [];
  const failures: string[] = [];
  let next = 0;
  return {
    async run(ms: number): Promise<void> {
      const before = cpuTimes(pid);
      const load = await closedLoop(requests, next, { port, connections, status: 200, ms });
      cpu.push(cpuBetween(before, cpuTimes(pid)) / load.answers);
      failures.push(...load.failures);
      next += load.answers;
    },
    clear: () => cpu.splice(0),
    result: (): CountingResult => ({ what, connections, cpuMicroseconds: spreadOf(cpu), failures }),
  };
}
