import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { test } from 'node:test';
import { post } from '../../src/webhook/webhook.ts';
import { runCommand } from '../support/command.ts';
import { listen } from '../support/listen.ts';
import { SECRET, startReceiver } from '../support/webhook/receiver.ts';
import { BEGIN } from '../support/webhook/sender.ts';

test('a webhook is signed as the library of Standard Webhooks expects, and no redirect is followed', async t => {
  const receiver = await startReceiver(t);
  const send = () => post({ url: receiver.url, secret: SECRET }, 'msg_1', '{"type":"ü"}', Date.now() / 1000);
  const statuses = [200, 204, 301, 308, 404, 500];
  for (const status of statuses) {
    receiver.answerWith(() => status);
    const answer = await send();
    assert.equal(answer.status, status);
    assert.match(answer.text, status === 204 ? /^$/ : /^x{200}$/);
  }
  assert.equal(receiver.received.length, statuses.length);
  assert.deepEqual(receiver.faults, []);
  const gone = await startReceiver(t);
  await gone.stop();
  const fault = new Error('the receiver cannot be reached: connection refused');
  await assert.rejects(post({ url: gone.url }, 'msg_1', '{}', BEGIN), fault);
});

test('a receiver that hangs is left after its time, and one that never ends has answered by its status', async t => {
  const serve = async (listener: RequestListener) => ({ url: await listen(t, createServer(listener)) });
  const hanging = await serve(() => {});
  const fault = new Error('the receiver did not answer within 0.2 s');
  await assert.rejects(post(hanging, '', '{}', BEGIN, undefined, 200), fault);
  const limit = t.mock.method(AbortSignal, 'timeout', () => AbortSignal.abort()).mock;
  await assert.rejects(post(hanging, '', '{}', BEGIN), /did not answer within 10 s$/);
  assert.deepEqual(limit.calls[0]?.arguments, [10_000]);
  limit.restore();
  const silent = await serve((_, response) => void response.writeHead(200).flushHeaders());
  assert.deepEqual(await post(silent, '', '{}', BEGIN, undefined, 2_000), { status: 200, text: '' });
  const endless = await serve((_, response) => {
    const write = (): void => void (response.write('y'.repeat(60_000)) ? setImmediate(write) : undefined);
    response.on('drain', write);
    write();
  });
  assert.equal((await post(endless, '', '{}', BEGIN)).text, 'y'.repeat(200));
});

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
