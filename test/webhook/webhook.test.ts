import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { kindTags } from '../../src/contract/webhook.ts';
import type { CatalogStatus } from '../../src/live/status.ts';
import type { SetReport } from '../../src/reader/read-set.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { tabulatePrices } from '../../src/snapshot/price-table.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { chatText, eventOf, openWebhook, post } from '../../src/webhook/webhook.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles, writeInto } from '../support/catalogs.ts';
import { runCommand } from '../support/command.ts';
import { drastic } from '../support/http/histories.ts';
import { bearer, previewToken } from '../support/http/previews.ts';
import { listen } from '../support/listen.ts';
import { freePort } from '../support/programs.ts';
import { keepingLog } from '../support/reads/stores.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { type Received, SECRET, startReceiver } from '../support/webhook/receiver.ts';

const BEGIN = 1_900_000_000;

/** As much of a set as is announced: its version, and when its news items appear (Unix seconds). */
function setOf(version: string, ...publish_time: number[]): Snapshot {
  const never = publish_time.map(() => Number.POSITIVE_INFINITY);
  return {
    version,
    prices: tabulatePrices([]),
    news: { publish_time, unpublish_time: never, img: [], type_id: [] },
  } as unknown as Snapshot;
}

/** A report of a set with these errors. */
function reportOf(...messages: string[]): SetReport {
  const problems = messages.map(
    message => ({ severity: 'error', file: 'prices.csv', code: 'BAD_ENCODING', message }) as const,
  );
  return { problems, errors: problems.length, warnings: 0, files: [] } as unknown as SetReport;
}

/** A set that is served, and what differs from the usual. */
function statusOf(snapshot: Snapshot, values: Partial<CatalogStatus> = {}): CatalogStatus {
  const served = { snapshot, report: reportOf(), since: BEGIN };
  return { ...({ held: undefined, pinned: undefined } as CatalogStatus), served, ...values };
}

/** A set that was refused for these errors. */
function refused(...messages: string[]): Pick<CatalogStatus, 'attempt'> {
  return { attempt: { outcome: 'failed', time: BEGIN, report: reportOf(...messages) } };
}

