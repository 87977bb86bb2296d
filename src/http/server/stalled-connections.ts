import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { lastAnswer } from './pipelining.ts';
import { lookAtSent } from './tcp-acknowledged.ts';

/** How many times connections are looked at in the time for which one may be stalled. */
const LOOKS = 8;
/** How many looks a client that reads can be ahead. */
const MAX_LOOKS = 8 * LOOKS;
/** What a client has to take of an answer, in bytes a millisecond. */
const MIN_RATE = 1;

/** What is known of a connection that is being answered. */
interface Progress {
  /** What the client had acknowledged at the last look; undefined at the first. */
  acknowledged?: number;
  /** Whether it has taken nothing from one look to the next. */
  hasPaused?: boolean;
  /** The number of the look at which it is reset. */
  deadline: number;
}

/**
 * Resets connections that are being answered and whose clients acknowledge less than 1 kB a second for `idleTimeoutMs`,
 * whatever they send meanwhile; a timeout of the socket would start anew with each byte that comes in. What a client
 * takes beyond that after a pause counts for later, for 8 times as long at most: systems acknowledge in large pieces what a
 * slow program reads. Looks are counted, not time, so that no client pays for a time in which the process was suspended.
 */
export function resetStalled(server: Server, idleTimeoutMs: number): void {
  const open = new Set<Socket>();
  let answering = new Map<Socket, Progress>();
  const bytesPerLook = (MIN_RATE * idleTimeoutMs) / LOOKS;
  let looks = 0;
  let measuring: Promise<void> | undefined;

  const look = () => {
    looks += 1;
    const before = answering;
    answering = new Map();
    for (const socket of open) {
      if (lastAnswer(socket)?.closed === false) {
        answering.set(socket, before.get(socket) ?? { deadline: looks + LOOKS });
      }
    }
    // Few answers take from one look to the next.
    const slow = [...answering.keys()].filter(socket => before.has(socket));
    if (slow.length > 0) measuring ??= measure(slow).finally(() => (measuring = undefined));
  };

  const measure = async (slow: readonly Socket[]) => {
    for (const [socket, { written, acknowledged }] of await lookAtSent(slow)) {
      const progress = answering.get(socket);
      if (!progress) continue;
      const { acknowledged: before } = progress;
      progress.acknowledged = acknowledged;
      if (before === undefined) continue;
      const taken = acknowledged - before;
      // Where nothing is left to take, the answer itself is slow.
      if (taken >= bytesPerLook || acknowledged === written) {
        progress.deadline = Math.max(progress.deadline, looks + LOOKS);
      }
      // Before the first pause, it may be the client's system alone that takes the answer.
      if (progress.hasPaused) {
        progress.deadline = Math.min(progress.deadline + taken / bytesPerLook, looks + MAX_LOOKS);
      }
      progress.hasPaused ||= taken === 0;
      // Were it only ended, the system would keep for minutes what it has accepted.
      if (looks >= progress.deadline) socket.resetAndDestroy();
    }
  };

  server.on('connection', socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.once('listening', () => {
    const timer = setInterval(look, idleTimeoutMs / LOOKS).unref();
    server.once('close', () => clearInterval(timer));
  });
}
