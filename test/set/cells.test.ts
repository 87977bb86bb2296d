import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CellType, columnsOf } from '../../src/contract/columns.ts';
import { booleanWords, type CellFormat, parseCell, skippedTime } from '../../src/set/cells/cells.ts';
import { hintFor } from '../../src/set/cells/hints.ts';
import { openTimeZone } from '../../src/time-zone.ts';

const CSV: CellFormat = { format: 'csv', decimal: '.', isProven: true };
const JSON_FORMAT: CellFormat = { ...CSV, format: 'json' };
const UTC = openTimeZone('UTC');
const BERLIN = openTimeZone('Europe/Berlin');
const parse = (text: string, type: CellType, zone = UTC) => parseCell(text, CSV, type, zone);

test('yes and no are read in the words of spreadsheets, in any letter case and Unicode form', () => {
  const words = Object.entries(booleanWords).flatMap(([value, words]) =>
    words.map(word => ({ word, value: value === 'true' })),
  );
  assert.equal(new Set(words.map(({ word }) => word)).size, words.length);
  fc.assert(
    fc.property(
      fc.constantFrom(...words, { word: 'ＴＲＵＥ', value: true }, { word: ' ja ', value: true }),
      fc.infiniteStream(fc.boolean()),
      fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'),
      ({ word, value }, capitals, form) => {
        const mixed = Array.from(word, letter => (capitals.next().value ? letter.toUpperCase() : letter));
        assert.equal(parse(mixed.join('').normalize(form), 'flag'), value, word);
      },
    ),
    { numRuns: 1000 },
  );
  for (const word of ['maybe', '2', '-1', '10', 'ne', 'tru', 'y n']) assert.equal(parse(word, 'flag'), null);
  const json = ['true', '1', 'false', '0', 'null', '"true"', '"yes"', '1.0', '2'];
  assert.deepEqual(
    json.map(cell => parseCell(cell, JSON_FORMAT, 'flag', UTC)),
    [true, true, false, false, undefined, null, null, null, null],
  );
});

test('a time is read in every form with the year first, in CSV and in JSON', () => {
  const SIX_PM = '2026-03-31T18:00:00Z';
  const cases: [instant: string, ...texts: string[]][] = [
    [SIX_PM, '2026-03-31 20:00:00', '2026-03-31T20:00:00', '2026-03-31t20:00', '2026/3/31 20:00'],
    [SIX_PM, '2026-3-31 20:00:00.999', '2026-03-31t18:00:00.000z', '2026-03-31T18:00Z'],
    [SIX_PM, '2026-03-31T20:00:00+02:00', '2026-03-31T20:00:00+0200', '2026-03-31 20:00:00 +02'],
    [SIX_PM, '2026-03-31 14:30-03:30', '2026-04-01T08:00:00+14:00', '1774980000', '1774980000.00'],
    [SIX_PM, '1774980000,0'],
    ['2026-03-31T07:05:00Z', '2026-3-31 9:05'],
    ['2034-12-31T23:00:00Z', '2035-1-1', '2035/01/01'],
    ['1973-03-03T09:46:40Z', '100000000'],
    ['9999-12-31T23:59:59Z', '253402300799'],
  ];
  for (const [instant, ...texts] of cases) {
    for (const text of texts) {
      const expected = Date.parse(instant) / 1000;
      assert.equal(parse(text, 'time', BERLIN), expected, text);
      assert.equal(parseCell(JSON.stringify(text), JSON_FORMAT, 'time', BERLIN), expected, text);
    }
  }
  for (const text of ['0', '0.0', '0,00']) {
    assert.equal(parse(text, 'timeOrZero'), 0, text);
    assert.equal(parse(text, 'time'), null, text);
  }
});

