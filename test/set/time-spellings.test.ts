import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CellFormat, parseCell } from '../../src/set/cells/cells.ts';
import { openTimeZone } from '../../src/time-zone.ts';
import { rounds } from '../support/skipping.ts';

const CSV: CellFormat = { format: 'csv', decimal: '.', isProven: true };
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Europe/Dublin', 'Africa/Casablanca', 'Asia/Kolkata'],
  ...['America/St_Johns', 'America/New_York', 'Pacific/Apia', 'Australia/Lord_Howe'],
].map(name => ({ zone: openTimeZone(name), clock: clockOf(name) }));
/** When clocks of these zones change. */
const CHANGES = [
  ...['2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-02-15T02:00Z', '2026-03-22T02:00Z'],
  ...['2026-03-08T05:30Z', '2006-10-29T02:31Z', '2026-11-01T06:00Z', '2011-12-30T10:00Z'],
  ...['2026-04-04T15:00Z', '2026-10-03T15:30Z'],
].map(instant => Date.parse(instant) / 1000);

const anyInstant = fc.oneof(
  fc.integer({ min: 86_400, max: 4_000_000_000 }),
  fc
    .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -100_000, max: 100_000 }))
    .map(([at, by]) => at + by),
);
const anyZone = fc.constantFrom(...ZONES);

/** What clocks of a zone show at an instant, in seconds as if it were UTC. */
function clockOf(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
  });
  return instant => {
    const parts = format.formatToParts(instant * 1000).map(({ type, value }) => [type, Number(value)]);
    const { year = 0, month = 0, day, hour, minute, second } = Object.fromEntries(parts);
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  };
}

/** The first instant at which clocks show a time, found by trying every offset of a quarter of an hour. */
function firstShown(local: number, clock: (instant: number) => number): number | undefined {
  const quarters = Array.from({ length: 4 * 27 }, (_, index) => (4 * 14 - index) * 900);
  return quarters.map(offset => local - offset).find(instant => clock(instant) === local);
}

interface Spelling {
  separator: '-' | '/';
  between: ' ' | 'T' | 't';
  isPadded: boolean;
  seconds: string | undefined;
}

const anySpelling: fc.Arbitrary<Spelling> = fc.record({
  separator: fc.constantFrom('-', '/'),
  between: fc.constantFrom(' ', 'T', 't'),
  isPadded: fc.boolean(),
  /** A fraction of the second, or undefined for a time without seconds. */
  seconds: fc.constantFrom('', '.0', '.999', ',5', undefined),
});

/** Writes a local time; one without seconds must be of a whole minute. */
function spell(local: number, { separator, between, isPadded, seconds }: Spelling): string {
  const [year, ...rest] = new Date(local * 1000).toISOString().slice(0, 19).split(/[-T:]/);
  const [month, day, hour, minute = '', second = ''] = rest;
  const short = (part = '') => (isPadded ? part : String(Number(part)));
  const date = [year, short(month), short(day)].join(separator);
  const clock = [short(hour), minute, ...(seconds === undefined ? [] : [second + seconds])].join(':');
  return date + between + clock;
}

/** The offset of a zone as it is written, in minutes. */
function spellOffset(minutes: number, form: 'colon' | 'digits' | 'hours' | 'Z'): string {
  if (form === 'Z') return 'Z';
  const two = (part: number) => String(Math.trunc(part)).padStart(2, '0');
  const size = Math.abs(minutes);
  const rest = form === 'hours' ? '' : (form === 'colon' ? ':' : '') + two(size % 60);
  return (minutes < 0 ? '-' : '+') + two(size / 60) + rest;
}

test('a local time in any spelling is the first instant at which clocks show it', () => {
  fc.assert(
    fc.property(anyInstant, anyZone, anySpelling, (at, { zone, clock }, spelling) => {
      const local = spelling.seconds === undefined ? Math.floor(clock(at) / 60) * 60 : clock(at);
      const expected = firstShown(local, clock);
      fc.pre(expected !== undefined);
      assert.equal(parseCell(spell(local, spelling), CSV, 'time', zone), expected);
    }),
    { numRuns: rounds(2000, 500) },
  );
});

