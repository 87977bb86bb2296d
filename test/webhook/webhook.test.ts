import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { pino } from 'pino';
import { kindTags } from '../../src/contract/webhook.ts';
import type { CatalogStatus } from '../../src/live/status.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { chatText, eventOf } from '../../src/webhook/webhook.ts';
import { shop, writeInto } from '../support/catalogs.ts';
import { drastic } from '../support/http/histories.ts';
import { bearer, previewToken } from '../support/http/previews.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { type Received, SECRET, startReceiver } from '../support/webhook/receiver.ts';
import { BEGIN, openSender, refused, reportOf, setOf, statusOf } from '../support/webhook/sender.ts';

const [one, two, three] = [setOf('one', BEGIN + 10, BEGIN + 20), setOf('two', BEGIN + 10), setOf('three')];
const purgeAll = [...kindTags].sort();
const pinnedTo = (version: string) => ({ pinned: { version, since: BEGIN, fault: undefined } });
const heldAs = (version: string) =>
  ({
    held: { version, report: { ...reportOf(), holds: [{ code: 'LOST_ROWS', message: '9 prices' }] } },
  }) as unknown as Pick<CatalogStatus, 'held'>;

/** The type of a webhook, its version and its tags. */
const summaryOf = ({ payload: { type, data } }: Received) => [
  type.replace('catalog.', ''),
  data.version,
  ...[...data.tags].sort(),
];

test('a webhook gets each event with the tags to purge: at first all, then those that changed', async t => {
  const receiver = await startReceiver(t);
  const { start, clock } = await openSender(t, statusOf(one), { webhookUrl: receiver.url });
  const { show, health, idle } = await start();
  const expected: unknown[] = [];
  const untilHeard = async (...news: string[]) => {
    expected.push(news);
    await idle();
    assert.deepEqual(receiver.taken().map(summaryOf), expected);
  };
  await untilHeard('live', 'one', ...purgeAll);
  show(statusOf(two));
  await untilHeard('live', 'two', 'product-1');
  show(statusOf(two, refused('bad', ...'bcdefg')));
  await untilHeard('refused', 'two');
  show(statusOf(two));
  await untilHeard('live', 'two');
  show(statusOf(two, heldAs('c0ffee')));
  await untilHeard('held', 'two');
  show(statusOf(one, pinnedTo('one')));
  await untilHeard('rolled_back', 'one', 'product-1');
  clock.move(10);
  await untilHeard('scheduled', 'one', 'images', 'news');
  clock.move(10);
  await untilHeard('scheduled', 'one', 'images', 'news');
  // The clock is set back before the next set is served.
  clock.move(-15);
  show(statusOf(two));
  await untilHeard('live', 'two', 'images', 'news', 'product-1');
  const [, changed, wrong, , held, , scheduled] = receiver.received.map(({ payload }) => payload);
  assert.equal(changed?.data.changes, '1 price changed');
  assert.deepEqual(
    wrong?.data.problems?.map(({ message }) => message),
    ['bad', ...'bcde'],
  );
  assert.deepEqual(held?.data.held, {
    version: 'c0ffee',
    reasons: [{ code: 'LOST_ROWS', message: '9 prices' }],
  });
  assert.equal(scheduled?.timestamp, '2030-03-17T17:46:50Z');
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, expected.length);
  const { delivered, lastDelivery, reasons } = health();
  assert.deepEqual([delivered, lastDelivery, reasons], [expected.length, clock.now(), []]);
});

test('a chat hears once of what is refused, held back or pinned, and of what is live after that', async t => {
  const receiver = await startReceiver(t, false);
  const { start } = await openSender(t, statusOf(one), { chatUrl: receiver.url });
  const { show, idle } = await start();
  const expected: string[] = [];
  const pending = { attempt: { outcome: 'pending', time: BEGIN, report: reportOf('bad') } } as const;
  const still = (version: string) => `Version ${version} is still served.`;
  for (const [status, ...texts] of [
    [statusOf(two)],
    [statusOf(two, pending)],
    [statusOf(two, refused('bad')), `The changed files were refused: 1 error. ${still('two')}`],
    [statusOf(two, refused('bad'))],
    [statusOf(two, pending)],
    [statusOf(two, refused('bad'))],
    [statusOf(two, refused('a', 'b')), `The changed files were refused: 2 errors. ${still('two')}`],
    [statusOf(one), 'Version one is live: 1 price changed.'],
    [statusOf(one, refused('bad')), `The changed files were refused: 1 error. ${still('one')}`],
    [statusOf(one, heldAs('c0ffee')), `Version c0ffee is held back. ${still('one')}`],
    [
      statusOf(two, pinnedTo('two')),
      "Version two is pinned. Changed files are not loaded until you run 'vitrine unpin'.",
    ],
    [statusOf(two), 'Version two is live.'],
  ] as const) {
    show(status);
    expected.push(...texts);
    await idle();
    const taken = receiver.taken().map(({ body }) => JSON.parse(body).text.split('\n')[0]);
    assert.deepEqual(taken, expected);
  }
});

