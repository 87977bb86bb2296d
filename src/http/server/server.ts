import { executionAsyncResource } from 'node:async_hooks';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { ErrorCode } from '../../errors.ts';
import type { Settings } from '../../settings/settings.ts';
import { handleClientErrors } from './client-errors.ts';
import { limitConnections, MAX_HEAD_BYTES, serializePipelining } from './guards.ts';
import { resetStalled } from './stalled-connections.ts';

/** How often connections are checked for timeouts, in milliseconds. */
const CHECK_MS = 500;

/** A node:http server that disconnects slow clients, and sends every error in the envelope. */
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
      requestTimeout: 0, // A body takes as long as the line does, if that has a minimum rate.
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: CHECK_MS,
      requireHostHeader: false,
    },
    serializePipelining(listener),
  );
  resetStalled(server, clientTimeoutMs);
  server.maxHeadersCount = 0; // With a maximum, node:http would silently drop headers.
  limitConnections(server, maxConnections);
  handleClientErrors(server, onBroken);
  return server;
}

/**
 * Keeps one of Node's records of `process.nextTick` alive. If V8 collects garbage in an idle process that has none, it
 * discards their hidden class and never optimizes it as well again: each request then takes a sixth more CPU time.
 */
function keepTickClass(): void {
  process.nextTick(() => {
    kept[0] = executionAsyncResource();
  });
}

const kept: object[] = [];
