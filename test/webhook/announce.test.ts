import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { kindTags, type WebhookPayload } from '../../src/contract/webhook.ts';
import type { CatalogStatus } from '../../src/live/status.ts';
import type { SetReport } from '../../src/reader/read-set.ts';
import {
  chatText,
  eventOf,
  nextMessage,
  noticed,
  recall,
  took,
  toRemember,
} from '../../src/webhook/announce.ts';
import { reportOf, snapshotOf } from '../support/sets.ts';
import { BEGIN, errorsOf, refused, statusOf } from './statuses.ts';

const urls = { webhookUrl: 'https://example.org/hook', chatUrl: 'https://example.org/chat' };
const one = snapshotOf('one', [BEGIN + 10, BEGIN + 20]);
const [two, three] = [snapshotOf('two', [BEGIN + 10]), snapshotOf('three')];
/** Prices of products, each from a moment on. */
const pricesFrom = (products: readonly number[], seconds: number) =>
  products.map(id => ({
    ...{ id, product_id: id, rel_id: id, duration_id: 1, price: 9, rel_type: 1 },
    valid_from: BEGIN + seconds,
  }));
const fifty = Array.from({ length: 51 }, (_, id) => id + 1);
const dated = [...pricesFrom([1], 10), ...pricesFrom([2, 3], 20), ...pricesFrom(fifty, 30)];
const four = snapshotOf('four', [], dated);
const purgeAll = [...kindTags].sort();
const pinnedTo = (version: string) => ({ pinned: { version, since: BEGIN, fault: undefined } });
const holds = [{ code: 'LOST_ROWS', message: '9 prices' } as const];
const heldAs = (version: string) => ({
  held: { version, since: BEGIN, report: reportOf(version, { holds }), snapshot: undefined },
});

/** What two receivers hear of one status after the other; a restart goes on from what is remembered. */
function openReceivers(status: CatalogStatus, file: Parameters<typeof recall>[0] = {}, to = urls) {
  let [state, now] = [recall(file, to), BEGIN];
  const failing = { webhook: 0, chat: 0 };
  const take = (role: 'webhook' | 'chat') => {
    const taken: (WebhookPayload | { text: string })[] = [];
    for (let message = nextMessage(state, role, now); message; message = nextMessage(state, role, now)) {
      if (message.isDoubtful) state = took(state, role, { taking: { event: null } });
      failing[role] -= 1;
      if (failing[role] >= 0) break;
      taken.push(message.payload('now'));
      state = took(state, role, message);
    }
    return taken;
  };
  return {
    /** What each takes of another status, or once so many seconds have passed. Another set differs in a price of product 1. */
    hear(next: CatalogStatus | number = 0) {
      if (typeof next === 'number') now += next;
      else {
        const [from, served] = [status.served?.snapshot.version, next.served];
        const changes = { summary: '1 price changed', from, tags: ['product-1'] };
        const report = { ...served?.report, changes } as SetReport;
        const isOther = served && served.snapshot.version !== from;
        status = isOther ? { ...next, served: { ...served, report } } : next;
      }
      // Nobody looks because a clock is set back.
      if (typeof next !== 'number' || next >= 0) state = noticed(state, status, now);
      else return { hooks: [], summaries: [], chats: [] };
      const hooks = take('webhook').map(payload => ('text' in payload ? assert.fail() : payload));
      const chats = take('chat').map(payload => ('text' in payload ? payload.text : assert.fail()));
      const summaries = hooks.map(({ type, data: { version, tags } }) => [
        ...[type.replace('catalog.', ''), version],
        ...[...tags].sort(),
      ]);
      return { hooks, summaries, chats: chats.map(text => text.split('\n')[0]) };
    },
    fail: (times: number) => void Object.assign(failing, { webhook: times, chat: times }),
    restart(about: Partial<typeof state> = {}, remembered: object = toRemember({ ...state, ...about })) {
      state = recall(JSON.parse(JSON.stringify(remembered)), to);
    },
    /** A set is about to be served, before the files of a start are decided. */
    serveFirst(version: string) {
      state = { ...state, upcoming: version };
    },
  };
}

