import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { kindTags } from '../../src/contract/webhook.ts';
import { shop } from '../support/catalogs.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook/receiver.ts';
import { BEGIN, dataOf, openSender, scheduled, snapshotOf } from '../support/webhook/sender.ts';

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
