import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { afterTest } from './after-test.ts';

/** Attaches strace to all threads of a process, which injects this into its calls on these files. Returns what ends it. */
export async function attachStrace(t: TestContext, pid: number, files: string[], injection: string) {
  const strace = spawn(
    'strace',
    ['-f', '-p', String(pid), ...files.flatMap(file => ['-P', file]), '-e', `inject=${injection}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(strace, 'close');
  const kill = async () => {
    strace.kill('SIGKILL');
    await ended;
  };
  afterTest(t, kill);
  let output = '';
  const attached = new Promise<void>(resolve =>
    strace.stderr.on('data', data => {
      output += data;
      if (/^\S*strace: Process \d+ attached/m.test(output)) resolve();
    }),
  );
  const hasEnded = ended.then(() => {
    throw new Error(`strace has ended: ${output}`);
  });
  await Promise.race([attached, hasEnded]);
  return kill;
}
