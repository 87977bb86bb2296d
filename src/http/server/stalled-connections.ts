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

/** Resets clients that read nothing for 4 times `timeoutMs`. Those that send a body below 1 kB/s for `timeoutMs` get 408. */
export function resetStalled(server: Server, timeoutMs: number): void {
  const sockets = new Set<Socket>();
  const bytesPerCheck = timeoutMs / CHECKS; // A byte per millisecond is 1 kB per second.
  let reading = new Map<Socket, Pace>();
  let sending = new Map<Socket, Pace>();
  const paceOf = (before: Pace | undefined, bytes: number, least: number): Pace => {
    const isSlow = before !== undefined && bytes - before.bytes < least;
    return { bytes, checks: isSlow ? before.checks + 1 : 0 };
  };
  const check = () => {
    const [before, sentBefore] = [reading, sending];
    reading = new Map();
    sending = new Map();
    for (const socket of sockets) {
      const { _handle: handle } = socket as { _handle?: Handle | null };
      const request = lastAnswer(socket)?.req;
      if (request?.complete === false) {
        // The client has to wait if the service does not read what has arrived.
        const isWaiting = request.readableLength >= request.readableHighWaterMark;
        const sent = paceOf(sentBefore.get(socket), socket.bytesRead, isWaiting ? 0 : bytesPerCheck);
        sending.set(socket, sent);
        if (sent.checks === CHECKS) server.emit('clientError', TIMEOUT, socket);
      }
      // If the system has accepted everything, the service is slow, not the client.
      if (!handle || socket.writableLength === 0) continue;
      const taken = paceOf(before.get(socket), handle.bytesWritten - handle.writeQueueSize, 1);
      reading.set(socket, taken);
      // After end(), the system would keep the buffered bytes for minutes.
      if (taken.checks === CHECKS * PAUSES) socket.resetAndDestroy();
    }
  };
  server.on('connection', socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.once('listening', () => {
    const timer = setInterval(check, timeoutMs / CHECKS).unref();
    server.once('close', () => clearInterval(timer));
  });
}
