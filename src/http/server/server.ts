// The node:http server below Fastify: what no route can do, since it concerns connections or bytes that are not requests.
//
// `guards.ts` limits connections and pipelining. `client-errors.ts` answers what node:http cannot parse.
// `stalled-connections.ts` disconnects slow clients. `drain.ts` stops the service without an error for any client.
import { executionAsyncResource } from 'node:async_hooks';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../errors.ts';
import type { Settings } from '../../settings/settings.ts';
import { handleClientErrors } from './client-errors.ts';
import { lastAnswer, limitConnections, MAX_HEAD_BYTES, serializePipelining } from './guards.ts';
import { resetStalled } from './stalled-connections.ts';

/** How often node:http checks connections for timeouts, in milliseconds. */
const CHECK_MS = 500;

/** Creates a server that disconnects slow clients and sends every error in the envelope. */
export function createHttpServer(
  listener: RequestListener,
  { clientTimeoutMs, keepAliveMs, maxConnections }: Settings,
  onBroken: (error: ErrorCode) => void,
): Server {
  keepTickClass();
  const server = createServer(
    {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: clientTimeoutMs,
      requestTimeout: 0, // A body may take as long as it needs, at a minimum rate; see `resetStalled`.
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: CHECK_MS,
      requireHostHeader: false,
    },
    serializePipelining(listener),
  );
  resetStalled(server, clientTimeoutMs);
  server.maxHeadersCount = 0; // With a maximum, node:http silently drops headers.
  limitConnections(server, maxConnections);
  handleClientErrors(server, onBroken);
  keepNewConnections(server);
  return server;
}

/**
 * Lets clients that have connected and not sent a request yet still send one when the server closes. From Node 26 on,
 * node:http counts them as idle.
 */
function keepNewConnections(server: Server): void {
  const open = new Set<Socket>();
  server.on('connection', socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.closeIdleConnections = () => {
    for (const socket of open) if (lastAnswer(socket)?.closed) socket.destroy();
  };
}

/**
 * Keeps one of Node's records of `process.nextTick` alive. If V8 collects garbage in an idle process without any, it discards
 * their hidden class and never optimizes it as well again. Each request then takes a sixth more CPU time.
 */
function keepTickClass(): void {
  process.nextTick(() => {
    kept[0] = executionAsyncResource();
  });
}

const kept: object[] = [];
