import { connect } from 'node:net';

export interface Answer {
  status: number;
  /** The status line and the headers. */
  head: string;
}

/** A keep-alive connection of HTTP/1.1 with at most one pending request. */
export interface Connection {
  /** Sends a request; resolves when the answer is complete. */
  send(request: string): Promise<Answer>;
  close(): void;
}

const TIMEOUT_MS = 60_000;
const HEAD_END = '\r\n\r\n';

/**
 * Connects to a port of the loopback. It parses only status and Content-Length, so that the client takes less of the
 * machine than the server.
 */
export function openConnection(port: number): Connection {
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
    answer = { status: Number(head.slice(9, 12)), head };
    missing = bodyLength(answer) - (buffered.length - end - HEAD_END.length);
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
    send(request) {
      if (socket.destroyed) return Promise.reject(new Error('the connection is closed'));
      socket.write(request, 'latin1');
      return new Promise((resolve, reject) => {
        pending = { resolve, reject };
      });
    },
    close: () => void socket.destroy(),
  };
}

/** A GET. */
export function requestOf(path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`;
}

/** NaN without a Content-Length, which fails the answer. */
function bodyLength({ status, head }: Answer): number {
  return status === 304 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
}
