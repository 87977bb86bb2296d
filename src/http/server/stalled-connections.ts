// Disconnects clients that read nothing of a response or send a body slowly, and so hold connections and memory. A socket's
// own timeout does not help, since anything that a client sends extends it.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { lastAnswer } from './guards.ts';

/** How many checks make up the timeout. With several, a suspended process blames no client. */
const CHECKS = 8;
/** How many timeouts a client may pause. The system accepts large pieces, which a slow program reads in small ones. */
const PAUSES = 4;

/** The internal handle of a socket. No public API returns how many bytes the system has not accepted yet. */
type Handle = Record<'bytesWritten' | 'writeQueueSize', number>;

/** The error that node:http emits for a request that does not arrive in time. */
const TIMEOUT = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/** The bytes of a connection at the last check, and for how many checks in a row it has been too slow. */
type Pace = Record<'bytes' | 'checks', number>;
/** How fast the client of a connection sends a body and takes a response, while it does. */
type Paces = { sent?: Pace; taken?: Pace };

/** Resets clients that read nothing for 4 times `timeoutMs`. Those that send a body below 1 kB/s for `timeoutMs` get 408. */
export function resetStalled(server: Server, timeoutMs: number): void {
  const sockets = new Map<Socket, Paces>();
  const bytesPerCheck = timeoutMs / CHECKS; // A byte per millisecond is 1 kB per second.
  const paceOf = (before: Pace | undefined, bytes: number, least: number): Pace => {
    const isSlow = before !== undefined && bytes - before.bytes < least;
    return { bytes, checks: isSlow ? before.checks + 1 : 0 };
  };
  const check = () => {
    for (const [socket, before] of sockets) {
      const paces: Paces = {};
      sockets.set(socket, paces);
      const { _handle: handle } = socket as { _handle?: Handle | null };
      const request = lastAnswer(socket)?.req;
      if (request?.complete === false) {
        // The client has to wait if the service does not read what has arrived.
        const isWaiting = request.readableLength >= request.readableHighWaterMark;
        paces.sent = paceOf(before.sent, socket.bytesRead, isWaiting ? 0 : bytesPerCheck);
        if (paces.sent.checks === CHECKS) server.emit('clientError', TIMEOUT, socket);
      }
      // If the system has accepted everything, the service is slow, not the client.
      if (!handle || socket.writableLength === 0) continue;
      paces.taken = paceOf(before.taken, handle.bytesWritten - handle.writeQueueSize, 1);
      // After end(), the system would keep the buffered bytes for minutes.
      if (paces.taken.checks === CHECKS * PAUSES) socket.resetAndDestroy();
    }
  };
  server.on('connection', socket => {
    sockets.set(socket, {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.once('listening', () => {
    const timer = setInterval(check, timeoutMs / CHECKS).unref();
    server.once('close', () => clearInterval(timer));
  });
}
