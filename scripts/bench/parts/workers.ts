import { fetchAnswers } from '../answers.ts';
import { indicesOf, newKeywords, newsItem, newsPage, price, type Question } from '../cases.ts';
import { cpuBetween, cpuTimes } from '../cpu.ts';
import { openWrk, type Wrk, wrkPath } from '../load/wrk.ts';
import { programPath, type RunningServer, startNode, startVitrine } from '../node-server.ts';
import type { Plan } from '../plan.ts';
import { type Spread, spreadOf } from '../statistics.ts';

/** One server in one case. */
export interface WorkersResult {
  case: string;
  server: 'vitrine' | 'node:http';
  /** Threads of Vitrine, or processes of node:http. */
  workers: 1 | 2;
  requestsPerSecond: Spread;
  /** Of all of them, per request. */
  cpuMicroseconds: Spread;
  failures: string[];
}

type Contender = Pick<WorkersResult, 'server' | 'workers'> & { process: RunningServer };

const prepared: Record<string, Question> = {
  Price: price,
  'News, 10 a page': newsPage(10),
  'News, 100 a page': newsPage(100),
  'One news item': newsItem,
};

/** Compares one thread of Vitrine with two, and one process of bare node:http with two, where wrk is installed. */
export async function measureWorkers(catalogDir: string, plan: Plan): Promise<WorkersResult[]> {
  if (!wrkPath) return [];
  const size = plan.large.news;
  const pathsOf = (question: Question) => indicesOf(question, size).map(question.path);
  const answers = await fetchAnswers(catalogDir, Object.values(prepared).map(pathsOf), plan.prepareMs);
  const contenders = await startAll(catalogDir, answers.file);
  try {
    const results: WorkersResult[] = [];
    for (const [title, question] of Object.entries(prepared)) {
      const paths = pathsOf(question).filter(path => answers.ids.has(path));
      results.push(...(await measureCase(title, paths, contenders, plan)));
    }
    const searching = contenders.filter(({ server }) => server === 'vitrine');
    const paths = Array.from({ length: newKeywords.count(size) }, (_, index) => newKeywords.path(index));
    return [...results, ...(await measureCase('Three words, new each time', paths, searching, plan))];
  } finally {
    for (const { process } of contenders) await process.stop();
    answers.remove();
  }
}

async function startAll(catalogDir: string, answersFile: string): Promise<Contender[]> {
  const env = { ANSWERS: answersFile };
  const vitrine = (count: number) => startVitrine(catalogDir, { env: { WORKERS: String(count) } });
  const bare = (program: string) => startNode([programPath(program)], { env });
  return [
    { server: 'vitrine', workers: 1, process: await vitrine(1) },
    { server: 'vitrine', workers: 2, process: await vitrine(2) },
    { server: 'node:http', workers: 1, process: await bare('servers/node-http.mjs') },
    { server: 'node:http', workers: 2, process: await bare('servers/two-processes.mjs') },
  ];
}

/** The servers take turns, as in the other parts. The first round warms them up. */
async function measureCase(
  title: string,
  paths: string[],
  contenders: Contender[],
  { workerRounds }: Plan,
): Promise<WorkersResult[]> {
  console.error(title);
  const wrk = openWrk(paths);
  const measured = contenders.map(contender => ({ ...contender, runs: openRuns(contender.process, wrk) }));
  try {
    for (let round = 0; round <= workerRounds; round += 1) for (const { runs } of measured) await runs.run();
  } finally {
    wrk.remove();
  }
  return measured.map(({ server, workers, runs }) => ({ case: title, server, workers, ...runs.result() }));
}

function openRuns({ pid, port }: RunningServer, wrk: Wrk) {
  const rates: number[] = [];
  const cpu: number[] = [];
  const failures: string[] = [];
  let next = 0;
  return {
    async run(): Promise<void> {
      const before = cpuTimes(pid);
      const { answers, seconds, failures: failed } = await wrk.run(port, next);
      cpu.push(cpuBetween(before, cpuTimes(pid)) / answers);
      rates.push(answers / seconds);
      if (failed > 0) failures.push(`${failed} of ${answers} requests failed`);
      next += answers;
    },
    result: () => ({
      requestsPerSecond: spreadOf(rates.slice(1)),
      cpuMicroseconds: spreadOf(cpu.slice(1)),
      failures,
    }),
  };
}
