import { readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** The internal handle of a socket. No public API says how much of a write is still queued. */
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
 * Where Linux lists TCP connections, with their unacknowledged bytes and their inodes. Under `/proc/self`, they exist
 * even if systemd hides everything but processes (ProcSubset=pid).
 */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
const ROW = /^ *\d+: \S+ \S+ \S+ ([\dA-F]+):\S+ \S+ \S+ +\d+ +\d+ (\d+) /;

/**
 * What was sent over these connections, without the closed ones. Linux buffers up to 4 MB per connection (tcp_wmem),
 * which takes minutes over a slow line, so the buffered bytes do not show whether a client reads. On other systems they
 * count as acknowledged.
 */
export async function bytesSent(sockets: readonly Socket[]): Promise<Map<Socket, Sent>> {
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
  // Bytes written from here on can only make a result too low, until the next call.
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

/** The inode by which Linux lists a socket; undefined on other systems. */
function inodeOf(fd: number): string | undefined {
  try {
    return /\d+/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[0];
  } catch {
    return undefined;
  }
}
