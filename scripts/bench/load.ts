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
  onAnswer?: (index: number, head: string) => void;
}

/**
 * Sends requests over so many connections, each of which sends its next one after its answer. They go round the list,
 * beginning at `first`.
 */
export async function closedLoop(
  requests: string[],
  first: number,
  { port, connections, status, ms, onAnswer }: Options,
): Promise<Load> {
  const load: Load = { answers: 0, leastMs: Number.POSITIVE_INFINITY, failures: [] };
  const start = performance.now();
  let next = first;
  const client = async () => {
    const { send, close } = openConnection(port);
    for (let sent = start; sent - start < ms; ) {
      const index = next % requests.length;
      const request = requests[index] ?? '';
      next += 1;
      sent = performance.now();
      const answer = await send(request);
      load.leastMs = Math.min(load.leastMs, performance.now() - sent);
      if (answer.status === status) load.answers += 1;
      else load.failures.push(`${answer.head.split('\r\n')[0]} for ${request.split('\r\n')[0]}`);
      onAnswer?.(index, answer.head);
    }
    close();
  };
  const stopSpinning = spin();
  const clients = Array.from({ length: connections }, client);
  await Promise.all(clients.map(ended => ended.catch(error => load.failures.push(error.message))));
  stopSpinning();
  return load;
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

/** A GET. */
export function requestOf(path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`;
}

interface Answer {
  status: number;
  /** The status line and the headers. */
  head: string;
}

const TIMEOUT_MS = 60_000;
const HEAD_END = '\r\n\r\n';

/**
 * A keep-alive connection to a port of the loopback, with at most one pending request. It parses only status and
 * Content-Length, so that the client takes less of the machine than the server.
 */
function openConnection(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let pending: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  let answer: Answer | undefined;
  let buffered: Buffer = Buffer.alloc(0);
  /** How many bytes of the body have not arrived. */
  let missing = 0;

  const readHead = (chunk: Buffer): void => {
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
    const end = buffered.indexOf(HEAD_END);
    if (end === -1) return;
    const head = buffered.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    // NaN without a Content-Length, which fails the answer.
    const length = status === 304 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
    answer = { status, head };
    missing = length - (buffered.length - end - HEAD_END.length);
    buffered = Buffer.alloc(0);
  };
  const fail = (error: Error): void => {
    pending?.reject(error);
    pending = undefined;
  };
  socket.on('data', chunk => {
    if (answer) missing -= chunk.length;
    else readHead(chunk);
    if (!answer || missing > 0) return;
    if (missing === 0) pending?.resolve(answer);
    else fail(new Error(`wrong Content-Length: ${answer.head}`));
    answer = undefined;
  });
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection is closed')));
  return {
    send(request: string): Promise<Answer> {
      if (socket.destroyed) return Promise.reject(new Error('the connection is closed'));
      socket.write(request, 'latin1');
      return new Promise((resolve, reject) => {
        pending = { resolve, reject };
      });
    },
    close: () => void socket.destroy(),
  };
}
