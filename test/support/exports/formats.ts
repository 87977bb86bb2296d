import { type Locale, type LocaleName, locales } from './locales.ts';
import type { Kind, Value } from './workbook.ts';

/** Formats of numbers with so many places, and with separators of thousands if they are grouped. */
export const fixedFormats = {
  '0.00': { places: 2, isGrouped: false },
  '0.000': { places: 3, isGrouped: false },
  '0.00000000': { places: 8, isGrouped: false },
  '#,##0': { places: 0, isGrouped: true },
  '#,##0.00': { places: 2, isGrouped: true },
} as const;
export type FixedFormat = keyof typeof fixedFormats;
export type NumberFormat = FixedFormat | 'General' | 'currency' | 'percent' | '0E+00';
/** All formats of numbers but General, which cells have by default. */
export const numberFormats: NumberFormat[] = [
  ...(Object.keys(fixedFormats) as FixedFormat[]),
  'currency',
  'percent',
  '0E+00',
];

/** `iso` is yyyy-mm-dd, and `serial` the number that a spreadsheet stores. */
export type DateFormat = 'iso' | 'local' | 'serial';

/** The formats of the columns of a workbook, by what they hold. */
export interface Formats {
  amount: NumberFormat;
  id: NumberFormat;
  date: DateFormat;
}
export const plainFormats: Formats = { amount: 'General', id: 'General', date: 'iso' };

/** What a cell shows, and the value that this stands for: a format may round the true one. */
export interface Shown {
  text: string;
  value: Value;
}

/** Shows a value as Excel does in a column of this kind. */
export function show(value: Value, kind: Kind, formats: Formats, name: LocaleName): Shown {
  const locale: Locale = locales[name];
  if (value === null) return { text: '', value };
  if (typeof value === 'string') return { text: value, value };
  if (typeof value === 'boolean') return { text: locale.booleans[value ? 0 : 1], value };
  if (value instanceof Date) return showDate(value, kind, formats.date, locale);
  return showNumber(value, kind === 'amount' ? formats.amount : formats.id, name);
}

function showNumber(value: number, format: NumberFormat, name: LocaleName): Shown {
  const { decimal, currency }: Locale = locales[name];
  switch (format) {
    case 'General':
      return general(value, decimal);
    case 'currency': {
      const shown = fixed(value, '#,##0.00', name);
      return { ...shown, text: currency.replace('#', () => shown.text) };
    }
    case 'percent': {
      const shown = fixed(value * 100, '0.00', name);
      return { text: `${shown.text}%`, value: Number(shown.value) / 100 };
    }
    case '0E+00':
      return scientific(value, 0, decimal);
    default:
      return fixed(value, format, name);
  }
}

/** By locale and format: making one takes longer than the rest of an export. */
const formatters = new Map<string, Intl.NumberFormat>();

function fixed(value: number, format: FixedFormat, name: LocaleName): Shown {
  const { places, isGrouped } = fixedFormats[format];
  const { decimal, grouping }: Locale = locales[name];
  const key = `${name} ${format}`;
  const formatter =
    formatters.get(key) ??
    new Intl.NumberFormat(name, {
      numberingSystem: 'latn',
      minimumFractionDigits: places,
      maximumFractionDigits: places,
      useGrouping: isGrouped && 'always',
    });
  formatters.set(key, formatter);
  const parts = formatter.formatToParts(value);
  const write = (signs: Record<string, string>) => parts.map(part => signs[part.type] ?? part.value).join('');
  return {
    text: write({ group: grouping, decimal }),
    value: Number(write({ group: '', decimal: '.' })),
  };
}

/** 100000 as 1E+05. */
function scientific(value: number, places: number, decimal: string): Shown {
  const number = Number(value.toExponential(places));
  const [, digits = '', sign = '', power = ''] = /^(.+)e([+-])(\d+)$/.exec(number.toExponential()) ?? [];
  return { text: `${digits.replace('.', decimal)}E${sign}${power.padStart(2, '0')}`, value: number };
}

/** The format General shows 11 characters, and powers of ten for small numbers. */
function general(value: number, decimal: string): Shown {
  if (value > 0 && value < 0.0001) return scientific(value, 5, decimal);
  const whole = String(Math.trunc(value)).length;
  const number = Number(value.toFixed(Math.max(0, 10 - whole)));
  return { text: String(number).replace('.', decimal), value: number };
}

/** 1970-01-01 in the calendar of spreadsheets, whose day 1 is 1900-01-01. */
const DAYS_TO_1970 = 25_569;

function showDate(value: Date, kind: Kind, format: DateFormat, locale: Locale): Shown {
  if (format === 'serial') {
    const days = value.getTime() / 86_400_000 + DAYS_TO_1970;
    return { text: general(days, locale.decimal).text, value };
  }
  const iso = value.toISOString();
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-');
  const time = kind === 'time' ? ` ${iso.slice(11, 16)}` : '';
  if (format === 'iso') return { text: `${iso.slice(0, 10)}${time}`, value };
  const date = locale.date
    .replace('yyyy', year)
    .replace('mm', month)
    .replace('m', String(Number(month)))
    .replace('dd', day)
    .replace('d', String(Number(day)));
  // Without a zero before the hour.
  return { text: date + time.replace(' 0', ' '), value };
}
