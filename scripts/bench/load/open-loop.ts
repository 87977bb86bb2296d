import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, openConnection } from './connection.ts';

/** What has come of requests that were sent at their times. */
export interface ScheduledLoad {
  /** From the time when each request was due to its answer, in milliseconds. */
  latencies: number[];
  failures: string[];
  /** The longest stop of this process meanwhile, which nobody may blame the server for, in milliseconds. */
  clientStopMs: number;
}

interface Options {
  port: number;
  /** Requests a second. */
  rate: number;
  ms: number;
}

/**
 * Sends requests at their times, whatever the answers do: where none of the connections is free, one more is opened.
 * So a server that stops for a while is charged for everybody who would have come.
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
  const ask = async (request: string, due: number) => {
    // The one that has rested longest, so that none rests until the server lets go of it.
    const connection = free.shift() ?? open();
    const { status, head } = await connection.ask(request);
    latencies.push(performance.now() - due);
    if (status !== 200) failures.push(head.split('\r\n')[0] ?? '');
    free.push(connection);
  };

  const pending: Promise<unknown>[] = [];
  const start = performance.now();
  const count = Math.floor((rate * ms) / 1000);
  ownDelay.enable();
  for (let index = 0; index < count; index += 1) {
    const due = start + (index * 1000) / rate;
    while (performance.now() < due) await delay(1);
    const asked = ask(requests[index % requests.length] ?? '', due);
    pending.push(asked.catch((error: Error) => failures.push(error.message)));
  }
  await Promise.all(pending);
  ownDelay.disable();
  for (const connection of opened) connection.close();
  return { latencies, failures, clientStopMs: ownDelay.max / 1e6 };
}
