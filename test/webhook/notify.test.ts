import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommandLine } from '../../src/commands/run.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import { notify } from '../../src/webhook/notify.ts';
import { SECRET, startReceiver } from '../support/webhook/receiver.ts';

test('notify sends an example to each URL, and shows what came back and nothing of the URL but its host', async t => {
  const [chat, hook] = [await startReceiver(t, false), await startReceiver(t)];
  chat.answerWith(() => 200);
  hook.answerWith(() => 404);
  const written: string[] = [];
  const surface = { stdout: { write: (text: string) => written.push(text) }, exitCode: 0 };
  await notify(settingsFrom({ chatUrl: chat.url, webhookUrl: hook.url, webhookSecret: SECRET }), surface);
  const x = 'x'.repeat(200);
  assert.deepEqual(written, [
    `CHAT_URL (${new URL(chat.url).host}): 200 ${x}\n`,
    `WEBHOOK_URL (${new URL(hook.url).host}): 404 ${x}\n`,
  ]);
  assert.equal(surface.exitCode, 1);
  assert.match(String(chat.received[0]?.body), /^\{"text":"Vitrine /);
  assert.equal(hook.received[0]?.payload.type, 'catalog.test');
  assert.deepEqual(hook.received[0]?.payload.data.tags, []);
});

test('notify needs a URL', async () => {
  let text = '';
  const output = { write: (line: string) => (text += line) };
  const surface = { stdout: output, stderr: output, env: {}, exitCode: 0 };
  await runCommandLine(['notify'], surface);
  assert.equal(text, "notify: set CHAT_URL or WEBHOOK_URL\nRun 'vitrine notify --help' for usage.\n");
  assert.equal(surface.exitCode, 2);
});
