import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSame, errorsOf, type Options } from '../support/catalog/forms.ts';
import { type Files, shop } from '../support/catalogs.ts';

/** The CSV files of the shop as they are written where the decimal sign is a comma. */
function withDecimalComma(write: (line: string) => string): Files {
  return Object.fromEntries(
    ['configurations.csv', 'prices.csv'].map(name => [name, String(shop[name]).replace(/^.+$/gm, write)]),
  );
}

const comma: Options = { csvDecimal: ',' };
const unquoted = withDecimalComma(line => line.replaceAll(',', ';').replaceAll('.', ','));

test('the same prices give the same version with a decimal comma', async t => {
  const [header = [], ...rows] = String(shop['prices.csv'])
    .trimEnd()
    .split('\n')
    .map(line => line.split(','));
  const pricesJson = rows.map(cells =>
    Object.fromEntries(header.map((name, index) => [name, Number(cells[index])])),
  );
  const { 'prices.csv': _, ...configurations } = unquoted;
  await assertSame(t, shop, [
    ['divided by ;', unquoted, comma],
    ['in quotes', withDecimalComma(line => line.replace(/(\d+)\.(\d+)/, '"$1,$2"')), comma],
    ['prices in JSON, which keep the point', { ...configurations, 'prices.json': pricesJson }, comma],
  ]);
});

test('the message about a wrong price uses the configured decimal sign', async t => {
  const semicolons = { 'configurations.csv': unquoted['configurations.csv'] ?? null };
  const cases: [written: string, options: Options, hint: string][] = [
    ['12.50', comma, ': write a plain number such as 12,50'],
    [
      '0,123456789',
      comma,
      ' has too many digits: write at most 8 digits after the decimal sign, and 15 in total',
    ],
    [
      '12,50',
      {},
      ' contains a comma: write a plain number such as 12.50, without thousands separators, or ask your administrator to set CSV_DECIMAL=,',
    ],
  ];
  for (const [written, options, hint] of cases) {
    const prices = { 'prices.csv': `id;product_id;rel_id;duration_id;price\n101;1;11;1;${written}\n` };
    const told = `prices.csv:2:12: error BAD_NUMBER price "${written}"${hint}`;
    const others = options.csvDecimal ? semicolons : {};
    assert.deepEqual(await errorsOf(t, { ...others, ...prices }, options), [told]);
  }
});
