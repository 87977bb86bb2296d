import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { afterTest } from './after-test.ts';

/** A system call as strace tells of it. */
export interface Call {
  name: string;
  /** Its place among the calls of its name, from 1, as `when=` counts them. */
  number: number;
  /** Its name and the files it is for, as in `fsync read-counts.json.tmp`. */
  label: string;
  /** How it ended, as in `0 (DELAYED)`; `?` where its process was killed. */
  result: string;
}

/**
 * Attaches strace to all threads of a process, for its calls on these files. `injection` has faults to inject into them,
 * separated by spaces. `when=` counts the calls of each name and thread, so give the process one thread for its files.
 */
export async function attachStrace(t: TestContext, pid: number, files: string[], injection?: string) {
  const strace = spawn(
    'strace',
    [
      ...['-f', '-y', '-p', String(pid)],
      ...files.flatMap(file => ['-P', file]),
      ...(injection?.split(' ').flatMap(one => ['-e', `inject=${one}`]) ?? []),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await once(strace, 'spawn');
  const ended = once(strace, 'close').then(() => true);
  const end = async (signal: NodeJS.Signals) => {
    strace.kill(signal);
    await ended;
  };
  afterTest(t, () => end('SIGKILL'));

  const lines: string[] = [];
  const calls: Call[] = [];
  const reader = createInterface(strace.stderr);
  reader.on('line', line => {
    lines.push(line);
    const call = parseCall(line, files, calls);
    if (call) calls.push(call);
  });
  /** Resolves to what `look` finds first as the lines come in. */
  const seen = async <Found>(look: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      const isOver = await Promise.race([
        ended,
        once(reader, 'line', { signal: t.signal }).then(() => false),
      ]);
      if (isOver && look() === undefined) throw new Error(`strace has ended: ${lines.slice(-5).join('\n')}`);
    }
  };
  await seen(() => lines.find(line => /^\S*strace: Process \d+ attached/.test(line)));
  return { calls, seen, ended, detach: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

function parseCall(line: string, files: string[], before: Call[]): Call | undefined {
  const [, name, rest = ''] = /^(?:\[pid +\d+\] )?(\w+)\((.*)$/.exec(line) ?? [];
  if (!name) return undefined;
  const named = files.filter(file => rest.includes(`"${file}"`) || rest.includes(`<${file}>`));
  return {
    name,
    number: 1 + before.filter(call => call.name === name).length,
    label: [name, ...named.map(file => basename(file))].join(' '),
    result: /.* = (.*)$/.exec(rest)?.[1] ?? '?',
  };
}
