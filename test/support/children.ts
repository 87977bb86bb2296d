import { readFileSync } from 'node:fs';

export const isLinux = process.platform === 'linux';

/** The ids of the processes that this one has started and that have not ended. */
export function childrenOf(pid = process.pid): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** The resident memory of a process, in kB. */
export function residentMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
