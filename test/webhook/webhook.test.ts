import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { kindTags } from '../../src/contract/webhook.ts';
import type { CatalogStatus } from '../../src/live/status.ts';
import { openServices } from '../../src/services.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { chatText, eventOf } from '../../src/webhook/events.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles, writeInto } from '../support/catalogs.ts';
import { requestOver } from '../support/http/over-connection.ts';
import { until } from '../support/until.ts';
import { SECRET, startReceiver } from '../support/webhook/receiver.ts';
import {
  BEGIN,
  cheaper,
  openSender,
  refused,
  reportOf,
  scheduled,
  snapshotOf,
  statusOf,
  summaryOf,
  unscheduled,
} from '../support/webhook/sender.ts';

const purgeAll = [...kindTags].sort();
const pinnedTo = (version: string) => ({ pinned: { version, since: BEGIN, fault: undefined } });
const heldAs = (version: string): Pick<CatalogStatus, 'held'> =>
  ({
    held: {
      version,
      since: BEGIN,
      unconfirmed: 'missing',
      snapshot: undefined,
      report: { ...reportOf(), holds: [{ code: 'LOST_ROWS', message: '9 prices' }] },
    },
  }) as Pick<CatalogStatus, 'held'>;

test('a webhook gets each event with the tags to purge: at first all, then those that changed', async t => {
  const receiver = await startReceiver(t);
  const [one, two] = [await snapshotOf(t, scheduled), await snapshotOf(t, cheaper)];
  const { start, clock } = await openSender(t, statusOf(one), { webhookUrl: receiver.url });
  const { show, health } = await start();
  const expected = [['live', one.version, ...purgeAll]];
  const untilHeard = async (...news: typeof expected) => {
    expected.push(...news);
    const taken = await receiver.untilTaken(expected.length);
    assert.deepEqual(taken.map(summaryOf), expected);
  };
  await untilHeard();
  show(statusOf(two));
  await untilHeard(['live', two.version, 'product-1']);
  show(statusOf(two, refused('bad')));
  await untilHeard(['refused', two.version]);
  show(statusOf(two, heldAs('c0ffee')));
  await untilHeard(['held', two.version]);
  show(statusOf(one, pinnedTo(one.version)));
  await untilHeard(['rolled_back', one.version, 'product-1']);
  clock.move(10);
  await untilHeard(['scheduled', one.version, 'news-all', 'news-type-1']);
  clock.move(20);
  await untilHeard(['scheduled', one.version, 'news-all', 'news-type-2']);
  clock.move(-15);
  show(statusOf(two));
  await untilHeard(['live', two.version, 'news-all', 'news-type-2', 'product-1']);
  assert.equal(receiver.received[2]?.payload.data.problems?.[0]?.message, 'bad');
  assert.deepEqual(receiver.received[3]?.payload.data.held, {
    version: 'c0ffee',
    reasons: [{ code: 'LOST_ROWS', message: '9 prices' }],
  });
  assert.equal(receiver.received[5]?.payload.timestamp, '2030-03-17T17:46:50Z');
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, expected.length);
  await until(t, async () => (health().waiting === 0 ? true : undefined));
  assert.deepEqual([health().delivered, health().reasons], [expected.length, []]);
});

test('a chat hears of what is refused, held or pinned, once, and of what is live after that', async t => {
  const receiver = await startReceiver(t, false);
  const [one, two] = [await snapshotOf(t, scheduled), await snapshotOf(t, cheaper)];
  const { start } = await openSender(t, statusOf(one), { chatUrl: receiver.url });
  const { show, close } = await start();
  const texts = async (count: number) =>
    (await receiver.untilTaken(count)).map(({ body }) => JSON.parse(body).text.split('\n')[0]);
  show(statusOf(two));
  const pending = { attempt: { outcome: 'pending', time: BEGIN, report: reportOf('bad') } } as const;
  show(statusOf(two, pending));
  for (let save = 0; save < 5; save += 1) show(statusOf(two, refused('bad')));
  await texts(1);
  show(statusOf(two, pending));
  show(statusOf(two, refused('bad')));
  show(statusOf(two, refused('bad', 'worse')));
  await texts(2);
  show(statusOf(one));
  await texts(3);
  show(statusOf(one, refused('bad')));
  await texts(4);
  show(statusOf(one, heldAs('c0ffee')));
  await texts(5);
  show(statusOf(two, pinnedTo(two.version)));
  await texts(6);
  show(statusOf(two));
  assert.deepEqual(await texts(7), [
    `The changed files were refused: 1 error. Version ${two.version} is still served.`,
    `The changed files were refused: 2 errors. Version ${two.version} is still served.`,
    `Version ${one.version} is live: 1 price changed.`,
    `The changed files were refused: 1 error. Version ${one.version} is still served.`,
    `Version c0ffee is held back. Version ${one.version} is still served.`,
    `Version ${two.version} is pinned: changed files are not loaded.`,
    `Version ${two.version} is live.`,
  ]);
  await close();
});

