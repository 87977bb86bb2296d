import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { kindTags } from '../../src/contract/webhook.ts';
import { deliver } from '../../src/webhook/delivery.ts';
import { openWebhook } from '../../src/webhook/webhook.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { makeCertificates } from '../support/certificates.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';
import { SECRET, startReceiver } from '../support/webhook/receiver.ts';
import { BEGIN, dataOf, openSender, scheduled, snapshotOf } from '../support/webhook/sender.ts';

test('the first webhook purges everything, and each later one what a reload, a rollback or the clock has changed', async t => {
  const receiver = await startReceiver(t);
  const one = await snapshotOf(t, scheduled);
  const two = await snapshotOf(t, {
    ...scheduled,
    'prices.csv': String(shop['prices.csv']).replace('19.99', '1'),
  });
  const { start, clock, served } = await openSender(t, one, receiver.url);
  const { notice, health } = await start();
  await receiver.untilTaken(1);
  served.set = two;
  notice('reload');
  await receiver.untilTaken(2);
  served.set = one;
  notice('rollback');
  await receiver.untilTaken(3);
  clock.now = BEGIN + 10;
  notice('reload');
  await receiver.untilTaken(4);
  clock.now = BEGIN + 30;
  served.set = two;
  notice('reload');
  const taken = await receiver.untilTaken(6);
  // The clock of the test is set back.
  clock.now = BEGIN + 15;
  notice('reload');
  const [, , , , , , back] = await receiver.untilTaken(7);
  const data = (version: string, former: string | null, kind: string, ...tags: string[]) => ({
    ...{ version, former_version: former, kind, tags },
  });
  assert.deepEqual(taken.slice(0, 6).map(dataOf), [
    data(one.version, null, 'reload', ...kindTags),
    data(two.version, one.version, 'reload', 'product-1'),
    data(one.version, two.version, 'rollback', 'product-1'),
    data(one.version, one.version, 'scheduled', 'news-all', 'news-type-1'),
    data(one.version, one.version, 'scheduled', 'news-all', 'news-type-2'),
    data(two.version, one.version, 'reload', 'product-1'),
  ]);
  assert.deepEqual(back?.payload.data.tags, ['news-all', 'news-type-2']);
  assert.deepEqual(
    taken.slice(0, 5).map(({ payload }) => payload.timestamp),
    ['17:46:40', '17:46:40', '17:46:40', '17:46:50', '17:47:10'].map(time => `2030-03-17T${time}Z`),
  );
  assert.equal(new Set(taken.map(({ id }) => id)).size, 6);
  // The sender counts a webhook as delivered only after the receiver has taken it.
  await until(t, async () => (health().delivered === 7 ? true : undefined));
  assert.deepEqual([health().waiting, health().reasons], [0, []]);
});

test('a scheduled change is sent by itself', async t => {
  const receiver = await startReceiver(t);
  const set = await snapshotOf(t, scheduled);
  const stateDir = await writeFiles(t, {});
  const log = { info() {}, warn() {}, error() {} };
  const start = performance.now();
  const now = () => BEGIN + 9 + (performance.now() - start) / 1000;
  const webhook = await openWebhook(
    { url: receiver.url, secret: SECRET, stateDir, snapshot: () => set, now },
    log,
  );
  afterTest(t, webhook.close);
  webhook.notice('reload');
  // The timer does not keep the process alive.
  const alive = setInterval(() => {}, 1_000);
  const [, told] = await receiver.untilTaken(2).finally(() => clearInterval(alive));
  assert.equal(told?.payload.data.kind, 'scheduled');
  assert.ok(Date.parse(told?.payload.timestamp ?? '') / 1000 >= BEGIN + 10);
});

test('a webhook is signed as the library of Standard Webhooks expects, and no redirect is followed', async t => {
  const receiver = await startReceiver(t);
  const send = () =>
    deliver(
      { id: 'msg_1', body: '{"type":"ü"}' },
      { url: receiver.url, secret: SECRET },
      Date.now() / 1000,
      new AbortController().signal,
    );
  for (const status of [200, 202, 204]) {
    receiver.answerWith(() => status);
    await send();
  }
  for (const status of [301, 308, 400, 401, 404, 410, 500, 503]) {
    receiver.answerWith(() => status);
    await assert.rejects(send(), new Error(`the receiver answered ${status}`));
  }
  assert.equal(receiver.received.length, 11);
  assert.deepEqual(receiver.faults, []);
  await receiver.stop();
  await assert.rejects(send(), new Error('the receiver cannot be reached: connection refused'));
});

test('a webhook is not sent to a receiver with a certificate of an unknown CA', {
  skip: skipWithout('openssl'),
}, async t => {
  const { certificate, key } = await makeCertificates(t);
  const [cert, privateKey] = await Promise.all([readFile(certificate), readFile(key)]);
  const server = createServer({ cert, key: privateKey }, () => assert.fail('it was sent'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterTest(t, () => server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await assert.rejects(
    deliver({ id: 'msg_1', body: '{}' }, { url, secret: SECRET }, BEGIN, new AbortController().signal),
    new Error('the receiver cannot be reached: UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
  );
});

test('a failing receiver is reported once, gets the same webhook again, and the next ones only after it', async t => {
  const receiver = await startReceiver(t);
  receiver.answerWith(attempt => (attempt < 2 ? 500 : 204));
  const one = await snapshotOf(t, shop);
  const two = await snapshotOf(t, scheduled);
  const { start, served, logged } = await openSender(t, one, receiver.url);
  const { notice, health } = await start();
  await until(t, async () => (health().reasons.length > 0 ? true : undefined));
  assert.deepEqual(health().reasons, [
    'webhooks have failed since 2030-03-17T17:46:40Z: the receiver answered 500',
  ]);
  served.set = two;
  notice('reload');
  await receiver.untilTaken(2);
  await until(t, async () => (health().reasons.length === 0 ? true : undefined));
  const [first, second, third, fourth] = receiver.received;
  assert.deepEqual([second?.id, third?.id], [first?.id, first?.id]);
  assert.deepEqual([second?.body, third?.body], [first?.body, first?.body]);
  assert.equal(fourth?.payload.data.version, two.version);
  assert.equal(receiver.received.length, 4);
  const origin = new URL(receiver.url).origin;
  assert.deepEqual(logged, [
    `webhooks to ${origin} fail, retrying: the receiver answered 500`,
    'webhooks are delivered again, after failures since 2030-03-17T17:46:40Z',
  ]);
});
