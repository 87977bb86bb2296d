import assert from 'node:assert/strict';
import { test } from 'node:test';
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
