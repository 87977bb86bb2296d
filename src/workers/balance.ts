import type { Socket } from 'node:net';

/** A thread yields when it has this many connections more than another one, and this part of them all. */
const AHEAD = 2;
const AHEAD_PART = 1 / 16;
/** For how long, in milliseconds: another thread wakes up meanwhile and accepts the next connection. */
const YIELD_MS = 0.05;

const sleeper = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Counts a connection that a thread has accepted, and lets other threads go first if it has accepted more than they have.
 * Whoever wakes up first accepts all connections that wait; connections that arrive together would all belong to one thread,
 * and keep its core busy while others idle.
 */
export function yieldToOthers(openCounts: Int32Array, index: number, socket: Socket): void {
  Atomics.add(openCounts, index, 1);
  socket.once('close', () => Atomics.sub(openCounts, index, 1));
  const own = openCounts[index] ?? 0;
  const fewest = Math.min(...openCounts);
  const all = openCounts.reduce((sum, count) => sum + count, 0);
  if (own - fewest > AHEAD + all * AHEAD_PART) Atomics.wait(sleeper, 0, 0, YIELD_MS);
}
