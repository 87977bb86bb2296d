// Against clients that send a megabyte of pipelined requests, whose answers would take gigabytes of memory.
import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** How many pipelined requests of a connection may wait; with more it is closed. */
const MAX_WAITING = 100;

/** Holds the last response of a connection. Read for each request, and faster than a WeakMap. */
const LAST = Symbol('last answer');

/** The last response of a connection; it may not have been sent yet. */
export function lastAnswer(connection: Duplex & { [LAST]?: ServerResponse }): ServerResponse | undefined {
  return connection[LAST];
}

/**
 * Handles the pipelined requests of a connection one after the other, each once the client has received the response
 * before it. node:http handles them all at once and buffers the responses: more than a gigabyte for each megabyte of
 * requests for lists.
 */
export function serializePipelining(listener: RequestListener): RequestListener {
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
