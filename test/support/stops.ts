import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { shop, writeFiles } from './catalogs.ts';
import { endWithTest, flagsOf, killGroup, readUntilStopped } from './process.ts';
import { until } from './until.ts';

const CLIENTS = 20;
/** The count of the shop's first news item before anybody has read it. */
const FLOOR = 100;
const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * How people start the service; what follows are its flags. The shell of npx and Node's watch mode end by the signal
 * themselves and leave the service to end after them, so that the exit code is its own under npm start alone.
 */
export const STARTS = {
  'npm start': ['npm', 'start', '--'],
  'npm run dev': ['npm', 'run', 'dev', '--'],
  'npx vitrine': ['npx', '--no-install', 'vitrine'],
} as const;

/** How people stop it: by a signal to all of its process group, or by a ^C at the terminal. */
export type Stop = 'SIGTERM' | '^C';

/** A folder with the catalogs, with the package as if it had been installed there, and with its counts. */
export async function openFolder(t: TestContext) {
  const dir = await writeFiles(t, shop);
  await mkdir(join(dir, 'node_modules/.bin'), { recursive: true });
  await symlink(join(root, 'dist/main.js'), join(dir, 'node_modules/.bin/vitrine'));
  /** How many reads are saved. */
  const saved = async () => {
    const { counts } = JSON.parse(await readFile(join(dir, 'state/read-counts.json'), 'utf8'));
    return Object.values<number>(counts).reduce((sum, count) => sum + count, -FLOOR);
  };
  return { dir, saved };
}

/**
 * Starts the service, reads from many clients, stops it after that many answers, and resolves to the number of answers
 * in all. None may fail.
 */
export async function stopUnderLoad(
  t: TestContext,
  dir: string,
  start: keyof typeof STARTS,
  stop: Stop,
  stopAt: number,
): Promise<number> {
  const flags = flagsOf({ port: 0, catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') });
  const command = [...STARTS[start], ...flags];
  // Not every shell gives way to its last command by itself, and one that stays ends by the ^C: with 130.
  const inTerminal = [
    'script',
    '--quiet',
    '--return',
    '--flush',
    '--command',
    `exec ${command.join(' ')}`,
    '/dev/null',
  ];
  const [program = '', ...args] = stop === '^C' ? inTerminal : command;
  const cwd = start === 'npx vitrine' ? dir : root;
  // A group of its own, as supervisors make it. What runs in the terminal ends with that.
  const child = spawn(program, args, { cwd, detached: true, stdio: 'pipe' });
  const group = -(child.pid ?? assert.fail(`${program} cannot be started`));
  const exit = endWithTest(t, child, () => killGroup(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', chunk => (output += chunk));
  const address = await until(t, async () => {
    assert.equal(child.exitCode, null, output);
    return /listening on (http:[^"\s]+)["\s]/.exec(output)?.[1];
  });

  const { answers, failures } = await readUntilStopped(address, CLIENTS, count => {
    if (count !== stopAt) return;
    if (stop === '^C') child.stdin.write('\x03');
    else process.kill(group, stop);
  });
  assert.deepEqual(failures, []);
  const code = await exit;
  if (start === 'npm start') assert.equal(code, 0, output);
  return answers;
}
