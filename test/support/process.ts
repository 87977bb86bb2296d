import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { isStale } from '../../scripts/stale.mjs';
import { environmentName, flagName } from '../../src/settings/read.ts';
import { type Settings, settingNames } from '../../src/settings/settings.ts';
import { afterTest } from './after-test.ts';
import { root } from './package.ts';
import { until } from './until.ts';

const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
/** The flags that `npm start` gives node. */
const [, nodeFlags = ''] = /^exec node (.*)dist\/main\.js$/.exec(scripts.start) ?? [];

/** The build where it is up to date, which starts in a third of the time, or else the sources that it is made of. */
export const commandLine = [
  ...nodeFlags.split(' ').filter(Boolean),
  ...(isStale() ? ['--import', import.meta.resolve('tsx'), `${root}/src/main.ts`] : [`${root}/dist/main.js`]),
];

/** The environment without the settings that somebody's shell may have in it, and without how npm was called. */
export const environment = { ...process.env };
delete environment.npm_lifecycle_event;
for (const name of settingNames) delete environment[environmentName(name)];

/** What kills each process that is running; the test runner ends a file that takes too long by SIGTERM. */
const running = new Set<() => void>();
process.once('SIGTERM', () => {
  for (const kill of running) kill();
  process.exit(143);
});

/**
 * Kills a process after the test, or with the tests, if it or a process that shares its output is still running. Resolves
 * to its exit code once all have ended.
 */
async function endWithTest(t: TestContext, child: ChildProcess, kill: () => void): Promise<number | null> {
  running.add(kill);
  const closed = once(child, 'close');
  afterTest(t, async () => {
    if (running.has(kill)) kill();
    await closed;
  });
  const [code] = await closed;
  running.delete(kill);
  return code;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

/** Starts the real process; it is ended after the test where it has not ended by itself. */
export function startProcess(t: TestContext, args: string[], env: Record<string, string> = {}) {
  return startNode(t, [...commandLine, ...args], env);
}

/** The same for a copy of the program, and for another user. */
export function startNode(
  t: TestContext,
  args: string[],
  env: Record<string, string> = {},
  user: { uid?: number; gid?: number } = {},
) {
  const child = spawn(process.execPath, args, {
    env: { ...environment, ...env },
    stdio: 'pipe',
    ...user,
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', chunk => (output[name] += chunk));
  }
  const exit = endWithTest(t, child, () => child.kill('SIGKILL')).then(code => ({ code, ...output }));
  /** Resolves to the address that the process says it listens on. */
  const listening = async (): Promise<string> => {
    for (;;) {
      const address = /listening on (http:[^"]+)/.exec(output.stdout)?.[1];
      if (address) return address;
      const ended = await Promise.race([exit, once(child.stdout, 'data').then(() => undefined)]);
      if (ended) throw new Error(`the process ended with ${ended.code}: ${ended.stderr}`);
    }
  };
  return { child, exit, listening, stdout: () => output.stdout };
}

/** Starts a program in a directory; after the test, it is killed with all that it has started. */
export function startIn(
  t: TestContext,
  cwd: string,
  [program = '', ...args]: string[],
  env: NodeJS.ProcessEnv = {},
) {
  const options = { cwd, env: { ...process.env, ...env }, detached: true, stdio: 'pipe' } as const;
  const child = spawn(program, args, options);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', chunk => (output += chunk));
  const exit = endWithTest(t, child, () => killGroup(child));
  return {
    child,
    exit,
    output: () => output,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Stops it with all that it has started; resolves to its exit code. */
    stop() {
      process.kill(-(child.pid ?? assert.fail(output)), 'SIGTERM');
      return exit;
    },
    /** Resolves to the first answer, unless the program ends before it. */
    answer: <Answer>(ask: () => Promise<Answer>) =>
      until(t, () => {
        assert.equal(child.exitCode, null, output);
        return ask().catch(() => undefined);
      }),
  };
}

/** The environment in which a process hangs, at a SIGWINCH, in that many of its four threads for files, as on a dead mount. */
export function hangAtSignal(fifo: string, threads: number): Record<string, string> {
  const code = `import { open } from 'node:fs';
    process.on('SIGWINCH', () => {
      for (let thread = 0; thread < ${threads}; thread += 1) open(${JSON.stringify(fifo)}, () => {});
      console.log('hanging');
    });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

export function flagsOf(settings: Partial<Settings>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => [`--${flagName(name)}`, String(value)]);
}
