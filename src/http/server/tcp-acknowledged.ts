import { readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** What Node has below a socket: nothing public says how much of a write is still to be sent. */
interface Handle {
  fd: number;
  /** Bytes written so far, including those in the queue. */
  bytesWritten: number;
  /** Bytes that the system has not accepted yet. */
  writeQueueSize: number;
}

/** How many bytes were written to a connection, and how many of them its peer has acknowledged. */
export interface Sent {
  written: number;
  acknowledged: number;
}

/**
 * Where Linux lists its TCP connections, with their unacknowledged bytes and their inodes. These are there, too, where
 * systemd shows nothing else than processes (ProcSubset=pid).
 */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
const ROW = /^ *\d+: \S+ \S+ \S+ ([\dA-F]+):\S+ \S+ \S+ +\d+ +\d+ (\d+) /;

/**
 * What was sent over connections, those that are closed left out. Linux accepts up to 4 MB at once (tcp_wmem), which a
 * slow line delivers in minutes, so the accepted bytes alone do not show whether a client reads. On other systems they
 * count as acknowledged.
 */
export async function lookAtSent(sockets: readonly Socket[]): Promise<Map<Socket, Sent>> {
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
  if (sent.size === 0) return sent;
  // What is accepted from here on makes a result too low until the next look, and none too high.
  for (const path of TABLES) await subtractUnacknowledged(path, byInode).catch(() => {});
  return sent;
}

/** Fails on systems that have no such table. */
async function subtractUnacknowledged(path: string, byInode: Map<string | undefined, Sent>): Promise<void> {
  const table = await open(path);
  for await (const row of table.readLines()) {
    const [, unacknowledged = '', inode] = ROW.exec(row) ?? [];
    const counters = byInode.get(inode);
    if (counters) counters.acknowledged -= Number.parseInt(unacknowledged, 16);
  }
}

/** The inode of a socket, by which the system lists it; undefined where it does not. */
function inodeOf(fd: number): string | undefined {
  try {
    return /\d+/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[0];
  } catch {
    return undefined;
  }
}
