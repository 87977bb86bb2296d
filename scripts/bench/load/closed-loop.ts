import { openConnection } from './connection.ts';

/** What has come of asking for some time. */
export interface Load {
  /** How many answers came with the status that was expected. */
  answers: number;
  seconds: number;
  /** How long each answer took, in milliseconds. */
  latencies: number[];
  /** What else came. */
  failures: string[];
}

interface Options {
  port: number;
  connections: number;
  /** The status that every answer has to have. */
  status: number;
  /** When to ask no more, in milliseconds; what is under way then is waited for. */
  ms: number;
  /** Hears which request was answered, and with what head. */
  onAnswer?: (index: number, head: string) => void;
}

/**
 * Asks over so many connections, each of which sends its next request when it has its answer. The requests are sent in
 * turn from `first` on, again and again until the time is over.
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
      next += 1;
      sent = performance.now();
      const answer = await connection.ask(requests[index] ?? '');
      if (answer.status === status) latencies.push(performance.now() - sent);
      else failures.push(`${answer.head.split('\r\n')[0]} for ${requests[index]?.split('\r\n')[0]}`);
      onAnswer?.(index, answer.head);
    }
    connection.close();
  };
  const clients = Array.from({ length: connections }, () =>
    client().catch((error: Error) => failures.push(error.message)),
  );
  const letSleep = stayAwake();
  await Promise.all(clients);
  letSleep();
  const seconds = (performance.now() - start) / 1000;
  return { answers: latencies.length, seconds, latencies, failures };
}

/**
 * Keeps this process from sleeping while it has nothing to do, until the function that is returned is called. Otherwise
 * a server pays for waking it, in its own CPU time, and the more often the slower it is: twice what it really takes.
 */
function stayAwake(): () => void {
  let isAwake = true;
  const turn = () => {
    if (isAwake) setImmediate(turn);
  };
  turn();
  return () => {
    isAwake = false;
  };
}
