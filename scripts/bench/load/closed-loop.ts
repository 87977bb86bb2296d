import { openConnection } from './connection.ts';

export interface Load {
  /** How many answers had the expected status. */
  answers: number;
  seconds: number;
  /** Of each answer, in milliseconds. */
  latencies: number[];
  failures: string[];
}

interface Options {
  port: number;
  connections: number;
  /** The status that every answer must have. */
  status: number;
  /** When to stop sending, in milliseconds. */
  ms: number;
  onAnswer?: (index: number, head: string) => void;
}

/**
 * Sends requests over so many connections, each of which sends its next one after its answer. They go round the list,
 * beginning at `first`.
 */
export async function closedLoop(requests: string[], first: number, options: Options): Promise<Load> {
  const { port, connections, status, ms, onAnswer } = options;
  const latencies: number[] = [];
  const failures: string[] = [];
  const start = performance.now();
  let next = first;

  const client = async () => {
    const connection = openConnection(port);
    for (let sent = start; sent - start < ms; ) {
      const index = next % requests.length;
      const request = requests[index] ?? '';
      next += 1;
      sent = performance.now();
      const answer = await connection.send(request);
      if (answer.status === status) latencies.push(performance.now() - sent);
      else failures.push(`${answer.head.split('\r\n')[0]} for ${request.split('\r\n')[0]}`);
      onAnswer?.(index, answer.head);
    }
    connection.close();
  };
  const stopSpinning = spin();
  await Promise.all(
    Array.from({ length: connections }, () => client().catch(error => failures.push(error.message))),
  );
  stopSpinning();
  return { answers: latencies.length, seconds: (performance.now() - start) / 1000, latencies, failures };
}

/**
 * Keeps this process from sleeping. Otherwise the server pays for waking it with its own CPU time, and a slow server
 * more often: the figures would double.
 */
function spin(): () => void {
  let isOver = false;
  const turn = () => {
    if (!isOver) setImmediate(turn);
  };
  turn();
  return () => {
    isOver = true;
  };
}