const pending = { attempt: { outcome: 'pending', time: BEGIN, report: errorsOf('bad') } } as const;
const seven = refused('bad', ...'bcdefg');
const refusal = (errors: string, version: string) =>
  `The changed files were refused: ${errors}. ${still(version)}`;
const still = (version: string) => `Version ${version} is still served.`;
const HELD = 'Version c0ffee is held back. ';
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
  [statusOf(one, heldAs('c0ffee')), ['held', 'one'], HELD + still('one')],
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

test('a webhook gets each event with the tags to purge, and a chat hears once of what is refused, held, pinned or live after that', () => {
  const { hear } = openReceivers(statusOf(one));
  const payloads: WebhookPayload[] = [];
  for (const [next, hook, text] of events) {
    const { hooks, summaries, chats } = hear(next);
    assert.deepEqual([summaries, chats], [hook ? [hook] : [], text === undefined ? [] : [text]]);
    payloads.push(...hooks);
  }
  const dataOf = (type: string) => payloads.find(payload => payload.type === `catalog.${type}`)?.data;
  assert.equal(payloads[1]?.data.changes, '1 price changed');
  const messages = dataOf('refused')?.problems?.map(({ message }) => message);
  assert.deepEqual(messages, ['bad', ...'bcde']);
  const reasons = [{ code: 'LOST_ROWS', message: '9 prices' }];
  assert.deepEqual(dataOf('held')?.held, { version: 'c0ffee', reasons });
});

test('after a restart, only news is announced, and everything purged if another set may have been served', () => {
  const { hear, fail, restart } = openReceivers(statusOf(one));
  const all = [['live', 'one', ...purgeAll]];
  assert.deepEqual(hear().summaries, all);
  restart();
  assert.deepEqual(hear().summaries, []);
  restart();
  assert.deepEqual(hear(10).summaries, [['scheduled', 'one', 'images', 'news']]);
  // The second set is about to be served when the process ends.
  restart({ upcoming: 'two' });
  assert.deepEqual(hear().summaries, all);
  restart({}, {});
  assert.deepEqual([hear().summaries, hear().chats], [all, []]);
  // What cannot be read may be that something was refused.
  const unread = noticed(recall(undefined, urls), statusOf(one), BEGIN);
  assert.deepEqual(nextMessage(unread, 'chat', BEGIN)?.payload(''), { text: 'Version one is live.' });
  // Nobody has heard of the second set, which some may have got.
  fail(2);
  for (const set of [two, one]) hear(statusOf(set));
  restart();
  assert.deepEqual(hear().summaries, all);
});

test('what a start served before its files were decided is purged, and what is refused is said again', () => {
  const { hear, restart, serveFirst } = openReceivers(statusOf(two));
  const all = ['live', 'two', ...purgeAll];
  const again = ['refused', 'two'];
  hear();
  for (const [status, event, heard] of [
    [statusOf(two), [], [all]],
    [statusOf(two, refused('bad')), [again], [all, again]],
    [statusOf(two), [['live', 'two']], [all]],
  ] as const) {
    assert.deepEqual(hear(status).summaries, event);
    restart();
    serveFirst('one');
    assert.deepEqual(hear().summaries, heard);
    restart();
    assert.deepEqual(hear().summaries, []);
  }
});

