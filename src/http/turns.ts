import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** How many requests of a connection may wait for their turn; with more it is closed. */
const MAX_WAITING = 100;

/** The last answer of each connection, which may yet have to be made. */
export type LastAnswers = WeakMap<Duplex, ServerResponse>;

/**
 * Has the requests of a connection answered in turn, each when the client has taken the answer before it. By itself
 * node:http answers all that come at once, and keeps in memory what is not taken: for each megabyte of requests for
 * lists, more than a gigabyte.
 */
export function answerInTurn(listener: RequestListener, answers: LastAnswers): RequestListener {
  const waiting = new WeakMap<Duplex, number>();
  return (request, response) => {
    const { socket } = request;
    const before = answers.get(socket);
    answers.set(socket, response);
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
