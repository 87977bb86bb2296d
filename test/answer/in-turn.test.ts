import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn } from '../../src/answer/in-turn.ts';
import { roundsDuring } from '../support/work.ts';

test('all work together takes one step per turn of the event loop', async () => {
  function* steps(result: string): Generator<undefined, string> {
    for (let step = 0; step < 8; step += 1) yield;
    return result;
  }
  const all = Promise.all(['one', 'two', 'three'].map(result => inTurn(steps(result))));
  const { result, rounds } = await roundsDuring(all);
  assert.deepEqual(result, ['one', 'two', 'three']);
  assert.ok(rounds >= 24, `${rounds} rounds`);
});
