import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, openConnection } from './connection.ts';

export interface ScheduledLoad {
  /** From the time when each request was due to its answer, in milliseconds. */
  latencies: number[];
  failures: string[];
  /** The longest stop of this process, which is not the server's, in milliseconds. */
  clientStopMs: number;
}

interface Options {
  port: number;
  /** Requests per second. */
  rate: number;
  ms: number;
}

/**
 * Sends requests on schedule, whether or not earlier ones are answered; it opens a connection when none is free. So the
 * latencies of a server that stops include those of everyone who arrives meanwhile.
 */
export async function openLoop(requests: string[], { port, rate, ms }: Options): Promise<ScheduledLoad> {
  const ownDelay = monitorEventLoopDelay({ resolution: 1 });
  const latencies: number[] = [];
  const failures: string[] = [];
  const free: Connection[] = [];
  const opened: Connection[] = [];

  const open = () => {
    const connection = openConnection(port);
    opened.push(connection);
    return connection;
  };
  const send = async (request: string, due: number) => {
    // The one that has been idle longest, so that the server closes none.
    const connection = free.shift() ?? open();
    const { status, head } = await connection.send(request);
    latencies.push(performance.now() - due);
    if (status !== 200) failures.push(head.split('\r\n')[0] ?? '');
    free.push(connection);
  };

  const pending: Promise<unknown>[] = [];
  const start = performance.now();
  ownDelay.enable();
  for (let index = 0; index < Math.floor((rate * ms) / 1000); index += 1) {
    const due = start + (index * 1000) / rate;
    while (performance.now() < due) await delay(1);
    const sent = send(requests[index % requests.length] ?? '', due);
    pending.push(sent.catch((error: Error) => failures.push(error.message)));
  }
  await Promise.all(pending);
  ownDelay.disable();
  for (const connection of opened) connection.close();
  return { latencies, failures, clientStopMs: ownDelay.max / 1e6 };
}
