import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { afterTest } from '../support/after-test.ts';

const MEMORY_CGROUPS = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { root: '/sys/fs/cgroup', limit: 'memory.max' },
];

/**
 * Makes a memory cgroup of so many MB, as a container has one, and returns what puts a process into it; nothing does where
 * the machine does not permit it.
 */
export function openMemoryLimit(t: TestContext, megabytes: number): (child: ChildProcess) => void {
  for (const { root, limit } of MEMORY_CGROUPS) {
    const dir = join(root, `vitrine-test-${process.pid}`);
    try {
      mkdirSync(dir);
      afterTest(t, () => removeWhenEmpty(dir));
      if (!existsSync(join(dir, limit))) continue;
      writeFileSync(join(dir, limit), String(megabytes * 2 ** 20));
      return ({ pid }) => writeFileSync(join(dir, 'cgroup.procs'), String(pid));
    } catch {
      // Not this version of cgroups, or no permission.
    }
  }
  t.diagnostic('this machine permits no memory cgroups: no container');
  return () => {};
}

async function removeWhenEmpty(dir: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    try {
      return rmdirSync(dir);
    } catch {
      await delay(100);
    }
  }
}
