import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzip } from 'node:zlib';
import { openAnswers } from '../../src/answer/answers.ts';
import type { Representation } from '../../src/answer/representation.ts';
import { endpoint } from '../../src/http/endpoint.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { until } from '../support/until.ts';

const MB = 2 ** 20;
/** The largest body that is copied. */
const COPIED = MB / 4;
const TEXT = 'Größe 香港: the same again and again. '.repeat(40);

// Nothing is looked at of a set but which one it is, and how much memory its news take.
const setOf = (bytes: number, more: Partial<Snapshot> = {}) =>
  ({ news: { json: new Uint8Array(bytes) }, ...more }) as Snapshot;

function open(flushIntervalMs = 0) {
  return openAnswers({ flushIntervalMs, cacheMaxAge: 0 }, () => 0);
}

/** A representation that stays current, and whose content is made on demand. */
function representation(tag = '"a"', body: Representation['body'] = () => [Buffer.alloc(COPIED)]) {
  return { tag, body, isCurrent: () => true };
}

test('a current answer is cached for its snapshot, its content is made once, and stays while the tag is the same', async () => {
  const { prepare, current } = open();
  const [one, other] = [setOf(0), setOf(0)];
  let made = 0;
  const body = () => {
    made += 1;
    return [Buffer.from('content')];
  };
  let isCurrent = true;
  const answer = prepare(one, 'key', { tag: '"a"', body, isCurrent: () => isCurrent });
  for (const _ of [1, 2]) assert.equal((await answer.contentIn(undefined)).content, 'content');
  assert.equal(current(one, 'key'), answer);
  assert.deepEqual([current(other, 'key'), current(one, 'other'), made], [undefined, undefined, 1]);
  isCurrent = false;
  assert.equal(current(one, 'key'), undefined);
  assert.equal(prepare(one, 'key', representation('"a"', body)), answer);
  assert.deepEqual([current(one, 'key'), made], [answer, 1]);
  assert.notEqual(prepare(one, 'key', representation('"b"')), answer);
});

test('what has no tag is not cached, and a preview neither cached nor compressed', async () => {
  const { prepare, current } = open();
  const [set, preview] = [setOf(0), setOf(0, { instant: 1 })];
  prepare(set, 'key', { body: 'a', isCurrent: () => true });
  const answer = prepare(preview, 'key', representation('"a"', TEXT));
  assert.deepEqual([current(set, 'key'), current(preview, 'key')], [undefined, undefined]);
  void answer.contentIn('gzip');
  await new Promise(resolve => gzip(TEXT, resolve));
  assert.equal((await answer.contentIn('gzip')).coding, undefined);
});

test('content takes 32 MB of a small set and the size of its news on top; what was not used for longest goes', () => {
  for (const [newsBytes, room] of [
    [0, 125],
    [40 * MB, 325],
  ] as const) {
    const { prepare, current } = open();
    const set = setOf(newsBytes);
    // Content that is made on demand counts when it is made, other content from the start.
    const body = newsBytes === 0 ? [Buffer.alloc(COPIED)] : undefined;
    const add = (index: number) => {
      const answer = prepare(set, `${index}`, representation('"a"', body));
      if (!body) void answer.contentIn(undefined);
    };
    for (let index = 0; index < room; index += 1) add(index);
    assert.ok(current(set, '0'));
    for (let index = room; index < room + 5; index += 1) add(index);
    assert.deepEqual([Boolean(current(set, '0')), current(set, '1')], [true, undefined]);
    for (let round = 0; round < 50; round += 1)
      void prepare(set, '0', representation(`"${round}"`)).contentIn(undefined);
    assert.ok(current(set, '10'), 'an answer that changes takes its place once');
  }
});

test('compressed content counts as cached', async t => {
  const { prepare, current } = open();
  const set = setOf(0);
  const add = async (index: number) => {
    const answer = prepare(set, `${index}`, representation('"a"', [randomBytes(200_000)]));
    await until(t, async () => (await answer.contentIn('gzip')).coding);
  };
  for (let index = 0; index < 80; index += 1) await add(index);
  assert.ok(current(set, '0'));
  for (let index = 80; index < 100; index += 1) await add(index);
  assert.equal(current(set, '1'), undefined);
});

test('content is sent as it is until it is compressed, one at a time', async t => {
  const { prepare } = open();
  const [one, other] = ['one', 'other'].map(key => prepare(setOf(0), key, representation('"a"', TEXT)));
  assert.ok(one && other);
  for (const answer of [one, other]) assert.equal((await answer.contentIn('br')).coding, undefined);
  await until(t, async () => (await one.contentIn('br')).coding);
  assert.equal((await other.contentIn('br')).coding, undefined);
  await until(t, async () => (await other.contentIn('br')).coding);
});

test('content that changes within the interval is not compressed again', async t => {
  const compressedAgain = async (interval: number) => {
    const { prepare } = open(interval);
    const set = setOf(0);
    const first = prepare(set, 'key', representation('"a"', TEXT));
    await until(t, async () => (await first.contentIn('gzip')).coding);
    return prepare(set, 'key', representation('"b"', TEXT));
  };
  assert.equal((await (await compressedAgain(3_600_000)).contentIn('gzip')).coding, undefined);
  const next = await compressedAgain(0);
  await until(t, async () => (await next.contentIn('gzip')).coding);
});

test('cached content holds only its own bytes, and large content is never copied', async () => {
  const contentOf = async (body: Uint8Array[], tag?: string) => {
    const made = { ...(tag && { tag }), body, isCurrent: () => true };
    return (await open().prepare(setOf(0), 'key', made).contentIn(undefined)).content;
  };
  const piece = Buffer.from('a piece'.repeat(100));
  const [cached] = await contentOf(Array(9).fill(piece), '"a"');
  assert.ok(cached instanceof Uint8Array);
  assert.equal(cached.buffer.byteLength, 9 * piece.length);
  // Clients that do not read their answers hold no memory.
  const large = [Buffer.alloc(COPIED + 1), Buffer.from('7')];
  for (const tag of ['"a"', undefined]) assert.equal((await contentOf(large, tag))[0], large[0]);
});

test('a keyword that looks like other parameters has a key of its own', () => {
  const { ask } = endpoint({ url: '/', schema: {}, handler: () => ({ body: '' }) });
  const keywords = ['a', 'a&page=2', 'a?page=2', 'a" page 2'].map(keyword => ({ keyword }));
  const keys = [...keywords, { keyword: 'a', page: 2 }].map(query => ask(query, undefined).key);
  assert.equal(new Set(keys).size, keys.length);
});
