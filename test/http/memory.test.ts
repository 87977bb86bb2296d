import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import type { Body } from '../../src/answer/body.ts';
import { openCompression } from '../../src/answer/compression.ts';
import { cachingAnswers } from '../../src/http/fast-path/answer-cache.ts';
import type { PreparedResponse } from '../../src/http/fast-path/prepared-response.ts';
import type { ApiRoute } from '../../src/http/fast-path/route-finder.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';

const MB = 2 ** 20;
/** The largest body that is copied. */
const COPIED = MB / 4;

const lines = { first: 'a: b\r\n', firstOfNegotiated: 'a: c\r\n', last: '\r\n', cachingHeaders: undefined };

/** Of `/a&2`, the second page of a keyword. */
const pageOfKeyword = (url: string) => {
  const [keyword, page] = url.split('&');
  return { keyword, ...(page && { page: Number(page) }) };
};

/** Of `/1`, a page; of any other text, a keyword. */
const parametersIn = (url: string) =>
  /^\/\d+$/.test(url) ? { page: Number(url.slice(1)) } : pageOfKeyword(url);

/** A route that matches every address but `/unknown`, and counts what it makes. */
function answering({
  bytes = 1,
  body = (): Body => [Buffer.alloc(bytes)],
  isCurrent = true as boolean | null,
  tag = (): string => '"a"',
} = {}) {
  const made = { answers: 0, bodies: 0 };
  const route: ApiRoute = {
    url: '/',
    query: Type.Object({ keyword: Type.String({ maxLength: 64 }) }),
    params: undefined,
    handler() {
      made.answers += 1;
      const makeBody = () => {
        made.bodies += 1;
        return body();
      };
      return { tag: tag(), body: makeBody, ...(isCurrent !== null && { isCurrent: () => isCurrent }) };
    },
    observe() {},
  };
  const answerTo = cachingAnswers(
    url => (url === '/unknown' ? undefined : { route, query: parametersIn(url), params: undefined }),
    undefined,
  );
  const set = setOf(0);
  const ask = (url: string, snapshot = set, shared = lines) => {
    const response = answerTo(url, snapshot)?.response as PreparedResponse | undefined;
    return response?.ok(shared, undefined);
  };
  return { ask, made, set };
}

// Nothing is looked at of a set but which one it is, and how much memory its news take.
const setOf = (bytes: number) => ({ news: { json: new Uint8Array(bytes) } }) as Snapshot;

test('a response that stays current is built once per snapshot', () => {
  const { ask, made, set } = answering();
  const nextSet = setOf(0);
  for (const snapshot of [set, set, nextSet, nextSet, set]) ask('/1', snapshot);
  assert.deepEqual(made, { answers: 2, bodies: 2 });
});

test('a body is built once per ETag', () => {
  let tag = 'W/"1"';
  const { ask, made } = answering({ isCurrent: false, tag: () => tag });
  for (const next of ['W/"1"', 'W/"1"', 'W/"2"', 'W/"2"']) {
    tag = next;
    ask('/1');
  }
  assert.deepEqual(made, { answers: 4, bodies: 2 });
});

test('a response without isCurrent is built each time', () => {
  const { ask, made } = answering({ isCurrent: null });
  for (const url of ['/1', '/1']) ask(url);
  assert.deepEqual(made, { answers: 2, bodies: 2 });
});

test('a path without a route is not answered', () => {
  assert.equal(answering().ask('/unknown'), undefined);
});

test('a keyword that looks like other parameters has a response of its own', () => {
  const { ask, made } = answering();
  for (const url of ['/a', '/a&2', '/a page 2', '/a" page 2', '/a&2']) ask(url);
  assert.deepEqual(made, { answers: 4, bodies: 4 });
});

