import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openReaderProcess } from '../../src/reader/reader-process.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles } from '../support/catalogs.ts';

/** In place of the reader: fails, and its reason is what it got. */
const PROGRAM = `process.once('message', task =>
  process.send({ outcome: 'failed', reason: JSON.stringify({ env: process.env, source: task.source }) }));`;

const SECRET = 'not for the reader';

/** What a reader process gets of these settings, and of an environment that has these variables, too. */
async function passedOn(t: TestContext, env: Record<string, string>, settings: object) {
  const dir = await writeFiles(t, { 'program.mjs': PROGRAM });
  for (const [name, value] of Object.entries(env)) {
    const before = process.env[name];
    process.env[name] = value;
    afterTest(t, () => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
  const source = { ...settingsFrom({ catalogDir: '/catalogs' }), ...settings };
  const reader = openReaderProcess(source, join(dir, 'program.mjs'));
  afterTest(t, () => reader.close());
  const task = { task: 'tidy' } as const;
  const { message }: Error = await reader.ask(task).then(
    () => assert.fail(),
    reason => reason,
  );
  return JSON.parse(message) as { env: Record<string, string>; source: Record<string, unknown> };
}

test('no secret and nothing unknown reaches the reader process, neither as a variable nor as a setting', async t => {
  const names = [
    'REDIS_URL',
    'PREVIEW_TOKEN',
    'CHAT_URL',
    'WEBHOOK_URL',
    'WEBHOOK_SECRET',
    'AWS_SECRET_ACCESS_KEY',
    'X',
  ];
  const secrets = Object.fromEntries(names.map(name => [name, SECRET]));
  const settings = {
    redisUrl: [SECRET],
    previewToken: SECRET,
    chatUrl: SECRET,
    webhookUrl: SECRET,
    webhookSecret: SECRET,
  };
  const { env, source } = await passedOn(t, secrets, settings);
  for (const name of names) assert.equal(env[name], undefined, name);
  assert.ok(!JSON.stringify(env).includes(SECRET));
  assert.ok(!JSON.stringify(source).includes(SECRET));
  assert.equal(source.catalogDir, '/catalogs');
});

test('the reader process gets the variables by which Node starts and behaves as in the service', async t => {
  const needed = {
    TZ: 'Asia/Tokyo',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    NODE_OPTIONS: '--no-warnings',
    NODE_V8_COVERAGE: await writeFiles(t, {}),
    UV_THREADPOOL_SIZE: '2',
    MALLOC_ARENA_MAX: '2',
  };
  const { env } = await passedOn(t, needed, {});
  assert.deepEqual(Object.fromEntries(Object.keys(needed).map(name => [name, env[name]])), needed);
});
