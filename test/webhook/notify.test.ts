import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings, UsageError } from '../../src/settings/read.ts';
import { runCommand } from '../support/command.ts';
import { SECRET, startReceiver } from '../support/webhook/receiver.ts';

test('notify sends an example to each URL, and shows what came back and nothing of the URL but its host', async t => {
  const [chat, hook] = [await startReceiver(t, false), await startReceiver(t)];
  chat.answerWith(() => 200);
  hook.answerWith(() => 404);
  const urls = { CHAT_URL: chat.url, WEBHOOK_URL: hook.url, WEBHOOK_SECRET: SECRET };
  const { code, stdout } = await runCommand(['notify'], urls);
  const x = 'x'.repeat(200);
  assert.deepEqual(stdout.split('\n'), [
    `CHAT_URL (${new URL(chat.url).host}): 200 ${x}`,
    `WEBHOOK_URL (${new URL(hook.url).host}): 404 ${x}`,
    '',
  ]);
  assert.equal(code, 1);
  assert.match(String(chat.received[0]?.body), /^\{"text":"Vitrine /);
  assert.equal(hook.received[0]?.payload.type, 'catalog.test');
  assert.deepEqual(hook.received[0]?.payload.data.tags, []);
});

test('notify needs a URL', async () => {
  assert.deepEqual(await runCommand(['notify']), {
    code: 2,
    stdout: '',
    stderr: "notify: set CHAT_URL or WEBHOOK_URL\nRun 'vitrine notify --help' for usage.\n",
  });
});

test('a webhook needs a secret, and no message repeats the secret or the URL', () => {
  const expected =
    'whsec_ and the Base64 of 24 to 64 bytes, as from: echo "whsec_$(openssl rand -base64 32)"';
  const url = 'WEBHOOK_URL: expected a URL such as https://example.com/purge, without user and password';
  for (const [variables, message] of [
    [{ WEBHOOK_URL: 'https://a.test' }, `WEBHOOK_SECRET: WEBHOOK_URL needs it; expected ${expected}`],
    [{ WEBHOOK_SECRET: 'secret' }, `WEBHOOK_SECRET: expected ${expected}`],
    [{ WEBHOOK_URL: 'https://a:secret@a.test' }, url],
  ] as const)
    assert.throws(() => readSettings({}, variables), new UsageError(message));
});
