// Three small guards. Against requests that a proxy in front may read differently: repeated or malformed Host, other versions
// of HTTP. Against clients that open so many connections that the process runs out of file descriptors and memory. Against
// clients that send a megabyte of pipelined requests, whose answers would take gigabytes of memory.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, malformed } from '../../errors.ts';

/** The maximum size of the request line and the headers together, in bytes. */
export const MAX_HEAD_BYTES = 16_384;

/** The error of a request that breaks a rule of HTTP which node:http does not check; undefined if it breaks none. */
export function violation({
  httpVersionMajor,
  httpVersion,
  rawHeaders,
}: IncomingMessage): ApiError | undefined {
  if (httpVersionMajor !== 1) return new ApiError('VERSION_NOT_SUPPORTED');
  const expect = headerOf(rawHeaders, 'expect');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return new ApiError('EXPECTATION_FAILED');
  const host = headerOf(rawHeaders, 'host');
  // RFC 9112, section 3.2: HTTP/1.1 has exactly one Host, HTTP/1.0 may have none.
  const isValid = host === undefined ? httpVersion === '1.0' : HOST.test(host);
  return isValid ? undefined : malformed('send exactly one Host header, of the form name:port');
}

/**
 * The value of a header, given by its name in lower case; undefined without it. Repeated ones are joined, as node:http does.
 * `request.headers` would build an object of all of them.
 */
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

/** RFC 3986, sections 3.2.2 and 3.2.3: a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d*)?$/i;

/** So many connections over the limit get an error response; others are closed without one. */
const SPARE = 100;
const excess = new WeakSet<Socket>();

/** Whether a connection is over the limit of its server. */
export function isExcess(socket: Socket): boolean {
  return excess.has(socket);
}

/** Limits the connections that a server has at a time: each takes memory and a file descriptor. */
export function limitConnections(server: Server, maxConnections: number): void {
  let open = 0;
  server.on('connection', socket => {
    if (open === maxConnections + SPARE) return void socket.destroy();
    if (open >= maxConnections) excess.add(socket);
    open += 1;
    socket.once('close', () => (open -= 1));
  });
}

/** How many pipelined requests of a connection may wait; with more it is closed. */
const MAX_WAITING = 100;

/** A connection, with its last response, which may not have been sent yet. Faster than a WeakMap. */
const LAST = Symbol('last answer');
type Connection = Duplex & { [LAST]?: ServerResponse };

/** The last response of a connection; it may not have been sent yet. */
export function lastAnswer(connection: Connection): ServerResponse | undefined {
  return connection[LAST];
}

/**
 * Handles the pipelined requests of a connection in turn. node:http handles them all at once and buffers the responses. What
 * follows a response that closes the connection is dropped: node:http hands it out all the same, and nobody gets the answer.
 */
export function serializePipelining(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Duplex, number>();
  return (request, response) => {
    const { socket }: { socket: Connection } = request;
    // Fastify does not know PRI, the method of the HTTP/2 preface, which is refused by its version.
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
