import { createServer, type RequestListener, type Server } from 'node:http';
import type { ErrorCode } from '../errors.ts';
import type { Settings } from '../settings.ts';
import { refuseBrokenRequests } from './broken-requests.ts';
import { MAX_HEAD_BYTES } from './message-rules.ts';
import type { ConnectionLimit } from './overload.ts';
import { keepTickClass } from './tick-class.ts';
import { answerInTurn } from './turns.ts';

/** How often connections are looked through for those that are out of time, in milliseconds. */
const CHECK_MS = 500;

/** How long a client may take for what. */
type Limits = Pick<Settings, 'requestTimeoutMs' | 'idleTimeoutMs' | 'keepAliveMs'>;

/** A server of node:http on which no client can stay for long that does not do its part, and no answer is without its envelope. */
export function createHttpServer(
  listener: RequestListener,
  { requestTimeoutMs, idleTimeoutMs, keepAliveMs }: Limits,
  connections: ConnectionLimit,
  onBroken: (error: ErrorCode) => void,
): Server {
  keepTickClass();
  const server = createServer(
    {
      maxHeaderSize: MAX_HEAD_BYTES,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: CHECK_MS,
      requireHostHeader: false,
    },
    answerInTurn(listener),
  );
  server.setTimeout(idleTimeoutMs, socket => {
    // What the system holds of an answer that nobody takes would stay there for minutes, were the connection but ended.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else socket.destroy();
  });
  server.maxHeadersCount = 0; // Those beyond a maximum would be left out, whatever they say.
  connections.watch(server);
  refuseBrokenRequests(server, onBroken);
  return server;
}