test('a time that may be something else is refused with what to write', () => {
  const column = columnsOf('news').find(({ name }) => name === 'create_time') ?? assert.fail();
  const FORMAT = 'format the column as yyyy-mm-dd';
  const NO_SUCH_TIME =
    ' does not exist: write a day that the month has, from 1970 to 9999, and a time from 00:00:00 to 23:59:59';
  const DAY = ' looks like the number of a day in a spreadsheet';
  const GENERAL = `: write a date such as 2026-03-31 or 2026-03-31 18:00:00; in a spreadsheet, ${FORMAT}`;
  const cases: [told: string, ...texts: string[]][] = [
    [`: write 2026-03-31, or ${FORMAT}`, '31.03.2026', '03/31/2026', '31-03-2026', '31 March 2026'],
    [`: write 2026-03-31, or ${FORMAT}`, 'Mar 31 2026', 'March 31st, 2026', 'Tuesday, 31-Mar-2026'],
    [`: write 2026-04-03, or ${FORMAT}`, '03.04.2026'],
    [`: write 2026-04-04, or ${FORMAT}`, '4/4/2026'],
    [` may have the day or the month first: write 2026-04-03 or 2026-03-04, or ${FORMAT}`, '03/04/2026'],
    [`: write 2026-03-31 09:05, or ${FORMAT} hh:mm`, '31.3.2026 9:05'],
    [`: write 2026-03-31 18:00, or ${FORMAT} hh:mm`, '2026-03-31 6:00 PM', '31 Mar 2026 at 6:00pm'],
    [`: write 2026-03-31 00:30, or ${FORMAT} hh:mm`, '3/31/2026, 12:30 a.m.'],
    [`: write 2026-03-31T18:00:00Z, or ${FORMAT} hh:mm`, 'Tue, 31 Mar 2026 18:00:00 GMT'],
    [`: write 2026-03-31T18:00:00Z, or ${FORMAT} hh:mm`, 'Tue, 31 Mar 2026 18:00:00 +0000'],
    [`: write 2026-03-31T18:00:00Z, or ${FORMAT} hh:mm`, '2026-03-31 18:00:00 UTC'],
    [`: write 2026-03-31T18:00:00Z, or ${FORMAT} hh:mm`, 'March 31, 2026 at 6:00 PM UTC'],
    [NO_SUCH_TIME, '2026-02-30', '2026-03-31 24:00', '2026-03-31 10:60:00'],
    [' is not from 1970 to 9999: write a date of these years', '0100-12-31', '1969-07-20'],
    [`${DAY}: write 2024-01-05, or ${FORMAT}`, '45296', '45296,0'],
    [`${DAY}: write 2024-01-05 10:00, or ${FORMAT} hh:mm`, '45296.4166666667'],
    [': write 2035-01-01', '20350101'],
    [': write 2035-01-01 18:30', '203501011830'],
    [' looks like milliseconds: write 2026-03-31T18:00:00Z', '1774980000000'],
    [GENERAL, '2035', '20351301', '1774980000000000', '0', '99999999', '2026-03/31'],
    [GENERAL, '31 Foo 2026', '2026-03-31 18:00+15:00', '31 Mar 2026 25:00', '30 Feb 2026', '31.02.2026'],
  ];
  const { minimum = 0, maximum = 0 } = column.schema;
  for (const [told, ...texts] of cases) {
    for (const text of texts) {
      const value = parse(text, 'time');
      assert.ok(value === null || Number(value) < minimum || Number(value) > maximum, text);
      const { code, fault, remedy } = hintFor(column, text, CSV);
      assert.deepEqual([text, code, `${fault}: ${remedy}`], [text, 'BAD_TIME', told]);
    }
  }
  assert.equal(hintFor(column, '"03/04/2026"', JSON_FORMAT).remedy, 'write "2026-04-03" or "2026-03-04"');
});

test('a time that the clocks skip is noticed', () => {
  const cases: [text: string, zone: string, instant: string, skipped: string | undefined][] = [
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00Z', '2026-03-29T02:30:00Z'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-30T00:00:00Z'],
    ['2026-03-29 02:30:00+01:00', 'Europe/Berlin', '2026-03-29T01:30:00Z', undefined],
    ['2026-03-29 03:00', 'Europe/Berlin', '2026-03-29T01:00:00Z', undefined],
    ['2026-10-25 02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z', undefined],
  ];
  for (const [text, name, instant, skipped] of cases) {
    const zone = openTimeZone(name);
    const value = parse(text, 'time', zone);
    assert.equal(value, Date.parse(instant) / 1000, text);
    const local = skippedTime(text, Number(value), zone);
    assert.equal(local, skipped === undefined ? undefined : Date.parse(skipped) / 1000, text);
  }
});
