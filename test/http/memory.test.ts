import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '@sinclair/typebox';
import type { Snapshot } from '../../src/catalog/snapshot.ts';
import { type Answer, endpoint } from '../../src/http/answer.ts';
import { rememberingAnswers } from '../../src/http/memory.ts';

const MB = 2 ** 20;

/** Answers every address by one endpoint, and counts what is made. */
function answering({ bytes = 1, isCurrent = true as boolean | null, tag = (): string => '"a"' } = {}) {
  const made = { answers: 0, bodies: 0 };
  const documented = { operationId: 'only', tags: [], summary: '', errors: [], isTagged: true };
  const definition = { ...documented, parameters: Type.Object({}), data: Type.Object({}) };
  const only = endpoint('/', definition, () => {
    made.answers += 1;
    const body = () => {
      made.bodies += 1;
      return Buffer.alloc(bytes);
    };
    return {
      tag: tag(),
      body,
      ...(isCurrent !== null && { isCurrent: () => isCurrent }),
    };
  });
  const answerTo = rememberingAnswers(url =>
    url === '/unknown' ? undefined : { endpoint: only, parameters: {} },
  );
  const ask = (url: string, snapshot = set) =>
    (answerTo(url, snapshot)?.answer as Answer | undefined)?.body();
  return { ask, made };
}

// Nothing is looked at of a set but which one it is, and how much memory its news take.
const setOf = (bytes: number) => ({ news: { json: new Uint8Array(bytes) } }) as Snapshot;
const set = setOf(0);
const nextSet = setOf(0);

test('an answer that stays current is made once for each set', () => {
  const { ask, made } = answering();
  for (const snapshot of [set, set, nextSet, nextSet, set]) ask('/a', snapshot);
  assert.deepEqual(made, { answers: 2, bodies: 2 });
});

test('a body is made once for each tag', () => {
  let tag = 'W/"1"';
  const { ask, made } = answering({ isCurrent: false, tag: () => tag });
  for (const next of ['W/"1"', 'W/"1"', 'W/"2"', 'W/"2"']) {
    tag = next;
    ask('/a');
  }
  assert.deepEqual(made, { answers: 4, bodies: 2 });
});

test('an answer that is not to be remembered is made each time', () => {
  const { ask, made } = answering({ isCurrent: null });
  for (const url of ['/a', '/a']) ask(url);
  assert.deepEqual(made, { answers: 2, bodies: 2 });
});

test('what no endpoint answers is not answered', () => {
  assert.equal(answering().ask('/unknown'), undefined);
});

for (const [what, bytes, padding, many] of [
  ['13,000 addresses', 1, '', 14_000],
  ['32 MB of bodies', MB, '', 34],
  ['32 MB of long addresses', 1, 'x'.repeat(16_000), 2000],
] as const) {
  test(`with more than ${what} those before are forgotten`, () => {
    const { ask, made } = answering({ bytes });
    const addresses = Array.from({ length: many }, (_, index) => `/${index}${padding}`);
    for (const address of addresses.slice(0, many / 2)) ask(address);
    const before = made.answers;
    ask(addresses[0] ?? '');
    assert.equal(made.answers, before, 'half of them are remembered');
    for (const address of addresses) ask(address);
    const after = made.answers;
    ask(addresses[0] ?? '');
    assert.equal(made.answers, after + 1);
  });
}

test('of a set with 40 MB of news 50 MB of bodies are remembered', () => {
  const large = setOf(40 * MB);
  const { ask, made } = answering({ bytes: MB });
  for (let index = 0; index < 48; index += 1) ask(`/${index}`, large);
  ask('/0', large);
  assert.equal(made.answers, 48);
  for (let index = 48; index < 52; index += 1) ask(`/${index}`, large);
  ask('/0', large);
  assert.equal(made.answers, 53);
});