for (const [what, bytes, many] of [
  ['17,000 addresses', 1, 24_000],
  ['32 MB of bodies', COPIED, 180],
] as const) {
  test(`of more than ${what}, a part stays cached, and what is new is cached soon`, () => {
    const { ask, made } = answering({ bytes });
    /** How many of these were not cached. */
    const missing = (some: string[]) => {
      const before = made.answers;
      for (const address of some) ask(address);
      return made.answers - before;
    };
    const addresses = Array.from({ length: many }, (_, index) => `/${index}`);
    const half = addresses.slice(0, many / 2);
    assert.equal(missing(half), half.length);
    assert.equal(missing(half), 0);
    for (let round = 0; round < 5; round += 1) missing(addresses);
    const ofAll = missing(addresses);
    assert.ok(ofAll > many * 0.25 && ofAll < many * 0.6, `${ofAll} of ${many}`);
    const others = ['/a', '/b', '/c'];
    assert.equal(missing(others), others.length);
    for (let round = 0; round < 20; round += 1) missing(others);
    assert.equal(missing(others), 0);
  });
}

test('a response that changes again and again takes its place once', () => {
  let version = 0;
  const tag = () => `W/"${version}"`;
  const { ask, made } = answering({ bytes: COPIED, isCurrent: false, tag });
  for (let index = 0; index < 120; index += 1) ask(`/${index}`);
  for (; version < 100; version += 1) ask('/0');
  version = 0;
  ask('/120');
  const { bodies } = made;
  for (let index = 1; index <= 120; index += 1) ask(`/${index}`);
  assert.equal(made.bodies, bodies, 'there was room for one more');
});

test('a snapshot with 40 MB of news items caches 50 MB more', () => {
  const large = setOf(40 * MB);
  const { ask, made } = answering({ bytes: COPIED });
  for (let index = 0; index < 320; index += 1) ask(`/${index}`, large);
  ask('/0', large);
  assert.equal(made.answers, 320);
  for (let index = 320; index < 400; index += 1) ask(`/${index}`, large);
  ask('/0', large);
  assert.equal(made.answers, 401, 'the oldest has made room');
});

test('compressed content counts as cached', async () => {
  const compression = openCompression(0);
  const body = [randomBytes(250_000)];
  const snapshot = setOf(0);
  const encode = (index: number) =>
    compression.encode({ snapshot, key: `${index}` }, { tag: '"a"', body }, 'gzip');
  const settle = async (index: number) => {
    while (!encode(index)) await yieldToEventLoop();
  };
  for (let index = 0; index < 128; index += 1) await settle(index);
  assert.ok(encode(0));
  for (let index = 128; index < 160; index += 1) await settle(index);
  assert.equal(encode(0), undefined);
});

test('a cached response holds only its own bytes, not the pool that they came from', () => {
  for (const body of ['a short body', [Buffer.from('a short body')]]) {
    const { ask } = answering({ body: () => body });
    const made = ask('/1');
    assert.ok(made instanceof Buffer);
    assert.match(made.toString(), /\r\n\r\na short body$/);
    assert.equal(made.buffer.byteLength, made.length);
    assert.equal(ask('/1'), made);
  }
});

for (const [size, content] of [
  ['short', 'a body'],
  ['long', 'a body'.repeat(10_000)],
] as const) {
  test(`the lines that responses of a second share are replaced around ${size} content`, () => {
    const { ask, made } = answering({ body: () => [Buffer.from(content)] });
    for (const second of ['1', '2', '2', '3']) {
      const sent = ask('/1', undefined, { ...lines, last: `date: ${second}\r\n\r\n` });
      const text = Array.isArray(sent) ? sent.join('') : String(sent);
      assert.equal(/date: .*/s.exec(text)?.[0], `date: ${second}\r\n\r\n${content}`);
    }
    assert.equal(made.bodies, 1);
  });
}

test('large content is never copied: clients that do not read their answers hold no memory', () => {
  const large = Buffer.alloc(COPIED + 1);
  for (const isCurrent of [true, null]) {
    const { ask } = answering({ body: () => [large, 7, large], isCurrent });
    for (const url of ['/1', '/1', '/2']) {
      const sent = ask(url);
      assert.ok(Array.isArray(sent));
      const [head, ...content] = sent;
      assert.match(String(head), /^content-length: 524291\r$/m);
      assert.deepEqual(content, [large, Buffer.from('7'), large]);
      assert.ok(content[0] === large && content[2] === large);
    }
  }
});

test('long content is not copied for new lines', () => {
  const { ask } = answering({ bytes: 10_000 });
  const [first, second] = ['1', '2'].map(last => ask('/1', undefined, { ...lines, last }));
  assert.ok(Array.isArray(first) && Array.isArray(second));
  assert.equal(first[1], second[1]);
});