test('a date is the first instant at which clocks show midnight', () => {
  fc.assert(
    fc.property(anyInstant, anyZone, anySpelling, (at, { zone, clock }, spelling) => {
      const midnight = Math.floor(clock(at) / 86_400) * 86_400;
      const expected = firstShown(midnight, clock);
      fc.pre(expected !== undefined);
      const [date = ''] = spell(midnight, spelling).split(spelling.between);
      assert.equal(parseCell(date, CSV, 'time', zone), expected);
    }),
    { numRuns: 1000 },
  );
});

test('a time with an offset is the same instant in every zone', () => {
  const anyOffset = fc.oneof(
    fc.record({ form: fc.constantFrom('colon', 'digits'), minutes: fc.integer({ min: -899, max: 899 }) }),
    fc.record({
      form: fc.constant('hours'),
      minutes: fc.integer({ min: -14, max: 14 }).map(hours => hours * 60),
    }),
    fc.constant({ form: 'Z', minutes: 0 }),
  ) as fc.Arbitrary<{ form: Parameters<typeof spellOffset>[1]; minutes: number }>;
  fc.assert(
    fc.property(
      anyInstant,
      anyZone,
      anySpelling,
      anyOffset,
      fc.boolean(),
      (at, { zone }, spelling, offset, spaced) => {
        const instant = spelling.seconds === undefined ? Math.floor(at / 60) * 60 : at;
        const local = spell(instant + offset.minutes * 60, spelling);
        const text = local + (spaced ? ' ' : '') + spellOffset(offset.minutes, offset.form);
        assert.equal(parseCell(text, CSV, 'time', zone), instant, text);
      },
    ),
    { numRuns: rounds(2000, 500) },
  );
});

test('numbers are Unix seconds from 100,000,000 on, and never below', () => {
  const zeros = fc.constantFrom('', '.0', '.00', ',0', ',00');
  const parse = (text: string) => parseCell(text, CSV, 'time', openTimeZone('UTC'));
  fc.assert(
    fc.property(fc.integer({ min: 100_000_000, max: 99_999_999_999 }), zeros, (seconds, zeros) => {
      assert.equal(parse(seconds + zeros), seconds);
    }),
  );
  const fraction = fc.oneof(
    zeros,
    fc.integer({ min: 1, max: 99_999 }).map(digits => `.${digits}`),
  );
  fc.assert(
    fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), fraction, (number, fraction) => {
      assert.equal(parse(number + fraction), null);
    }),
    { numRuns: rounds(2000, 500) },
  );
});

test('whatever is read as a local time or in UTC has the digits of its instant, year first', () => {
  const part = fc.constantFrom('1', '03', '12', '31', '2026', ...'-/.: TZ,'.split(''));
  const text = fc.oneof(
    fc.array(part, { minLength: 3, maxLength: 9 }).map(parts => parts.join('')),
    fc.tuple(fc.constantFrom('2026-03-31', '2026/3/12 12:31'), part, part).map(parts => parts.join('')),
  );
  const zone = openTimeZone('UTC');
  let read = 0;
  fc.assert(
    fc.property(text, text => {
      const instant = parseCell(text, CSV, 'time', zone);
      if (typeof instant !== 'number' || !/[-/]/.test(text) || /:.*-/.test(text)) return;
      read += 1;
      const digits = (text.match(/\d+/g) ?? []).slice(0, 5).map(Number);
      const date = new Date(instant * 1000);
      const fields = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
      const clock = [date.getUTCHours(), date.getUTCMinutes()];
      assert.deepEqual([...fields, ...clock].slice(0, digits.length), digits, text);
    }),
    { numRuns: 20_000 },
  );
  assert.ok(read > 30, `${read} of the texts are times`);
});
