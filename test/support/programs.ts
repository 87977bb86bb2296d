import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterTest, type Lifetime } from './after-test.ts';

export const isLinux = process.platform === 'linux';

/** Programs that have not ended. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) killGroup(child, 'SIGKILL');
});
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid) process.kill(-child.pid, signal);
  } catch {
    // All of them have ended.
  }
}

/**
 * Starts a program, in the environment of the tests unless `env` is another one. After the test, it is killed with all that
 * it has started.
 */
export function startProgram(
  t: Lifetime,
  [program = '', ...args]: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; uid?: number; gid?: number } = {},
) {
  const child = spawn(program, args, { ...options, detached: true, stdio: 'pipe' });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', chunk => (output[name] += chunk));
  /** Its exit code and all that it has written, once everything has ended that shares its output. */
  const exit = once(child, 'close').then(([code]: (number | null)[]) => {
    running.delete(child);
    return { code: code ?? null, ...output };
  });
  /** Sends a signal to it and all that it has started; resolves when they have ended. */
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    if (running.has(child)) killGroup(child, signal);
    return exit;
  };
  afterTest(t, () => end('SIGKILL'));
  /** Resolves to the match of what it writes; fails if it ends before. */
  const says = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
      if (match) return match;
      const waiting = new AbortController();
      const more = [child.stdout, child.stderr].map(stream => once(stream, 'data', waiting));
      const ended = await Promise.race([exit, ...more.map(data => data.then(() => undefined))]);
      waiting.abort();
      if (ended) throw new Error(`${program} has ended with ${ended.code}: ${ended.stdout}${ended.stderr}`);
    }
  };
  /** Resolves to the address that a service says it listens on. */
  const listening = async () => String((await says(/listening on (http:[^"\s]+)/))[1]);
  return { child, pid: child.pid ?? 0, output, exit, end, says, listening };
}

export type Program = ReturnType<typeof startProgram>;

/** Where a program is installed. Some that serve are not in everybody's PATH. */
export function findProgram(name: string): string | undefined {
  const dirs = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return dirs.map(dir => join(dir, name)).find(path => existsSync(path));
}

/**
 * A port of the loopback that nobody has. It is below those that systems give to the other ends of connections: whoever
 * asks again and again for one of these, while its server is away, would be connected to itself one day.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').catch(() => undefined);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** The ids of the processes that this one has started and that have not ended. */
export function childrenOf(pid = process.pid): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** The resident memory of a process, in kB. */
export function residentMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
