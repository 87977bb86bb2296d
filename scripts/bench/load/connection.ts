import { connect } from 'node:net';

/** What is looked at of an answer. */
export interface Answer {
  status: number;
  /** What came before the body. */
  head: string;
}

/** A keep-alive connection of HTTP/1.1, with one request under way at most. */
export interface Connection {
  /** Sends a whole request, and resolves when its answer has come whole. */
  ask(request: string): Promise<Answer>;
  close(): void;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** How long an answer may keep its client waiting, in milliseconds. */
const ANSWER_MS = 60_000;
const HEAD_END = '\r\n\r\n';

/**
 * Opens a connection to a port of the loopback. It reads as little of the answers as it can, so that the client takes
 * less of the machine than the server: their status and their length, which has to be told.
 */
export function openConnection(port: number): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let waiting: Waiting | undefined;
  let answer: Answer | undefined;
  let begun: Buffer = Buffer.alloc(0);
  /** How many bytes of the body are yet to come. */
  let missing = 0;

  const readHead = (chunk: Buffer): void => {
    begun = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    const end = begun.indexOf(HEAD_END);
    if (end === -1) return;
    const head = begun.toString('latin1', 0, end);
    answer = { status: Number(head.slice(9, 12)), head };
    missing = bodyLength(answer) - (begun.length - end - HEAD_END.length);
    begun = Buffer.alloc(0);
  };
  const fail = (error: Error): void => {
    waiting?.reject(error);
    waiting = undefined;
  };

  socket.on('data', chunk => {
    if (answer) missing -= chunk.length;
    else readHead(chunk);
    if (!answer || missing > 0) return;
    const [whole, asked] = [answer, waiting];
    answer = undefined;
    waiting = undefined;
    if (missing === 0) asked?.resolve(whole);
    else asked?.reject(new Error(`the answer is not as long as it says: ${whole.head}`));
  });
  socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('no answer came')));
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed')));
  return {
    ask(request) {
      if (socket.destroyed) return Promise.reject(new Error('the connection was closed'));
      socket.write(request, 'latin1');
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
      });
    },
    close: () => void socket.destroy(),
  };
}

/** NaN where the answer does not tell, which is as long as nothing. */
function bodyLength({ status, head }: Answer): number {
  return status === 304 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
}
