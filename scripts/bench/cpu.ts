import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** CPU time of each thread since its start in nanoseconds, by thread id. */
export type CpuTimes = ReadonlyMap<string, number>;

/** @throws on systems other than Linux. */
export function requireCpuTimes(): void {
  if (existsSync('/proc/self/schedstat')) return;
  throw new Error('The bench needs Linux: it reads CPU times from /proc.');
}

/** All threads of a process and of its children. */
export function cpuTimes(pid: number): CpuTimes {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const task = `/proc/${pid}/task/${thread}`;
    // The thread may have ended meanwhile.
    if (!existsSync(task)) continue;
    const [running] = readFileSync(`${task}/schedstat`, 'latin1').split(' ');
    times.set(thread, Number(running));
    const children = readFileSync(`${task}/children`, 'latin1').split(' ').filter(Boolean);
    for (const child of children) for (const [id, time] of cpuTimes(Number(child))) times.set(id, time);
  }
  return times;
}

/** The CPU time between two samples in microseconds, without threads that ended in between. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): number {
  let nanoseconds = 0;
  for (const [thread, time] of after) nanoseconds += time - (before.get(thread) ?? 0);
  return nanoseconds / 1000;
}

/** The resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Number(kilobytes) * 1024;
}
