import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';

/** Asks for the news every 10 ms over new connections until `signal` aborts; resolves to the time of each answer, in ms. */
export async function visit(port: number, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const from = performance.now();
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/api/news?limit=1`, { reset: true });
    await body.dump();
    times.push(performance.now() - from);
    assert.equal(statusCode, 200);
    await delay(10);
  }
  return times;
}

/** A percentile of some times. */
export function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length * percent) / 100)] ?? assert.fail('nobody was answered');
}

/** How many files and sockets a process has open. */
export async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** The resident memory of a process, in kB. */
export function residentMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