test('after a restart, only news is announced, and everything purged if a version in between may have been served', async t => {
  const receiver = await startReceiver(t);
  const [one, two] = [await snapshotOf(t, scheduled), await snapshotOf(t, cheaper)];
  const { start, state, clock, path } = await openSender(t, statusOf(one), { webhookUrl: receiver.url });
  const run = async (count: number, use?: (webhook: Awaited<ReturnType<typeof start>>) => Promise<void>) => {
    const webhook = await start();
    await use?.(webhook);
    await receiver.untilTaken(count);
    await until(t, async () => (webhook.health().waiting === 0 ? true : undefined));
    await webhook.close();
    return receiver
      .taken()
      .slice(count - 1)
      .map(summaryOf);
  };
  const all = [['live', one.version, ...purgeAll]];
  assert.deepEqual(await run(1), all);
  await run(1);
  clock.move(10);
  assert.deepEqual(await run(2), [['scheduled', one.version, 'news-all', 'news-type-1']]);
  // The second set is about to be served when the process ends.
  await run(2, ({ remember }) => remember(two));
  assert.deepEqual(await run(3), all);
  state.status = statusOf(two);
  assert.deepEqual(await run(4), [['live', two.version, ...purgeAll]]);
  await writeFile(path, 'broken');
  assert.deepEqual(await run(5), [['live', two.version, ...purgeAll]]);
});

test('a failing receiver is reported once, and gets the same message again, later and later, or what is true then', async t => {
  const receiver = await startReceiver(t);
  receiver.answerWith(() => 500);
  const sets = await Promise.all(unscheduled.map(files => snapshotOf(t, files)));
  const [one, two, three] = sets as [Snapshot, Snapshot, Snapshot];
  const { start, clock, logged } = await openSender(t, statusOf(one), { webhookUrl: receiver.url });
  const { show, health } = await start();
  const retry = async (pause: number) => {
    await until(t, async () =>
      clock.pauses().includes(pause) && health().reasons.length > 0 ? true : undefined,
    );
    const { length } = receiver.received;
    clock.move(pause);
    await receiver.untilReceived(length + 1);
  };
  for (const pause of [1, 2, 4]) await retry(pause);
  const [first, ...others] = receiver.received;
  for (const { id, body } of others) assert.deepEqual([id, body], [first?.id, first?.body]);
  assert.deepEqual(health().reasons, [
    `webhooks to ${new URL(receiver.url).host} have failed since 2030-03-17T17:46:40Z: the receiver answered 500`,
  ]);
  receiver.answerWith(() => 204);
  await retry(8);
  await until(t, async () => (health().waiting === 0 ? true : undefined));
  receiver.answerWith(() => 500);
  show(statusOf(two));
  await until(t, async () => (health().reasons.length > 0 ? true : undefined));
  show(statusOf(three, refused('bad')));
  receiver.answerWith(() => 204);
  await retry(1);
  // The second set may be sent as well, if the third one is not compared yet.
  const last = await until(t, async () => {
    const news = receiver.taken().map(summaryOf);
    return news.at(-1)?.[0] === 'refused' ? news.slice(-2) : undefined;
  });
  const [live, bad] = last;
  assert.deepEqual(live, ['live', three.version, ...purgeAll]);
  assert.deepEqual(bad, ['refused', three.version]);
  const { host } = new URL(receiver.url);
  assert.deepEqual(logged.slice(0, 2), [
    `webhooks to ${host} fail, retrying: the receiver answered 500`,
    `${host} takes webhooks again, after failures since 2030-03-17T17:46:40Z`,
  ]);
  assert.ok(!String(logged).includes('/hook'));
});

