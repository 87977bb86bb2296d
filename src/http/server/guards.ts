// Three guards: against requests that a proxy may read differently (a repeated or malformed Host, other versions of HTTP);
// against so many connections that the process runs out of file descriptors and memory; and against a megabyte of pipelined
// requests, whose answers would take gigabytes.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, malformed } from '../../errors.ts';

/** The maximum size of the request line and the headers together, in bytes. */
export const MAX_HEAD_BYTES = 16_384;

/** Checks the rules of HTTP that node:http does not. Returns the error for a request that breaks one. */
export function violation(request: IncomingMessage): ApiError | undefined {
  const { httpVersionMajor, httpVersion, rawHeaders } = request;
  if (httpVersionMajor !== 1) return new ApiError('VERSION_NOT_SUPPORTED');
  const expect = headerOf(rawHeaders, 'expect');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return new ApiError('EXPECTATION_FAILED');
  const host = headerOf(rawHeaders, 'host');
  // RFC 9112, section 3.2: HTTP/1.1 has exactly one Host, HTTP/1.0 may have none.
  const isValid = host === undefined ? httpVersion === '1.0' : HOST.test(host);
  return isValid ? undefined : malformed('send exactly one Host header, of the form name:port');
}

/** Returns a header by its lower-case name, repeated ones joined. `request.headers` would build an object of them all. */
export function headerOf(rawHeaders: readonly string[], lowerCase: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length !== lowerCase.length || name.toLowerCase() !== lowerCase) continue;
    const value = rawHeaders[index + 1] ?? '';
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

/** A name, an IPv4 address or an IPv6 address in brackets, and an optional port (RFC 3986, sections 3.2.2 and 3.2.3). */
const HOST = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d*)?$/i;

/** How many connections over the limit get an error response. Further ones are closed without one. */
const SPARE = 100;
const excess = new WeakSet<Socket>();

/** Whether a connection is over the limit of its server. */
export function isExcess(socket: Socket): boolean {
  return excess.has(socket);
}

/** Limits the open connections of a server. Those over the limit are marked, see `isExcess`, or closed. */
export function limitConnections(server: Server, maxConnections: number): void {
  let open = 0;
  server.on('connection', socket => {
    if (open === maxConnections + SPARE) return void socket.destroy();
    if (open >= maxConnections) excess.add(socket);
    open += 1;
    socket.once('close', () => (open -= 1));
  });
}

/** How many pipelined requests of a connection may wait. With more, it is closed. */
const MAX_WAITING = 100;

/** Faster than a WeakMap. */
const LAST = Symbol('last answer');
type ClientConnection = Duplex & { [LAST]?: ServerResponse };

/** Returns the last response of a connection, which may not have been sent yet. */
export function lastAnswer(connection: ClientConnection): ServerResponse | undefined {
  return connection[LAST];
}

/**
 * Handles the pipelined requests of a connection one after the other; node:http handles them all at once and buffers the
 * responses. Drops requests that follow a response which closes the connection: node:http emits them all the same, but nobody
 * would get the answer.
 */
export function serializePipelining(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Duplex, number>();
  return (request, response) => {
    const { socket }: { socket: ClientConnection } = request;
    // Fastify does not know PRI, the method of the HTTP/2 preface. Its version is refused later.
    if (request.method === 'PRI') request.method = 'GET';
    const before = socket[LAST];
    socket[LAST] = response;
    const handle = () => void (socket.writable && listener(request, response));
    if (!before || before.closed) return handle();
    const ahead = waiting.get(socket) ?? 0;
    if (ahead === MAX_WAITING) return void socket.destroy();
    waiting.set(socket, ahead + 1);
    before.once('close', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      handle();
    });
  };
}