/** A clock that the test moves, in seconds. */
function openClock() {
  let now = BEGIN;
  const sleepers = new Set<{ until: number; wake(value?: unknown): void }>();
  return {
    now: () => now,
    ms: () => now * 1_000,
    sleep: (ms: number, signal: AbortSignal | undefined) =>
      new Promise((wake, reject) => {
        // A sender that is closed during an attempt pauses with a signal that has been aborted already.
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { until: now + ms / 1000, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    /** The pauses in progress, in seconds. */
    pauses: () => Array.from(sleepers, ({ until }) => until - now),
    move(seconds: number) {
      now += seconds;
      for (const sleeper of sleepers) if (sleeper.until <= now && sleepers.delete(sleeper)) sleeper.wake();
    },
  };
}

/** What is announced of a status that the test chooses, from one process after the other. */
async function openSender(t: TestContext, status: CatalogStatus, urls: Partial<Settings>) {
  const stateDir = await writeFiles(t, {});
  const settings = settingsFrom({ webhookSecret: SECRET, stateDir, ...urls });
  const clock = openClock();
  const state = { status };
  const { messages, ...log } = keepingLog();
  const start = async () => {
    const webhook = await openWebhook(settings, () => state.status, log, { clock });
    afterTest(t, webhook.close);
    webhook.notice();
    return {
      ...webhook,
      /** Resolves once everything is taken that is to be sent by now. */
      async idle() {
        // What a moved clock wakes begins to send.
        await turn();
        await until(t, async () => webhook.health().waiting === 0);
      },
      /** Another set than before differs in a price of product 1. */
      show(next: CatalogStatus) {
        const [from, served] = [state.status.served?.snapshot.version, next.served];
        const changes = { summary: '1 price changed', from, tags: ['product-1'] };
        const report = { ...served?.report, changes } as SetReport;
        const isOther = served && served.snapshot.version !== from;
        state.status = isOther ? { ...next, served: { ...served, report } } : next;
        webhook.notice();
      },
    };
  };
  return { start, clock, state, messages, stateDir, path: join(stateDir, 'announced.json') };
}

const [one, two, three] = [setOf('one', BEGIN + 10, BEGIN + 20), setOf('two', BEGIN + 10), setOf('three')];
/** Prices of products, each from a moment on. */
const pricesFrom = (products: readonly number[], seconds: number) =>
  products.map(id => ({
    id,
    product_id: id,
    rel_id: id,
    duration_id: 1,
    price: 9,
    rel_type: 1,
    valid_from: BEGIN + seconds,
  }));
const fifty = Array.from({ length: 51 }, (_, id) => id + 1);
const dated = [...pricesFrom([1], 10), ...pricesFrom([2, 3], 20), ...pricesFrom(fifty, 30)];
const four = { ...setOf('four'), prices: tabulatePrices(dated) };
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

const pending = { attempt: { outcome: 'pending', time: BEGIN, report: reportOf('bad') } } as const;
const seven = refused('bad', ...'bcdefg');
const refusal = (errors: string, version: string) =>
  `The changed files were refused: ${errors}. ${still(version)}`;
const still = (version: string) => `Version ${version} is still served.`;
const PINNED = "Version two is pinned. Changed files are not loaded until you run 'vitrine unpin'.";
/** What is served next, or by how much the clock moves; what a webhook gets of it, and what a chat hears. */
const events: [next: CatalogStatus | number, hook?: string[], chat?: string][] = [
  [0, ['live', 'one', ...purgeAll]],
  [statusOf(two), ['live', 'two', 'product-1']],
  [statusOf(two, pending)],
  [statusOf(two, seven), ['refused', 'two'], refusal('7 errors', 'two')],
  [statusOf(two, seven)],
  [statusOf(two, pending)],
  [statusOf(two, seven)],
  [statusOf(two, refused('bad')), ['refused', 'two'], refusal('1 error', 'two')],
  [statusOf(one), ['live', 'one', 'product-1'], 'Version one is live: 1 price changed.'],
  [statusOf(one, refused('bad')), ['refused', 'one'], refusal('1 error', 'one')],
  [statusOf(one), ['live', 'one'], 'Version one is live.'],
  [statusOf(one, heldAs('c0ffee')), ['held', 'one'], `Version c0ffee is held back. ${still('one')}`],
  [statusOf(two, pinnedTo('two')), ['rolled_back', 'two', 'product-1'], PINNED],
  [statusOf(two), ['live', 'two'], 'Version two is live.'],
  [statusOf(one), ['live', 'one', 'product-1']],
  [10, ['scheduled', 'one', 'images', 'news']],
  [10, ['scheduled', 'one', 'images', 'news']],
  // The clock is set back before the next set is served.
  [-15],
  [statusOf(two), ['live', 'two', 'images', 'news', 'product-1']],
  // Prices come into force.
  [statusOf(four), ['live', 'four', 'product-1']],
  [5, ['scheduled', 'four', 'product-1']],
  [10, ['scheduled', 'four', 'product-2', 'product-3']],
  [10, ['scheduled', 'four', 'configurations', 'prices']],
  // The clock is set back, which a save notices.
  [-15],
  [statusOf(four), ['scheduled', 'four', 'configurations', 'prices']],
  [5, ['scheduled', 'four', 'product-2', 'product-3']],
];

test('a webhook gets each event with the tags to purge, and a chat hears once of what is refused, held, pinned or live after that', async t => {
  const [receiver, chat] = [await startReceiver(t), await startReceiver(t, false)];
  const urls = { webhookUrl: receiver.url, chatUrl: chat.url };
  const { start, clock } = await openSender(t, statusOf(one), urls);
  const { show, health, idle } = await start();
  for (const [next, hook, text] of events) {
    const [taken, heard] = [receiver.taken().length, chat.taken().length];
    if (typeof next === 'object') show(next);
    else clock.move(next);
    await idle();
    const firstLines = chat.taken().map(({ body }) => JSON.parse(body).text.split('\n')[0]);
    assert.deepEqual(firstLines.slice(heard), text === undefined ? [] : [text]);
    assert.deepEqual(receiver.taken().slice(taken).map(summaryOf), hook ? [hook] : []);
  }
  const payloads = receiver.received.map(({ payload }) => payload);
  const dataOf = (type: string) => payloads.find(payload => payload.type === `catalog.${type}`)?.data;
  assert.equal(payloads[1]?.data.changes, '1 price changed');
  const messages = dataOf('refused')?.problems?.map(({ message }) => message);
  assert.deepEqual(messages, ['bad', ...'bcde']);
  assert.deepEqual(dataOf('held')?.held, {
    version: 'c0ffee',
    reasons: [{ code: 'LOST_ROWS', message: '9 prices' }],
  });
  const scheduled = payloads.find(({ type }) => type === 'catalog.scheduled');
  assert.equal(scheduled?.timestamp, '2030-03-17T17:46:50Z');
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, receiver.taken().length);
  const { delivered, lastDelivery, reasons } = health();
  const all = receiver.taken().length + chat.taken().length;
  assert.deepEqual([delivered, lastDelivery, reasons], [all, clock.now(), []]);
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
    // Besides, it waits for what is scheduled.
    await until(t, async () => clock.pauses().length === 2 && clock.pauses().includes(pause));
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

const live = 'Version three is live.';
const bad = statusOf(three, refused('bad'));
/** What was taken, what happens while a receiver fails, and what it hears last as webhook and as chat. */
const failing: [taken: CatalogStatus, steps: (CatalogStatus | number)[], hook: string, chat: string][] = [
  [bad, [statusOf(three)], 'live', live],
  [statusOf(three), [bad], 'refused', refusal('1 error', 'three')],
  [
    statusOf(three),
    [statusOf(three, heldAs('c0ffee'))],
    'held',
    `Version c0ffee is held back. ${still('three')}`,
  ],
  [statusOf(three), [statusOf(setOf('two'), pinnedTo('two'))], 'rolled_back', PINNED],
  [statusOf(one), [10], 'scheduled', 'Version one is live: 1 price changed.'],
  [statusOf(three), [bad, statusOf(three)], 'live', live],
];

for (const [taken, steps, hook, chat] of failing)
  for (const times of [1, 2, 5])
    test(`${times} failures of the receiver, of ${steps.length} of these: ${hook}; it hears what is true, once`, async t => {
      const receiver = await startReceiver(t, false);
      const urls = { webhookUrl: receiver.url, chatUrl: receiver.url };
      const { start, clock } = await openSender(t, statusOf(three, refused('first')), urls);
      const { show, idle, health, close } = await start();
      await idle();
      show(taken);
      await idle();
      const { length: before } = receiver.received;
      receiver.answerWith(attempt => (attempt < before + 2 * times ? 500 : 204));
      for (const step of steps) {
        const { length } = receiver.received;
        if (typeof step === 'object') show(step);
        else clock.move(step);
        if (step === steps[0]) await receiver.untilReceived(length + 1);
      }
      await until(t, async () => {
        clock.move(1);
        return health().waiting === 0;
      });
      const last = (isChat: boolean) =>
        receiver.taken().findLast(({ payload }) => 'text' in payload === isChat) ?? assert.fail();
      assert.equal(last(false).payload.type, `catalog.${hook}`);
      assert.equal(JSON.parse(last(true).body).text.split('\n')[0], chat);
      assert.deepEqual(health().reasons, []);
      const { length } = receiver.received;
      await close();
      await (await start()).idle();
      assert.equal(receiver.received.length, length, 'a restart repeats nothing');
    });

test('what the version before remembered is read: nothing is lost or repeated', async t => {
  const [hook, chat] = [await startReceiver(t), await startReceiver(t, false)];
  const urls = { webhookUrl: hook.url, chatUrl: chat.url };
  const { start, path } = await openSender(t, statusOf(three), urls);
  const former = { version: 'three', from: 0, event: '' };
  const remembered = {
    [hash('sha256', hook.url)]: former,
    [hash('sha256', chat.url)]: { ...former, version: '' },
  };
  await writeFile(path, JSON.stringify(remembered));
  const { show, idle } = await start();
  await idle();
  assert.deepEqual([hook.received, chat.received], [[], []]);
  show(statusOf(three, refused('bad')));
  await idle();
  assert.deepEqual([hook.taken().map(summaryOf), chat.taken().length], [[['refused', 'three']], 1]);
});

test('each message is given up after a week', async t => {
  const receiver = await startReceiver(t);
  receiver.answerWith(() => 500);
  const status = statusOf(three, refused('bad'));
  const { start, clock, messages } = await openSender(t, status, { webhookUrl: receiver.url });
  const { health, idle } = await start();
  assert.equal(health().waiting, 1);
  for (const given of [1, 2]) {
    await until(t, async () => clock.pauses().includes(1));
    clock.move(604_801);
    const lines = () => messages.filter(line => line.startsWith('error: gave up'));
    await until(t, async () => lines().length === given);
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
  assert.match(
    String(messages),
    /^error: cannot remember what webhooks announced: no such file or directory$/,
  );
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

test('a webhook gets problems and reasons as /health has them: short, and with no directory of the machine', () => {
  const [message, short] = ['x'.repeat(400), `${'x'.repeat(300)}…`];
  const problem = { file: '/srv/later', code: 'NO_DIRECTORY', message } as const;
  const report = { ...reportOf(), problems: [problem], holds: [{ code: 'LOST_ROWS', message }] } as SetReport;
  const attempt = { outcome: 'failed', time: BEGIN, report } as const;
  const [found] = eventOf(statusOf(one, { attempt }))?.data.problems ?? [];
  assert.deepEqual([found?.file, found?.message], ['later', short]);
  const held = { version: 'c0ffee', since: BEGIN, report, snapshot: undefined };
  assert.equal(eventOf(statusOf(one, { held }))?.data.held?.reasons[0]?.message, short);
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
