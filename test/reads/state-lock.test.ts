import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeState } from '../../src/reads/state/lock.ts';
import { shop, writeFiles } from '../catalogs.ts';
import { flagsOf, startProcess } from '../process.ts';
import { keepingLog } from './stores.ts';

test('a second process on one state directory is refused in a sentence that names the first, and goes on after its kill -9', async t => {
  const dir = await writeFiles(t, shop);
  const stateDir = join(dir, 'state');
  const flags = flagsOf({ port: 0, catalogDir: dir, imagesDir: dir, stateDir });
  const first = startProcess(t, flags);
  await first.listening();

  const second = await startProcess(t, flags).exit;
  assert.equal(second.code, 1);
  assert.equal(
    second.stderr,
    `the state directory ${stateDir} is in use by process ${first.child.pid} on ${hostname()}: stop that one, or choose another directory with --state-dir\n`,
  );

  first.child.kill('SIGKILL');
  await first.exit;
  await startProcess(t, flags).listening();
});

test('of ten processes that take a directory at once one gets it', async t => {
  const stateDir = await writeFiles(t, {});
  const lock = new URL('../../src/reads/state/lock.ts', import.meta.url);
  const log = '{ info() {}, warn: console.error, error() {} }';
  const code = `
    const { takeState } = await import(${JSON.stringify(lock.href)});
    await takeState(${JSON.stringify(stateDir)}, ${log});
    console.log('taken');
    process.stdin.resume();`;
  const contenders = Array.from({ length: 10 }, () =>
    spawn(process.execPath, ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', code]),
  );
  t.after(() => contenders.map(contender => contender.kill('SIGKILL')));
  const outcomes = contenders.map(async contender =>
    Promise.race([
      once(contender.stdout, 'data').then(([data]) => String(data).trim()),
      once(contender, 'exit').then(([code]) => code),
    ]),
  );
  assert.deepEqual((await Promise.all(outcomes)).sort(), [...Array(9).fill(1), 'taken']);
});

test('a directory that cannot be locked is used all the same, with a warning', async t => {
  const stateDir = await writeFiles(t, {});
  await mkdir(join(stateDir, 'lock'));
  const { messages, ...log } = keepingLog();
  const giveBack = await takeState(stateDir, log);
  assert.match(
    messages.join(),
    /^warn: .* cannot be locked \(.*EISDIR.*\): see to it that no other process uses it$/,
  );
  await giveBack();
});

test('a state directory that cannot be made is an error', async t => {
  const dir = await writeFiles(t, { state: 'a file' });
  await assert.rejects(
    takeState(join(dir, 'state'), keepingLog()),
    /^Error: the state directory .*state cannot be made: E/,
  );
});
