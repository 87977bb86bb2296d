import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSet } from '../../src/reader/read-set.ts';
import { openReaderProcess } from '../../src/reader/reader-process.ts';
import { systemDirectory } from '../../src/set/directory.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import { afterTest } from '../support/after-test.ts';
import { shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { isLinux } from '../support/programs.ts';

/** In place of the reader: fails, and its reason is what it got. */
const PROGRAM = `process.once('message', task =>
  process.send({ outcome: 'failed', reason: JSON.stringify({ env: process.env, source: task.source }) }));`;

test('the reader process gets the variables by which Node behaves as in the service, and no secret', async t => {
  const needed = {
    TZ: 'Asia/Tokyo',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    NODE_OPTIONS: '--no-warnings',
    NODE_V8_COVERAGE: await writeFiles(t, {}),
    UV_THREADPOOL_SIZE: '2',
    MALLOC_ARENA_MAX: '2',
  };
  const secret = 'not for the reader';
  const names = ['REDIS_URL', 'PREVIEW_TOKEN', 'CHAT_URL', 'WEBHOOK_SECRET', 'AWS_SECRET_ACCESS_KEY', 'X'];
  const secrets = Object.fromEntries(names.map(name => [name, secret]));
  const { env } = process;
  afterTest(t, () => {
    process.env = env;
  });
  process.env = { ...env, ...needed, ...secrets };
  const settings = { previewToken: secret, chatUrl: secret, webhookUrl: secret, webhookSecret: secret };
  const source = { ...settingsFrom({ catalogDir: '/catalogs' }), ...settings, redisUrl: [secret] };
  const dir = await writeFiles(t, { 'program.mjs': PROGRAM });
  const reader = openReaderProcess(source, join(dir, 'program.mjs'));
  afterTest(t, () => reader.close());
  const asked = reader.ask({ task: 'tidy' });
  const { message }: Error = await asked.then(
    () => assert.fail(),
    reason => reason,
  );
  const got: { env: Record<string, string>; source: Record<string, unknown> } = JSON.parse(message);
  assert.deepEqual(Object.fromEntries(Object.keys(needed).map(name => [name, got.env[name]])), needed);
  assert.ok(!message.includes(secret));
  for (const name of names) assert.equal(got.env[name], undefined, name);
  assert.equal(got.source.catalogDir, '/catalogs');
});

/** In place of the reader: never comes to an end with a file. */
const ENDLESS = `process.once('message', () => {
  process.send({ file: 'news.json' });
  process.send({ file: 'news/7.md' });
  for (;;);
})`;

test('a reader process that takes too long is ended, and the reason names its file', {
  skip: !isLinux && 'the CPU time of a process is only known on Linux',
}, async t => {
  const dir = await writeFiles(t, { 'program.mjs': ENDLESS });
  const settings = settingsFrom({ catalogDir: '/catalogs' });
  const reader = openReaderProcess({ ...settings, loadSeconds: 0.2 }, join(dir, 'program.mjs'));
  afterTest(t, () => reader.close());
  await assert.rejects(reader.ask({ task: 'tidy' }), /CPU time, the last of it for news\/7\.md: /);
});

test('each file is named before it is read, a text in Markdown also before it is rendered', async t => {
  const item = '---\ncreate_time: 2026-03-31\n---\n# Title\n\nText\n';
  const dir = await writeFiles(t, shopWith({ 'news/8.md': item }));
  const named: string[] = [];
  const source = sourceIn(dir);
  await readSet(systemDirectory(source), source, { onFile: file => named.push(file) });
  assert.equal(named.at(-1), '');
  const [first, ...others] = named.filter(name => /^(?:prices|news\b)/.test(name));
  assert.deepEqual([first, ...others].sort(), ['news.json', 'news/*.md', 'news/8.md', 'prices.csv']);
  assert.equal(others.at(-1), 'news/8.md');
});
