import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exportOf, isUnicode } from '../support/exports/export-of.ts';
import { numberFormats } from '../support/exports/formats.ts';
import { judge } from '../support/exports/judge.ts';
import { localeNames, manyScripts } from '../support/exports/locales.ts';
import { programNames } from '../support/exports/programs.ts';
import { rounds } from '../support/skipping.ts';

/** Prices of up to 8 places and 15 digits, as JSON numbers carry them. */
const price = fc
  .tuple(
    fc.integer({ min: 0, max: 9_999_999 }),
    fc.integer({ min: 0, max: 99_999_999 }),
    fc.integer({ min: 0, max: 8 }),
  )
  .map(([whole, fraction, places]) =>
    Number(`${whole}.${String(fraction).padStart(8, '0').slice(0, places)}`),
  );

/** Whole prices and those with three places are the ones that can be taken for each other. */
const doubtfulPrice = fc
  .integer({ min: 1000, max: 999_999 })
  .chain(price => fc.constantFrom(price, price / 1000));

const anyText = fc
  .array(fc.constantFrom(...manyScripts, '"', '""', ',', ';', '\t', '\n', '|', ' ', "'", '=', '0'), {
    maxLength: 6,
  })
  .map(parts => `x${parts.join('')}`);

test('whatever a locale writes reads back equal, or is refused where it is ambiguous', async t => {
  const cases = fc.record({
    program: fc.constantFrom(...programNames.filter(isUnicode)),
    locale: fc.constantFrom(...localeNames),
    formats: fc.record({ amount: fc.constantFrom('General' as const, ...numberFormats) }),
    prices: fc.oneof(
      fc.array(price, { minLength: 1, maxLength: 20 }),
      fc.array(doubtfulPrice, { minLength: 1, maxLength: 20 }),
    ),
    texts: fc.array(anyText, { minLength: 2, maxLength: 5 }),
    csvDecimal: fc.constantFrom('.' as const, ',' as const),
  });
  await fc.assert(
    fc.asyncProperty(cases, async it => {
      assert.equal((await judge(t, exportOf(it))).join('\n'), '');
    }),
    { numRuns: rounds(200, 40) },
  );
});
