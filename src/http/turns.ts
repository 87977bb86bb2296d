import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** How many requests of a connection may wait for their turn; with more it is closed. */
const MAX_WAITING = 100;

/** Where a connection has its last answer: each request looks there, and a WeakMap takes longer. */
const LAST = Symbol('last answer');

/** The last answer of a connection, which may yet have to be made. */
export function lastAnswer(connection: Duplex & { [LAST]?: ServerResponse }): ServerResponse | undefined {
  return connection[LAST];
}

/**
 * Has the requests of a connection answered in turn, each when the client has taken the answer before it. By itself
 * node:http answers all that come at once, and keeps in memory what is not taken: for each megabyte of requests for
 * lists, more than a gigabyte.
 */
export function answerInTurn(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Duplex, number>();
  return (request, response) => {
    const { socket }: { socket: Duplex & { [LAST]?: ServerResponse } } = request;
    const before = socket[LAST];
    socket[LAST] = response;
    if (!before || before.closed) return listener(request, response);
    const ahead = waiting.get(socket) ?? 0;
    if (ahead === MAX_WAITING) return void socket.destroy();
    waiting.set(socket, ahead + 1);
    before.once('close', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      if (!socket.destroyed) listener(request, response);
    });
  };
}