const live = 'Version three is live.';
const bad = statusOf(three, refused('bad'));
/** What was taken, what happens while a receiver fails, and what it hears after that as webhook and as chat. */
const failing: [taken: CatalogStatus, steps: (CatalogStatus | number)[], hook: string[], chat?: string][] = [
  [bad, [statusOf(three)], ['live', 'three'], live],
  [statusOf(three), [bad], ['refused', 'three'], refusal('1 error', 'three')],
  [statusOf(three), [statusOf(three, heldAs('c0ffee'))], ['held', 'three'], HELD + still('three')],
  [statusOf(three), [statusOf(two, pinnedTo('two'))], ['rolled_back', 'two', 'product-1'], PINNED],
  [statusOf(one), [10], ['scheduled', 'one', 'images', 'news']],
  [statusOf(one), [10, statusOf(three)], ['live', 'three', 'images', 'news', 'product-1']],
  [statusOf(one), [statusOf(three), statusOf(three, pending)], ['live', 'three', 'product-1']],
  [statusOf(one), [statusOf(two), statusOf(three)], ['live', 'three', ...purgeAll]],
  [statusOf(three), [bad, statusOf(three)], ['live', 'three'], live],
];

test('a receiver that fails once or several times hears what is true, once, and nothing again after a restart', () => {
  for (const [taken, steps, hook, chat] of failing)
    for (const times of [1, 2, 5]) {
      const { hear, fail, restart } = openReceivers(statusOf(three, refused('first')));
      hear();
      hear(taken);
      fail(times);
      const heard = [...steps, ...Array<number>(times).fill(0)].map(hear);
      const [summaries, chats] = [heard.flatMap(all => all.summaries), heard.flatMap(all => all.chats)];
      assert.deepEqual([summaries, chats], [[hook], chat ? [chat] : []], `${times} failures`);
      restart();
      assert.deepEqual(hear(), { hooks: [], summaries: [], chats: [] });
    }
});

test('what the version before remembered is read: nothing is lost or repeated', () => {
  const { webhookUrl, chatUrl } = urls;
  const former = { version: 'three', from: 0, event: '' };
  const remembered = {
    [hash('sha256', webhookUrl)]: former,
    [hash('sha256', chatUrl)]: { ...former, version: '' },
  };
  const { hear } = openReceivers(statusOf(three), remembered);
  assert.deepEqual([hear().summaries, hear().chats], [[], []]);
  const { summaries, chats } = hear(bad);
  assert.deepEqual([summaries, chats.length], [[['refused', 'three']], 1]);
  // Of two receivers with one URL, what the chat took was remembered.
  const single = openReceivers(bad, remembered, { webhookUrl, chatUrl: webhookUrl }).hear();
  assert.deepEqual([single.summaries[0], single.chats.length], [['live', 'three', ...purgeAll], 1]);
});

test('a webhook gets problems and reasons as /health has them: short, and with no directory of the machine', () => {
  const [message, short] = ['x'.repeat(400), `${'x'.repeat(300)}…`];
  const problem = { severity: 'error', file: '/srv/later', code: 'NO_DIRECTORY', message } as const;
  const report = reportOf('c0ffee', { problems: [problem], holds: [{ code: 'LOST_ROWS', message }] });
  const attempt = { outcome: 'failed', time: BEGIN, report } as const;
  const [found] = eventOf(statusOf(one, { attempt }))?.data.problems ?? [];
  assert.deepEqual([found?.file, found?.message], ['later', short]);
  const held = { version: 'c0ffee', since: BEGIN, report, snapshot: undefined };
  assert.equal(eventOf(statusOf(one, { held }))?.data.held?.reasons[0]?.message, short);
});

test('a refusal is not announced again because of a table beside the catalogs', () => {
  const keyOf = (more: Partial<SetReport>) => {
    const report = { ...reportOf('bad'), ...more } as SetReport;
    return eventOf(statusOf(one, { attempt: { outcome: 'failed', time: BEGIN, report } }))?.key;
  };
  const warning = { severity: 'warning', file: 'faq.csv', message: 'this file is not read' } as const;
  const withWarning = (code: 'OTHER_TABLE' | 'NOT_READ') => ({
    problems: [...reportOf('bad').problems, { ...warning, code }],
    warnings: 1,
  });
  assert.equal(keyOf(withWarning('OTHER_TABLE')), keyOf({}));
  assert.notEqual(keyOf(withWarning('NOT_READ')), keyOf({}));
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
