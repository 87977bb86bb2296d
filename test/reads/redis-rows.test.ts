import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type CountRow,
  foldRow,
  formatRow,
  mergeRows,
  parseRow,
  raiseRow,
  readsIn,
  sumOf,
} from '../../src/reads/redis/rows.ts';

const none: ReadonlySet<string> = new Set();
const merge = (one: string, other: string, folded = none) =>
  formatRow(mergeRows(parseRow(one, 1), parseRow(other, 1), folded));

/** Rows of the same few columns, as processes that lost each other may know them. */
const row = fc
  .record({
    base: fc.integer({ min: -50, max: 200 }),
    version: fc.constantFrom(0, 0, 0, 1, 2),
    columns: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 9 })),
  })
  .map(
    ({ base, version, columns }): CountRow => ({ base, version, columns: new Map(Object.entries(columns)) }),
  );

/** As a text that does not depend on the order of the columns. */
const canonical = ({ columns, ...rest }: CountRow) => ({
  ...rest,
  columns: Object.fromEntries([...columns].sort()),
});

test('a row is a text that says what it counts', () => {
  for (const [text, sum] of [
    ['0', 0],
    ['103', 103],
    ['100 k3x9=2 p0qa=1', 103],
    ['-7/3 a=10', 3],
    ['9007199254740991 a=1', 2 ** 53],
  ] as const) {
    assert.equal(formatRow(parseRow(text, 1)), text);
    assert.equal(sumOf(text), sum);
  }
  assert.equal(readsIn('100 ab=2 b=1', 'b'), 1);
  assert.equal(readsIn('100 ab=2', 'b'), 0);
});

test('what is no row is refused with the news item', () => {
  for (const text of ['', 'many', '1.5', '1 a', '1 a=', '1 a=-1', '1  a=1', '1 A=1', '1/ a=1', '1 a=1\n'])
    assert.throws(() => parseRow(text, 7), /^Error: the count of news item 7 is not a number: /, text);
});

test('merging keeps the larger of both in each column, in any order, however often', () => {
  assert.equal(merge('100 a=2 b=1', '100 a=1 b=3 c=1'), '100 a=2 b=3 c=1');
  fc.assert(
    fc.property(row, row, row, (one, other, third) => {
      const both = mergeRows(one, other, none);
      assert.deepEqual(canonical(both), canonical(mergeRows(other, one, none)));
      assert.deepEqual(canonical(mergeRows(both, other, none)), canonical(both));
      assert.deepEqual(
        canonical(mergeRows(both, third, none)),
        canonical(mergeRows(one, mergeRows(other, third, none), none)),
      );
    }),
  );
});

test('a new version has the base, so that a lowered count stays lowered', () => {
  assert.equal(merge('100 a=2', '7/1 a=2'), '7/1 a=2');
  assert.equal(merge('7/1 a=2', '100 a=5 b=1'), '7/1 a=5 b=1');
});

test('a folded column counts once, whoever still knows it', () => {
  const folded = new Set(['a']);
  assert.equal(formatRow(foldRow(parseRow('100 a=5 b=1', 1), folded)), '105/1 b=1');
  assert.equal(formatRow(foldRow(parseRow('100 b=1', 1), folded)), '100 b=1');
  assert.equal(merge('105/1 b=1', '100 a=5 b=2', folded), '105/1 b=2');
  assert.equal(merge('100 a=3 b=2', '105/1 b=1 c=1', folded), '105/1 b=2 c=1');
});

test('a row is raised to a floor before the reads on top of it', () => {
  const raised = (text: string, floor: number, reads: number) =>
    formatRow(raiseRow(parseRow(text, 1), floor, 'a', reads));
  assert.equal(raised('0', 100, 1), '100 a=1');
  assert.equal(raised('100 a=1 b=2', 102, 2), '100 a=2 b=2');
  assert.equal(raised('100 a=1 b=2', 500, 2), '497 a=2 b=2');
});
