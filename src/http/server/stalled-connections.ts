// Against clients that ask for much and read little or nothing, or send a body as slowly, and so hold connections and memory.
import { readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { lastAnswer } from './guards.ts';

/** How many times connections are checked within the timeout. */
const CHECKS = 8;
/** How many checks a client can be ahead by reading faster than it must. */
const MAX_CHECKS = 8 * CHECKS;

interface Progress {
  /** The bytes that the client had acknowledged at the last check; undefined at the first. */
  acknowledged?: number;
  /** Whether the client acknowledged nothing between two checks. */
  hasPaused?: boolean;
  /** The number of the check that resets the connection. */
  deadline: number;
}

/** A body that has not come whole: the bytes of its connection at the last check, and the number of the check that ends it. */
type Arrival = Record<'bytes' | 'deadline', number>;

/**
 * Resets connections whose clients acknowledge less than 1 kB of the response per second for `timeoutMs`. What a client
 * acknowledges beyond that rate after a pause extends its deadline, to 8 times the timeout at most: the system acknowledges
 * in large pieces what a slow program reads. Who sends less than 1 kB of a body per second for that long gets 408. Deadlines
 * count checks, not time, so that a suspended process blames no client.
 */
export function resetStalled(server: Server, timeoutMs: number): void {
  const sockets = new Set<Socket>();
  let answering = new Map<Socket, Progress>();
  let arriving = new Map<Socket, Arrival>();
  const bytesPerCheck = timeoutMs / CHECKS; // A byte per millisecond is 1 kB per second.
  let checks = 0;
  let measuring: Promise<void> | undefined;

  const checkBodies = () => {
    const before = arriving;
    arriving = new Map();
    for (const socket of sockets) {
      const request = lastAnswer(socket)?.req;
      if (request?.complete !== false) continue;
      const { bytesRead: bytes } = socket;
      const last = before.get(socket);
      // A client waits while the service does not read what has arrived.
      const isWaiting = request.readableLength >= request.readableHighWaterMark;
      const isFast = !last || isWaiting || bytes - last.bytes >= bytesPerCheck;
      const deadline = isFast ? checks + CHECKS : last.deadline;
      arriving.set(socket, { bytes, deadline });
      if (checks >= deadline) server.emit('clientError', requestTimeout(), socket);
    }
  };

  const check = () => {
    checks += 1;
    checkBodies();
    const before = answering;
    answering = new Map();
    for (const socket of sockets)
      if (lastAnswer(socket)?.closed === false)
        answering.set(socket, before.get(socket) ?? { deadline: checks + CHECKS });
    // Most responses are finished by the next check.
    const slow = [...answering.keys()].filter(socket => before.has(socket));
    if (slow.length > 0) {
      measuring ??= measure(slow)
        .catch(() => {}) // The table cannot be read.
        .finally(() => (measuring = undefined));
    }
  };

  const measure = async (slow: readonly Socket[]) => {
    for (const [socket, { written, acknowledged }] of await bytesSent(slow)) {
      const progress = answering.get(socket);
      if (!progress) continue;
      const { acknowledged: before } = progress;
      progress.acknowledged = acknowledged;
      if (before === undefined) continue;
      const received = acknowledged - before;
      // If everything was acknowledged, it is the response that is slow.
      if (received >= bytesPerCheck || acknowledged === written)
        progress.deadline = Math.max(progress.deadline, checks + CHECKS);
      // Before the first pause, the client's system may acknowledge what its program does not read.
      if (progress.hasPaused)
        progress.deadline = Math.min(progress.deadline + received / bytesPerCheck, checks + MAX_CHECKS);
      progress.hasPaused ||= received === 0;
      // After end() alone, the system would keep the buffered bytes for minutes.
      if (checks >= progress.deadline) socket.resetAndDestroy();
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

/** The error of node:http for a request that does not arrive in time. */
function requestTimeout(): Error {
  return Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

/** The internal handle of a socket. No public API says how many bytes the system has not accepted yet. */
type Handle = Record<'fd' | 'bytesWritten' | 'writeQueueSize', number>;
/** How many bytes were written to a connection, and how many of them its peer has acknowledged. */
type Sent = Record<'written' | 'acknowledged', number>;

/** Where Linux lists TCP connections, with their unacknowledged bytes and their inodes, even under ProcSubset=pid. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
const ROW = /^ *\d+: \S+ \S+ \S+ ([\dA-F]+):\S+ \S+ \S+ +\d+ +\d+ (\d+) /;

/**
 * What was sent over these connections, without the closed ones. Linux buffers up to 4 MB per connection (tcp_wmem),
 * minutes of a slow line, so the buffered bytes do not show whether a client reads. Other systems count them as acknowledged.
 */
async function bytesSent(sockets: readonly Socket[]): Promise<Map<Socket, Sent>> {
  const sent = new Map<Socket, Sent>();
  const byInode = new Map<string | undefined, Sent>();
  for (const socket of sockets) {
    const { _handle: handle } = socket as { _handle?: Handle | null };
    if (!handle) continue;
    const { fd, bytesWritten: written, writeQueueSize } = handle;
    const counters = { written, acknowledged: written - writeQueueSize };
    sent.set(socket, counters);
    byInode.set(inodeOf(fd), counters);
  }
  // Bytes written from here on can only make a result too low, until the next call.
  for (const path of TABLES) {
    const table = await open(path).catch(() => undefined);
    for await (const row of table?.readLines() ?? []) {
      const [, unacknowledged = '', inode] = ROW.exec(row) ?? [];
      const counters = byInode.get(inode);
      if (counters) counters.acknowledged -= Number.parseInt(unacknowledged, 16);
    }
  }
  return sent;
}

/** The inode by which Linux lists a socket; undefined on other systems. */
function inodeOf(fd: number): string | undefined {
  try {
    return /\d+/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[0];
  } catch {
    return undefined;
  }
}
