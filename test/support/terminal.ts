import { spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { commandLine, endWithTest, environment, killGroup } from './process.ts';
import { until } from './until.ts';

/** Runs the service in a pseudo-terminal of this width; what it writes has LF alone as its line end. */
export function startInTerminal(
  t: TestContext,
  args: string[],
  columns = 80,
  env: Record<string, string> = {},
) {
  // Not every shell gives way to its last command by itself, and one that stays ends by the ^C: with 130.
  const program = [process.execPath, ...commandLine, ...args].map(word => `'${word}'`).join(' ');
  const command = `stty cols ${columns}; exec ${program}`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { ...environment, ...env },
    detached: true,
    stdio: 'pipe',
  });
  const exit = endWithTest(t, child, () => killGroup(child));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', chunk => (output += chunk));
  const says = (pattern: RegExp) => until(t, async () => pattern.exec(output)?.[0]);
  const text = () => output.replaceAll('\r\n', '\n').replace(/.*\r(?!\n)/g, '');
  /** Ends the service as people do, by ^C. */
  const stop = () => {
    child.stdin.write('\u0003');
    return exit;
  };
  return { says, text, stop };
}
