import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What each thread of a process has computed since it began, in nanoseconds, by its id. */
export type CpuTimes = ReadonlyMap<string, number>;

/** @throws where the system does not tell, as only Linux does. */
export function requireCpuTimes(): void {
  if (existsSync('/proc/self/schedstat')) return;
  throw new Error('The bench reads CPU times from /proc, which is Linux only.');
}

/** The times of all threads of a process and of its children. */
export function cpuTimes(pid: number): CpuTimes {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const task = `/proc/${pid}/task/${thread}`;
    // A thread that has ended meanwhile has no files any more.
    if (!existsSync(task)) continue;
    const [running] = readFileSync(`${task}/schedstat`, 'latin1').split(' ');
    times.set(thread, Number(running));
    const children = readFileSync(`${task}/children`, 'latin1').split(' ').filter(Boolean);
    for (const child of children) for (const [id, time] of cpuTimes(Number(child))) times.set(id, time);
  }
  return times;
}

/** What was computed from one time to the other, in microseconds; without threads that have ended in between. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): number {
  let nanoseconds = 0;
  for (const [thread, time] of after) nanoseconds += time - (before.get(thread) ?? 0);
  return nanoseconds / 1000;
}

/** How much memory of a process is in RAM, in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Number(kilobytes) * 1024;
}
