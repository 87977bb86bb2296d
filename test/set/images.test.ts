import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { imageNames } from '../../src/set/system-directory.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles } from '../support/catalogs.ts';
import { skipWithout } from '../support/skipping.ts';

test('the images are the files of the directory; without a directory there are none', async t => {
  const dir = await writeFiles(t, { 'a.png': '', 'b.txt': '' });
  assert.deepEqual(await imageNames(dir), new Set(['a.png', 'b.txt']));
  assert.deepEqual(await imageNames(`${dir}/nowhere`), new Set());
});

test('an images directory that does not respond is unknown and does not delay a set', {
  skip: skipWithout('strace'),
  timeout: 60_000,
}, async t => {
  const dir = await writeFiles(t, { 'a.png': '' });
  const images = fileURLToPath(new URL('../../src/set/system-directory.ts', import.meta.url));
  const code = `import { imageNames } from ${JSON.stringify(images)};
    process.stdout.write(JSON.stringify({ pid: process.pid }));
    process.stdout.write(String(await imageNames(${JSON.stringify(dir)})));`;
  const node = [process.execPath, '--import', import.meta.resolve('tsx'), '--input-type=module', '-e', code];
  const held = ['-P', dir, '-e', 'inject=openat:delay_enter=120000000'];
  const strace = spawn('strace', ['-f', '-qq', '-o', '/dev/null', ...held, ...node], { stdio: 'pipe' });
  const ended = once(strace, 'close');
  let output = '';
  strace.stdout.setEncoding('utf8').on('data', text => (output += text));
  afterTest(t, async () => {
    strace.kill('SIGKILL');
    // What strace has started lives on without it.
    const [pid] = /\d+/.exec(output) ?? [];
    if (pid) process.kill(Number(pid), 'SIGKILL');
    await ended;
  });
  while (!output.endsWith('}undefined')) {
    await once(strace.stdout, 'data', { signal: t.signal });
    assert.match(output, /^\{"pid":\d+\}(undefined)?$/);
  }
});
