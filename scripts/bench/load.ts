import { connect } from 'node:net';

export interface Load {
  /** How many answers had the expected status. */
  answers: number;
  /** Of the fastest answer, in milliseconds. */
  leastMs: number;
  failures: string[];
}

interface Options {
  port: number;
  connections: number;
  /** The status that every answer must have. */
  status: number;
  /** When to stop sending, in milliseconds. */
  ms: number;
}

/**
 * Sends requests over so many connections, each of which sends its next one after its answer. They go round the list,
 * beginning at `first`.
 */
export async function closedLoop(
  requests: string[],
  first: number,
  { port, connections, status, ms }: Options,
): Promise<Load> {
  const load: Load = { answers: 0, leastMs: Number.POSITIVE_INFINITY, failures: [] };
  const start = performance.now();
  let next = first;
  const client = async () => {
    const { send, close } = openConnection(port);
    for (let sent = start; sent - start < ms; ) {
      const request = requests[next % requests.length] ?? '';
      next += 1;
      sent = performance.now();
      const head = await send(request);
      load.leastMs = Math.min(load.leastMs, performance.now() - sent);
      if (statusIn(head) === status) load.answers += 1;
      else load.failures.push(`${head.split('\r\n')[0]} for ${request.split('\r\n')[0]}`);
    }
    close();
  };
  // A client that sleeps between answers lets the server pay for waking it with its own CPU time, and a slow server more
  // often: the figures would double.
  let isOver = false;
  const spin = () => {
    if (!isOver) setImmediate(spin);
  };
  spin();
  const clients = Array.from({ length: connections }, client);
  await Promise.all(clients.map(ended => ended.catch(error => load.failures.push(error.message))));
  isOver = true;
  return load;
}

/** A GET. */
export function requestOf(path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`;
}

const HEAD_END = '\r\n\r\n';

function statusIn(head: string): number {
  return Number(head.slice(9, 12));
}

/**
 * A keep-alive connection to a port of the loopback, with at most one pending request, which resolves to the head of its
 * answer. It parses only status and Content-Length, so that the client takes less of the machine than the server.
 */
function openConnection(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let pending: { resolve(head: string): void; reject(error: Error): void } | undefined;
  let head: string | undefined;
  let buffered: Buffer = Buffer.alloc(0);
  /** How many bytes of the answer have not arrived, once its head is known. */
  let missing = 0;
  const fail = (error: Error) => pending?.reject(error);
  socket.on('data', chunk => {
    missing -= chunk.length;
    if (head === undefined) {
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
      const end = buffered.indexOf(HEAD_END);
      if (end === -1) return;
      head = buffered.toString('latin1', 0, end);
      // NaN without a Content-Length, which fails the answer.
      const length = statusIn(head) === 304 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
      missing = end + HEAD_END.length + length - buffered.length;
      buffered = Buffer.alloc(0);
    }
    if (missing > 0) return;
    if (missing === 0) pending?.resolve(head);
    else fail(new Error(`wrong Content-Length: ${head}`));
    head = undefined;
  });
  socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')));
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection is closed')));
  return {
    send(request: string): Promise<string> {
      socket.write(request, 'latin1');
      return new Promise((resolve, reject) => {
        pending = { resolve, reject };
        if (socket.destroyed) reject(new Error('the connection is closed'));
      });
    },
    close: () => void socket.destroy(),
  };
}

/** The quantile of a share from 0 to 1, interpolated; NaN of no values. */
export function quantile(values: number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
