import { Readable } from 'node:stream';
import { runCommandLine } from '../../src/commands/run.ts';
import './reader-pool.ts';

/** Runs a command line in this process, with an environment and a standard input of its own. A terminal has one output. */
export async function runCommand(
  args: string[],
  env: Record<string, string> = {},
  input = '',
  isTTY = false,
) {
  const output = { stdout: '', stderr: '' };
  const write = (name: keyof typeof output) => (text: string) => {
    output[isTTY ? 'stderr' : name] += text;
    return true;
  };
  const surface = {
    stdin: Readable.from([input]),
    stdout: { write: write('stdout') },
    stderr: { isTTY, write: write('stderr') },
    env,
    exitCode: 0,
  };
  await runCommandLine(args, surface);
  return { code: surface.exitCode, ...output };
}
