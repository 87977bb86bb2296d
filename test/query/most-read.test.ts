import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mostRead } from '../../src/query/news.ts';

test('the most read rows are the same as after sorting all of them, on any page', () => {
  // More than 600, from which on a part of them is looked at first.
  const counts = fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 1500, size: 'max' });
  const place = fc.integer({ min: 0, max: 1600 });
  fc.assert(
    fc.property(counts, place, fc.integer({ min: 1, max: 100 }), (counts, start, length) => {
      const rows = counts.map((_, row) => row).reverse();
      const countOf = (row: number) => counts[row] ?? 0;
      let looked = 0;
      const countLooks = (row: number) => {
        looked += 1;
        return countOf(row);
      };
      const sorted = rows.toSorted((one, other) => countOf(other) - countOf(one));
      assert.deepEqual(
        mostRead(rows, countLooks, start, start + length),
        sorted.slice(start, start + length).map(row => ({ row, count: countOf(row) })),
      );
      assert.equal(looked, rows.length);
    }),
  );
});
