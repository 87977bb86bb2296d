import { type Column, isExtra } from '../../contract/columns.ts';
import { UNITS } from '../written-number.ts';
import type { CellSource } from './stored-cells.ts';

/** A number format (ECMA-376, 18.8.31), as far as what it shows can differ from the value. */
export interface NumberFormat {
  code: string;
  isDate: boolean;
  sections: Section[];
}

type Section = ReturnType<typeof section>;

/** The codes of the built-in formats other than dates, by id (ECMA-376, 18.8.30). ¤ is the currency of the program. */
const BUILT_IN = [
  ...[undefined, '0', '0.00', '#,##0', '#,##0.00', '¤#,##0', '¤#,##0', '¤#,##0.00', '¤#,##0.00'],
  ...['0%', '0.00%', '0.00E+00', '# ?/?', '# ??/??'],
];
const FROM_37 = ['#,##0', '#,##0', '#,##0.00', '#,##0.00', '#,##0', '¤#,##0', '#,##0.00', '¤#,##0.00'];

/** Returns the format with an id, undefined if it shows values as they are. `codes` are those that the workbook defines. */
export function numberFormat(id: number, codes: ReadonlyMap<number, string>): NumberFormat | undefined {
  const code = codes.get(id);
  if (code !== undefined) return parseNumberFormat(code);
  // The built-in formats of dates and times in any language.
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58))
    return DATE_FORMAT;
  const builtIn = id === 48 ? '##0.0E+0' : (BUILT_IN[id] ?? FROM_37[id - 37]);
  return builtIn === undefined ? undefined : parseNumberFormat(builtIn);
}

const TOKEN = /"([^"]*)"?|\\(.)|[_*].|\[([^\]]*)\]?|General|E[+-]|./gisu;

