import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

export type Program = Awaited<ReturnType<typeof startProgram>>;

interface ProgramOptions {
  ready: RegExp;
  onLine?: (line: string) => void;
  env?: NodeJS.ProcessEnv;
  /** What ends it together with this process; one that has children needs to hear of it. */
  lastSignal?: NodeJS.Signals;
}

const running = new Map<ChildProcess, NodeJS.Signals>();
const directories = new Set<string>();

process.once('exit', () => {
  for (const [child, lastSignal] of running) child.kill(lastSignal);
  for (const dir of directories) removeDirectory(dir);
});
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => process.exit(code));
}

/** Starts a program, and resolves when it is ready. It is ended with this process at the latest. */
export async function startProgram(
  file: string,
  args: string[],
  { ready, onLine, env = process.env, lastSignal = 'SIGKILL' }: ProgramOptions,
) {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.set(child, lastSignal);
  const ended = once(child, 'close').finally(() => running.delete(child));
  const last: string[] = [];
  const isReady = new Promise<void>(resolve => {
    const hear = (line: string) => {
      last.push(line);
      if (last.length > 20) last.shift();
      onLine?.(line);
      if (ready.test(line)) resolve();
    };
    for (const output of [child.stdout, child.stderr]) createInterface(output).on('line', hear);
  });
  const hasEnded = ended.then(() => {
    throw new Error(`${basename(file)} has ended: ${last.join('\n')}`);
  });
  await Promise.race([isReady, hasEnded]);
  return {
    pid: child.pid ?? 0,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    /** Sends the signal, and resolves when the program has ended. */
    async end(name: NodeJS.Signals): Promise<void> {
      child.kill(name);
      await ended;
    },
  };
}

/** A new directory, which is removed together with this process at the latest. */
export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'vitrine-'));
  directories.add(dir);
  return dir;
}

export function removeDirectory(dir: string): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  directories.delete(dir);
}

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
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