test('after a restart, only news is announced, and everything purged if another set may have been served', async t => {
  const receiver = await startReceiver(t);
  const { start, state, clock, path } = await openSender(t, statusOf(one), { webhookUrl: receiver.url });
  /** Runs a process, and returns the webhooks that it sends. */
  const run = async (use?: (webhook: Awaited<ReturnType<typeof start>>) => Promise<void>) => {
    const before = receiver.taken().length;
    const webhook = await start();
    await use?.(webhook);
    await webhook.idle();
    await webhook.close();
    return receiver.taken().slice(before).map(summaryOf);
  };
  const all = [['live', 'one', ...purgeAll]];
  assert.deepEqual(await run(), all);
  assert.deepEqual(await run(), []);
  clock.move(10);
  assert.deepEqual(await run(), [['scheduled', 'one', 'images', 'news']]);
  // The second set is about to be served when the process ends.
  await run(({ remember }) => remember(two));
  assert.deepEqual(await run(), all);
  state.status = statusOf(two);
  assert.deepEqual(await run(), [['live', 'two', ...purgeAll]]);
  for (const broken of ['broken', 'null']) {
    await writeFile(path, broken);
    assert.deepEqual(await run(), [['live', 'two', ...purgeAll]]);
  }
});

test('a failing receiver is logged once, and gets the same message again, later and later, or what is true then', async t => {
  const receiver = await startReceiver(t);
  receiver.answerWith(() => 500);
  const { start, clock, messages } = await openSender(t, statusOf(one), { webhookUrl: receiver.url });
  const { show, health, idle } = await start();
  const retry = async (pause: number) => {
    await until(t, async () => (clock.pauses().includes(pause) ? true : undefined));
    const { length } = receiver.received;
    clock.move(pause);
    await receiver.untilReceived(length + 1);
  };
  assert.equal(health().waiting, 1);
  for (const pause of [1, 2, 4, 8, 16, 32, 60]) await retry(pause);
  const [first, ...others] = receiver.received;
  for (const { id, body } of others) assert.deepEqual([id, body], [first?.id, first?.body]);
  const failure = `webhooks to ${new URL(receiver.url).host} fail: the receiver answered 500`;
  assert.deepEqual([health().reasons, messages], [[failure], [`warn: ${failure}`]]);
  // Two sets are served until it answers again.
  show(statusOf(two));
  show(statusOf(three, refused('bad')));
  receiver.answerWith(() => 204);
  await retry(60);
  await idle();
  assert.deepEqual(receiver.taken().map(summaryOf), [
    ['live', 'three', ...purgeAll],
    ['refused', 'three'],
  ]);
  assert.deepEqual([health().reasons, messages.length], [[], 2]);
  assert.match(String(messages[1]), /^info: webhooks to \S+ arrive again$/);
});

test('each message is given up after a week', async t => {
  const receiver = await startReceiver(t);
  receiver.answerWith(() => 500);
  const status = statusOf(three, refused('bad'));
  const { start, clock, messages } = await openSender(t, status, { webhookUrl: receiver.url });
  const { health, idle } = await start();
  assert.equal(health().waiting, 1);
  for (const given of [1, 2]) {
    await until(t, async () => (clock.pauses().includes(1) ? true : undefined));
    clock.move(604_801);
    const lines = () => messages.filter(line => line.startsWith('error: gave up'));
    await until(t, async () => (lines().length === given ? true : undefined));
  }
  await idle();
});

test('a set waits until it is remembered, but not for a disk that is gone, which is logged', async t => {
  const receiver = await startReceiver(t);
  const urls = { webhookUrl: receiver.url };
  const { start, path, stateDir, messages } = await openSender(t, statusOf(one), urls);
  const { remember, show, idle } = await start();
  await idle();
  await remember(one);
  assert.ok((await readFile(path, 'utf8')).includes('"version":"one"'));
  await remember(two);
  assert.ok((await readFile(path, 'utf8')).includes('"version":""'));
  await rm(stateDir, { recursive: true });
  await remember(two);
  assert.match(String(messages), /^error: cannot remember webhooks in .*: no such file or directory$/);
  show(statusOf(two));
  await idle();
  assert.equal(receiver.taken().length, 2);
});

test('neither log, health, metrics nor page show more of the URLs than their host', {
  timeout: 120_000,
}, async t => {
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
  await until(t, async () => (services.webhook?.health().reasons.length === 2 ? true : undefined));
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

test('a chat gets the first problems, short enough, and no markup, link or name that a cell holds', () => {
  const messages = ['<!channel> & <a|b> @everyone @channel @here @Björn', ...Array.from('bcdefg')];
  const { lines = [] } = eventOf(statusOf(one, refused(...messages))) ?? {};
  assert.equal(lines.length, 6);
  const [, first] = chatText(lines).split('\n');
  assert.equal(
    first,
    'prices.csv: error BAD_ENCODING &lt;!channel&gt; &amp; &lt;a|b&gt; @\u200beveryone @\u200bchannel @\u200bhere @\u200bBjörn',
  );
  assert.equal(chatText(['first', '&'.repeat(3_000), 'last']), 'first\n…');
});