test('each message is given up after a week', async t => {
  const receiver = await startReceiver(t);
  receiver.answerWith(() => 500);
  const { start, clock, logged } = await openSender(
    t,
    statusOf(await snapshotOf(t, unscheduled[0] ?? {}), refused('bad')),
    { webhookUrl: receiver.url },
  );
  const { health } = await start();
  for (const given of [1, 2]) {
    await until(t, async () => (clock.pauses().includes(1) ? true : undefined));
    clock.move(604_801);
    const lines = () => logged.filter(line => line.startsWith('gave up'));
    await until(t, async () => (lines().length === given ? true : undefined));
  }
  await until(t, async () => (health().waiting === 0 ? true : undefined));
});

test('a set waits until it is remembered, but for no disk that is gone, which is logged', async t => {
  const receiver = await startReceiver(t);
  const [one, two] = [await snapshotOf(t, scheduled), await snapshotOf(t, cheaper)];
  const { start, path, stateDir, logged } = await openSender(t, statusOf(one), { webhookUrl: receiver.url });
  const { remember, show, health } = await start();
  await until(t, async () => (health().delivered === 1 && health().waiting === 0 ? true : undefined));
  assert.ok((await readFile(path, 'utf8')).includes(one.version));
  await remember(two);
  assert.ok((await readFile(path, 'utf8')).includes('"version":""'));
  await rm(stateDir, { recursive: true });
  await remember(two);
  assert.match(String(logged), /^cannot remember webhooks in .*: no such file or directory$/);
  show(statusOf(two));
  await receiver.untilTaken(2);
});

test('neither log, health, metrics nor page show more of the URLs than their host', async t => {
  const [chat, hook] = [await startReceiver(t, false), await startReceiver(t)];
  for (const { answerWith } of [chat, hook]) answerWith(() => 500);
  const catalogDir = await writeFiles(t, shop);
  const settings = settingsFrom({
    ...{ catalogDir, imagesDir: catalogDir, stateDir: join(catalogDir, 'state'), reloadQuietMs: 10 },
    ...{ previewToken: 'a-preview-token-of-the-tests', logLevel: 'debug', webhookSecret: SECRET },
    ...{ chatUrl: `${chat.url}/secret-chat?key=secret`, webhookUrl: `${hook.url}/secret-purge` },
  });
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: line => void logged.push(line) });
  const services = await openServices(settings, log);
  const app = buildApp(services, settings, log);
  afterTest(t, () => app.close());
  // Held back, which the chat hears of.
  await writeInto(catalogDir, {
    'prices.csv': String(shop['prices.csv']).split('\n').slice(0, 2).join('\n'),
  });
  await Promise.all([chat.untilReceived(1), hook.untilReceived(1)]);
  await until(t, async () => (services.webhook?.health().reasons.length === 2 ? true : undefined));
  await app.ready();
  const answers = await Promise.all(
    ['/', '/health', '/metrics', '/overview', '/changes', '/history'].map(async url => {
      const headers = { authorization: 'Bearer a-preview-token-of-the-tests' };
      const { statusCode, headers: answered, body } = await requestOver(app.server, { url, headers });
      assert.equal(statusCode, 200, url);
      return JSON.stringify(answered) + body;
    }),
  );
  const all = [...answers, ...logged].join('\n');
  for (const { url } of [chat, hook]) assert.ok(all.includes(new URL(url).host));
  assert.doesNotMatch(all, /\/hook|secret-|key=secret|MfKQ9r8G/);
});

test('a chat gets the first problems, short enough, and no markup, link or name that a cell holds', () => {
  const messages = ['<!channel> & <a|b> @everyone @channel @here @Björn', ...Array.from('bcdefg')];
  const { lines = [] } =
    eventOf(statusOf({ version: '790948ef4deb' } as Snapshot, refused(...messages))) ?? {};
  assert.equal(lines.length, 6);
  const [, first] = chatText(lines).split('\n');
  assert.equal(
    first,
    'prices.csv: error BAD_ENCODING &lt;!channel&gt; &amp; &lt;a|b&gt; @\u200beveryone @\u200bchannel @\u200bhere @\u200bBjörn',
  );
  const long = chatText(['first', '&'.repeat(3_000), 'last']);
  assert.equal(long, 'first\n…');
});
