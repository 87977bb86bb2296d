import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { test } from 'node:test';
import { pino } from 'pino';
import { settingsFrom } from '../../src/settings/read.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { openWebhook, post } from '../../src/webhook/webhook.ts';
import { drastic, shop, writeInto } from '../support/catalogs.ts';
import { runCommand } from '../support/command.ts';
import { freePort } from '../support/programs.ts';
import { bearer, previewToken, startService } from '../support/service.ts';
import { snapshotOf } from '../support/sets.ts';
import { simulateDisk } from '../support/simulated-disk.ts';
import { simulateClock } from '../support/simulated-time.ts';
import { keepingLog } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { listen } from '../support/wire.ts';
import { SECRET, startReceiver } from './receiver.ts';
import { BEGIN, refused, statusOf } from './statuses.ts';

/** What is sent of a status that the test chooses, to a receiver that answers as it chooses, at times that it lets pass. */
async function openSimulated(status = statusOf('one')) {
  const clock = simulateClock(BEGIN);
  const path = '/state/announced.json';
  const disk = simulateDisk({ [path]: 'broken' });
  const site = { status, answer: 204, isDiskGone: false };
  const sent: { at: number; id: string; body: string }[] = [];
  const deliver: typeof post = async (_to, id, body) => {
    sent.push({ at: clock.ms() / 1_000, id, body });
    return { status: site.answer, text: '' };
  };
  const open: typeof disk.open = async (...file) =>
    site.isDiskGone ? Promise.reject(new Error('no disk')) : disk.open(...file);
  const { messages, ...log } = keepingLog();
  const webhookUrl = 'https://hook.test/';
  const settings = settingsFrom({ webhookUrl, webhookSecret: SECRET, stateDir: '/state' });
  const world = { clock, fs: { ...disk, open }, deliver };
  const webhook = await openWebhook(settings, () => site.status, log, world);
  webhook.notice();
  await clock.pass(0);
  const remembered = async () => JSON.parse(String(await disk.readFile(path))).webhook;
  return { ...webhook, clock, site, sent, messages, remembered };
}

test('a failing receiver is logged once, and gets the same message again, later and later, or what is true then', async () => {
  const { site, clock, sent, messages, notice, health, remembered } = await openSimulated();
  site.answer = 500;
  site.status = statusOf('two');
  notice();
  await clock.pass(200_000);
  const [first, ...others] = sent.slice(1);
  const pauses = others.map(({ at }, index) => at - (sent[index + 1]?.at ?? 0));
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 60, 60]);
  for (const { id, body } of others) assert.deepEqual([id, body], [first?.id, first?.body]);
  const failure = 'webhooks to hook.test fail: the receiver answered 500';
  const { waiting, reasons } = health();
  assert.equal((await remembered()).event, null, 'it may show what it refused');
  assert.deepEqual([waiting, reasons, messages], [1, [failure], [`warn: ${failure}`]]);
  site.status = statusOf('three', refused('bad'));
  notice();
  site.answer = 204;
  sent.length = 0;
  await clock.pass(60_000);
  const types = sent.map(({ body }) => JSON.parse(body)).map(({ type, data }) => `${type} ${data.version}`);
  assert.deepEqual(types, ['catalog.live three', 'catalog.refused three']);
  assert.equal(new Set([first, ...sent].map(message => message?.id)).size, 3);
  const lastDelivery = BEGIN + (sent.at(-1)?.at ?? 0);
  assert.deepEqual(health(), { waiting: 0, delivered: 3, lastDelivery, reasons: [] });
  assert.deepEqual(messages.slice(1), ['info: webhooks to hook.test arrive again']);
});

test('each message is given up after a week', async () => {
  const { site, clock, messages, notice } = await openSimulated();
  site.answer = 500;
  for (const version of ['two', 'three']) {
    site.status = statusOf(version);
    notice();
    await clock.pass(604_900_000);
  }
  const errors = messages.filter(line => line.startsWith('error: '));
  const gaveUp = (time: string) => `error: gave up on the webhook of ${time} to hook.test`;
  assert.deepEqual(errors, [gaveUp('2030-03-17T17:46:40Z'), gaveUp('2030-03-24T17:48:20Z')]);
});

test('a set waits until it is remembered, but not for a disk that is gone, which is logged', async () => {
  const { site, clock, sent, messages, remember, remembered, notice, health } = await openSimulated();
  await remember(snapshotOf('one'));
  assert.equal((await remembered()).version, 'one');
  await remember(snapshotOf('two'));
  assert.equal((await remembered()).version, '');
  site.isDiskGone = true;
  await remember(snapshotOf('two'));
  const fault = 'cannot remember what webhooks announced: no disk';
  assert.deepEqual([messages, health().reasons], [[`error: ${fault}`], [fault]]);
  site.status = statusOf('two');
  notice();
  await clock.pass(0);
  assert.equal(sent.length, 2);
  site.isDiskGone = false;
  await clock.pass(60_000);
  const { version } = await remembered();
  assert.deepEqual([version, health().reasons, messages.length], ['two', [], 2]);
});

test('neither log, health, metrics nor page show more of the URLs than their host', async t => {
  const [chat, hook] = [await startReceiver(t, false), await startReceiver(t)];
  for (const { answerWith } of [chat, hook]) answerWith(() => 500);
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: line => void logged.push(line) });
  const options: Partial<Settings> = {
    ...{ previewToken, logLevel: 'debug', webhookSecret: SECRET },
    ...{ chatUrl: `${chat.url}/secret-chat?key=secret`, webhookUrl: `${hook.url}/secret-purge` },
  };
  const { services, settings, dispatch } = await startService(t, shop, options, undefined, log);
  // Held back, which the chat hears of.
  await writeInto(settings.catalogDir, drastic);
  await Promise.all([chat.untilReceived(1), hook.untilReceived(1)]);
  await until(t, async () => services.webhook?.health().reasons.length === 2);
  const answers = await Promise.all(
    ['/', '/health', '/metrics', '/overview', '/changes', '/history'].map(async url => {
      const { statusCode, headers, body } = await dispatch({ url, headers: bearer });
      assert.equal(statusCode, 200, url);
      return JSON.stringify(headers) + body;
    }),
  );
  const all = [...answers, ...logged].join('\n');
  for (const { url } of [chat, hook]) assert.ok(all.includes(new URL(url).host));
  assert.doesNotMatch(all, /\/hook|secret-|key=secret|MfKQ9r8G/);
});

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
  const closed = `http://127.0.0.1:${await freePort()}/hook`;
  const fault = new Error('the receiver cannot be reached: connection refused');
  await assert.rejects(post({ url: closed }, 'msg_1', '{}', BEGIN), fault);
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
