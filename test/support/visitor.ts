import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';

/** Asks for the news every 10 ms over new connections until `signal` aborts, and asserts that each is answered. */
export async function visit(port: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/api/news?limit=1`, { reset: true });
    await body.dump();
    assert.equal(statusCode, 200);
    await delay(10);
  }
}

/** How many files and sockets a process has open. */
export async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** The resident memory of a process, in kB. */
export function residentMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
