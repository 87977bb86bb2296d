import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Snapshot } from '../../src/catalog/snapshot/snapshot.ts';
import { kindTags } from '../../src/contract/webhook/cache-tags.ts';
import { deliver } from '../../src/webhook/delivery.ts';
import { openWebhook } from '../../src/webhook/webhook.ts';
import { afterTest } from '../support/after-test.ts';
import { type Files, shop, writeFiles } from '../support/catalogs.ts';
import { makeCertificates } from '../support/certificates.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';
import { type Received, SECRET, startReceiver } from '../support/webhook/receiver.ts';

const BEGIN = 1_900_000_000;
const item = (id: number, values: object) => ({
  ...{ id, title: 't', content: 'text', create_time: 1_700_000_000, type_id: 1 },
  ...values,
});
const scheduled: Files = {
  ...shop,
  'news.json': [item(1, { publish_time: BEGIN + 10 }), item(2, { unpublish_time: BEGIN + 20, type_id: 2 })],
};

async function snapshotOf(t: TestContext, files: Files): Promise<Snapshot> {
  const { services } = await startService(t, files);
  return services.catalog.snapshot() as Snapshot;
}

/** The webhooks of a set that the test chooses, at a time that it chooses, from one process after the other. */
async function openSender(t: TestContext, set: Snapshot, url: string) {
  const stateDir = await writeFiles(t, {});
  const clock = { now: BEGIN };
  const served = { set };
  const logged: string[] = [];
  const record = (message: string) => void logged.push(message);
  const log = { info: record, warn: record, error: record };
  const start = async () => {
    const snapshot = () => served.set;
    const webhook = await openWebhook({ url, secret: SECRET, stateDir, snapshot, now: () => clock.now }, log);
    afterTest(t, webhook.close);
    webhook.notice('reload');
    return webhook;
  };
  return { start, clock, served, logged, path: join(stateDir, 'webhooks.json') };
}

/** The signature is as of the clock of the test. */
const dataOf = ({ payload }: Received) => payload.data;

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
  assert.deepEqual([health().waiting, health().delivered, health().reasons], [0, 7, []]);
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

test('what is not delivered, and what changes while no process runs, is sent after a restart, in order', async t => {
  const receiver = await startReceiver(t);
  receiver.answerWith(() => 500);
  const [one, two] = [await snapshotOf(t, scheduled), await snapshotOf(t, shop)];
  const { start, clock, served } = await openSender(t, one, receiver.url);
  const first = await start();
  await receiver.untilReceived(1);
  await first.close();
  clock.now = BEGIN + 10;
  const second = await start();
  await until(t, async () => (second.health().waiting === 2 ? true : undefined));
  await second.close();
  served.set = two;
  receiver.answerWith(() => 204);
  const third = await start();
  const taken = await receiver.untilTaken(3);
  await until(t, async () => (third.health().waiting === 0 ? true : undefined));
  await third.close();
  assert.equal(taken[0]?.id, receiver.received[0]?.id);
  assert.deepEqual(
    taken.map(dataOf).map(({ kind, tags }) => [kind, tags.length]),
    [
      ['reload', 7],
      ['scheduled', 2],
      ['reload', 7],
    ],
  );
  const fourth = await start();
  await fourth.close();
  assert.equal(receiver.taken().length, 3, 'nothing has changed');
});

test('a broken file is replaced and everything purged, and that of a newer version is left alone', async t => {
  const receiver = await startReceiver(t);
  const set = await snapshotOf(t, shop);
  const { start, logged, path } = await openSender(t, set, receiver.url);
  const finish = async (count: number) => {
    const webhook = await start();
    await receiver.untilTaken(count);
    await until(t, async () => (webhook.health().waiting === 0 ? true : undefined));
    await webhook.close();
  };
  await finish(1);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(set.version, '000000000000'));
  await finish(2);
  assert.match(String(logged), /webhooks\.json is broken \(its checksum does not match\): the next webhook/);
  assert.deepEqual(receiver.taken()[1]?.payload.data.tags, [...kindTags]);
  await writeFile(path, text.replace('"format":1', '"format":2'));
  await assert.rejects(start(), /webhooks\.json has format 2, written by Vitrine/);
});

test('a state directory that cannot be written is reported, and webhooks are still sent', async t => {
  const receiver = await startReceiver(t);
  const set = await snapshotOf(t, shop);
  const { start, path, logged } = await openSender(t, set, receiver.url);
  await rm(join(path, '..'), { recursive: true });
  const { health } = await start();
  await receiver.untilTaken(1);
  await until(t, async () => (health().reasons.length > 0 ? true : undefined));
  assert.deepEqual(health().reasons, ['webhooks cannot be remembered: no such file or directory']);
  assert.match(String(logged), /cannot remember webhooks/);
});

test('a webhook is given up after a week, and more than 1,000 that wait become fewer without losing a tag', async t => {
  const receiver = await startReceiver(t);
  receiver.answerWith(() => 500);
  const one = await snapshotOf(t, shop);
  const others = [
    await snapshotOf(t, { ...shop, 'prices.csv': String(shop['prices.csv']).replace('19.99', '1') }),
    await snapshotOf(t, { ...shop, 'prices.csv': String(shop['prices.csv']).replace(',21,4,0', ',21,4,7') }),
  ];
  const { start, served, logged, clock } = await openSender(t, one, receiver.url);
  const { notice, health } = await start();
  for (let change = 0; change < 1_100; change += 1) {
    served.set = others[change % 2] ?? one;
    notice('reload');
  }
  await until(t, async () => (health().waiting === 1_000 ? true : undefined));
  clock.now += 604_801;
  served.set = one;
  notice('reload');
  receiver.answerWith(attempt => (attempt === receiver.received.length ? 500 : 204));
  await until(t, async () => (logged.some(line => line.startsWith('gave up')) ? true : undefined));
  assert.match(String(logged.at(-1)), /^gave up webhook msg_\S+ of 2030-03-17T17:46:40Z$/);
});