/** Returns undefined for General and text, which show values as they are. */
export function parseNumberFormat(code: string): NumberFormat | undefined {
  if (/^(?:general|@|)$/i.test(code)) return undefined;
  const sections = code.match(/(?:"[^"]*"?|\\.|\[[^\]]*\]?|[_*].|[^;])+|(?<=;|^)(?=;|$)/gsu) ?? [];
  return { code, isDate: isDateCode(code), sections: sections.slice(0, 3).map(section) };
}

function isDateCode(code: string): boolean {
  // Quotes and brackets, and what follows a backslash, an underscore or an asterisk, are not parts of a date.
  const letters = code.replace(/General|"[^"]*"?|\[(?!(?:h+|m+|s+)\])[^\]]*\]?|[\\_*]./gi, '');
  return /[ymdhs]/i.test(letters.split(';')[0] ?? '');
}

function section(code: string) {
  let isFor: ((value: number) => boolean) | undefined;
  let [text, currency, digits, isGeneral] = ['', '', '', false];
  for (const [token, quoted, escaped, bracketed] of code.matchAll(TOKEN)) {
    if (quoted !== undefined || escaped !== undefined) text += quoted ?? escaped;
    else if (bracketed !== undefined) {
      currency += /^\$([^-]*)/.exec(bracketed)?.[1] ?? '';
      isFor ??= condition(bracketed);
    } else if (/^general$/i.test(token)) isGeneral = true;
    else if (/^(?:[0#?.,%/@]|E[+-])$/i.test(token)) digits += token.toUpperCase();
    else if (/^[^_*]/u.test(token) && token !== ' ') text += token;
  }
  const [mantissa = ''] = digits.split('E');
  const [whole = '', decimals = ''] = mantissa.replace(/%/g, '').split('.');
  const places = decimals.replace(/,/g, '');
  return {
    /** Whether the section applies to a number; undefined if that depends on the section's position. */
    isFor,
    /** The text that it adds to the digits, and the currency in brackets, as in `[$€-407]`. */
    text,
    currency,
    isGeneral,
    hasDigits: /[0#?]/.test(digits),
    /** How many digits are shown at least. */
    minWhole: whole.replace(/[^0]/g, '').length,
    minDecimals: places.replace(/[^0]/g, '').length,
    maxDecimals: places.length,
    hasThousands: /[0#?],+[0#?]/.test(whole),
    /** How many times it divides by a thousand. */
    scale: [whole, decimals].reduce((sum, part) => sum + (/,+$/.exec(part)?.[0].length ?? 0), 0),
    isPercentage: digits.includes('%'),
    isScientific: digits.includes('E'),
    isFraction: digits.includes('/'),
  };
}

function condition(bracketed: string): ((value: number) => boolean) | undefined {
  const [, sign, number] = /^(<=|>=|<>|<|>|=)(-?[\d.]+)$/.exec(bracketed) ?? [];
  if (sign === undefined) return undefined;
  const limit = Number(number);
  return value =>
    (sign.includes('=') && value === limit) ||
    (sign.includes('<') && value < limit) ||
    (sign.includes('>') && value > limit);
}

/** Any date or time, and any percentage. */
export const DATE_FORMAT: NumberFormat = { code: 'yyyy-mm-dd', isDate: true, sections: [] };
export const PERCENTAGE: NumberFormat = { code: '0%', isDate: false, sections: [section('0.00%')] };

function sectionFor({ sections }: NumberFormat, value: number): Section | undefined {
  const [first, second, third] = sections;
  if (first?.isFor) return sections.find(({ isFor }) => isFor === undefined || isFor(value));
  if (value < 0) return second ?? first;
  return value === 0 ? (third ?? first) : first;
}

const NUMBER_TYPES: ReadonlySet<unknown> = new Set(['id', 'count', 'reads', 'size', 'price']);
const TEXTS: ReadonlySet<unknown> = new Set(['text', 'terms', 'fileName', 'unit', 'contentFormat']);
/** A date, which an own field shows as it is read. A time alone is read as one of 1899 or 1904. */
const IS_DATE = /^(?:190[5-9]|19[1-9]\d|[2-9]\d{3})-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/;

/** Says how a cell shows something else than its value, if it does. `isText`: the cell should have been a text. */
export function otherDisplay(format: NumberFormat, source: CellSource, { name, schema }: Column) {
  const { cellType = 'text' } = schema;
  const shown = sectionFor(format, Number(source));
  if (TEXTS.has(cellType)) {
    if (format.isDate && isExtra(name) && IS_DATE.test(source)) return undefined;
    if (format.isDate) return { fault: 'is a date or a time', isText: true };
    if (shown?.isPercentage) return { fault: 'is a percentage', isText: true };
    return shown && isSameText(shown, source) ? undefined : { fault: 'is a number', isText: true };
  }
  if (format.isDate || !NUMBER_TYPES.has(cellType)) return undefined;
  const fault = shown && numberFault(shown, source, name);
  return fault === undefined ? undefined : { fault, isText: false };
}

/** Returns the currency that a format shows; undefined if it shows none, or the program's own. */
export function currencyIn(format: NumberFormat, source: CellSource): string | undefined {
  const { text = '', currency = '' } = sectionFor(format, Number(source)) ?? {};
  const shown = `${text} ${currency}`;
  const [sign] = /[A-Z]*\p{Sc}/u.exec(shown) ?? [];
  if (sign) return sign === '¤' ? undefined : sign.replace('US', '');
  const word = shown.match(/\p{L}+/gu)?.find(word => UNITS.price?.has(word.toLowerCase()));
  if (word === undefined || !/^[A-Z]{3}$/.test(word)) return word;
  const options = { style: 'currency', currency: word, currencyDisplay: 'narrowSymbol' } as const;
  return new Intl.NumberFormat('en', options).formatToParts(0).find(({ type }) => type === 'currency')?.value;
}

function wholeAndFraction(source: CellSource): [whole: string, fraction: string] {
  const [whole = '', fraction = ''] = source.replace('-', '').split('.');
  return [whole, fraction];
}

function isSameText(shown: Section, source: CellSource): boolean {
  if (shown.isGeneral) return shown.text === '';
  const { text, currency, isScientific, isFraction, scale, hasThousands } = shown;
  const [whole, fraction] = wholeAndFraction(source);
  if (text + currency !== '' || isScientific || isFraction || scale > 0 || !shown.hasDigits) return false;
  if (whole === '0' && shown.minWhole === 0) return false;
  if (hasThousands && whole.length > 3) return false;
  if (fraction.length > shown.maxDecimals) return false;
  return shown.minWhole <= whole.length && shown.minDecimals <= fraction.length;
}

function numberFault(shown: Section, source: CellSource, column: string): string | undefined {
  const value = Number(source);
  const [whole, fraction] = wholeAndFraction(source);
  const text = shown.text + shown.currency;
  if (shown.isPercentage) return 'shows a percentage';
  if (shown.scale > 0) return 'shows it in thousands or millions';
  if (!shown.isGeneral && !shown.hasDigits)
    return value === 0 && /^\s*[-–—]+\s*$/.test(text) ? undefined : 'shows no digits of it';
  if (value === 0 && !shown.isGeneral && shown.minWhole + shown.minDecimals === 0 && text.trim() === '')
    return 'shows nothing';
  if (/\p{Nd}/u.test(text)) return 'adds digits to it';
  if (shown.isFraction) {
    if (fraction !== '') return 'shows a fraction';
  } else if (shown.isScientific) {
    const significant = (whole + fraction).replace(/^0+|0+$/g, '');
    if (significant.length > 1 + shown.maxDecimals) return 'shows fewer digits';
  } else if (!shown.isGeneral && fraction.length > shown.maxDecimals) return 'shows fewer decimals';
  const words = text.replace(/\p{L}+(?=\p{Sc})/gu, '').match(/\p{L}+/gu) ?? [];
  const unit = words.find(word => !UNITS[column]?.has(word.toLowerCase()));
  const inMb = column === 'memory' ? ', although memory is in MB' : '';
  return unit === undefined ? undefined : `adds "${unit}"${inMb}`;
}
