import { type CellType, type Column, catalogs, MAX_TEXT_LENGTH, MAX_TIME } from '../../contract/columns.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import { type DecimalStyle, isAmbiguous } from '../../formats/decimals.ts';
import { omissions, textOf } from '../../formats/table.ts';
import { DAY, formatLocal, localTime, rfc3339 } from '../../time-zone.ts';
import { type CellFormat, cellText, cellTypes, isFormula } from './cells.ts';
import { isWrittenTime, parseCompactTime, parseWrittenTime } from './times.ts';

/** What is wrong with a cell, to follow its column and value in a message, and what to do about it. */
interface CellHint {
  code: ProblemCode;
  /** Empty if `remedy` says enough. */
  fault: string;
  remedy: string;
}

const FORMULA_ERROR: CellHint = {
  code: 'FORMULA',
  fault: ' is the error of a formula',
  remedy: 'repair the formula, then save again',
};

/** `written` is the cell: not empty, and not valid in its column. */
export function hintFor(column: Column, written: string, format: CellFormat): CellHint {
  const cell = format.format === 'sheet' ? textOf(written) : written;
  const type = column.schema.cellType ?? 'text';
  const { code } = cellTypes[type];
  const { decimal } = format;
  const remedy = `write ${expectedValue(column, format, cell)}`;
  if (code === 'BAD_TEXT' && cell.length > MAX_TEXT_LENGTH) {
    const fault = ` has more than ${MAX_TEXT_LENGTH} characters`;
    return { code, fault, remedy: 'shorten it, and put pictures into the images directory' };
  }
  if (code === 'BAD_TEXT' && cell.startsWith('"')) {
    return { code, fault: ' contains half of a character', remedy: 'type the character again' };
  }
  if (isFormula(written, format)) {
    const remedy = 'open the workbook in your spreadsheet program, and save it there';
    if (cell.startsWith('=')) return { code: 'FORMULA', fault: ' is a formula without a value', remedy };
    return FORMULA_ERROR;
  }
  if (cell.trim().startsWith('=')) {
    return { code: 'FORMULA', fault: ' is a formula', remedy: 'paste its value instead' };
  }
  // Such as #REF!, #N/A, #DIV/0!, in any language, and Err:502.
  if (/^(#[\p{Lu}\d/]+[!?]?|Err:\d+)$/u.test(cell.trim())) return FORMULA_ERROR;
  if (/^#+$/.test(cell.trim())) {
    return { code, fault: ' did not fit', remedy: 'make the column wider, then save again' };
  }
  const number = format.format === 'json' ? undefined : writtenNumberHint(type, cell, format);
  if (number && format.format === 'sheet')
    return { ...number, remedy: 'type it again as a number, since the cell holds text' };
  if (number) return number;
  if (format.format !== 'sheet' && /^\d+([.,]\d+)?E\+\d+$/i.test(cell)) {
    const fault = ' was shortened by a spreadsheet';
    return { code, fault, remedy: 'format the column as plain numbers, then save again' };
  }
  if (format.format === 'sheet' && code !== 'BAD_TIME' && /^\d{4}-\d\d-\d\d(?: |$)/.test(written)) {
    const fault = ' has the format of a date';
    return { code, fault, remedy: `set the format of the cell to Number first, then ${remedy}` };
  }
  if (code === 'BAD_TIME') return { code, fault: '', remedy, ...timeHint(cellText(written, format), format) };
  if (type === 'price' && isLong(cell, decimal)) {
    const isComputed = format.format === 'sheet' && !written.startsWith('"');
    const remedy = isComputed
      ? 'round it in the sheet with =ROUND(…;2), or =ROUND(…,2) in English'
      : 'write at most 8 digits after the decimal sign, and 15 in total';
    return { code, fault: ' has too many digits', remedy };
  }
  return { code, fault: '', remedy };
}

/** What to write into a cell, given what is in it now. */
function expectedValue(column: Column, format: CellFormat, cell = ''): string {
  const { references } = column.schema;
  const value = plainValue(column, format, cell);
  return references ? `${value}, or the name of a ${catalogs[references].noun}` : value;
}

function plainValue({ schema, required }: Column, { format, decimal }: CellFormat, cell: string): string {
  const { cellType = 'text', minimum } = schema;
  const { code, json, expected } = cellTypes[cellType];
  if (cellType === 'count' && minimum >= 0) return `a whole number of ${minimum} or more, such as 10`;
  if (format !== 'json') {
    const orEmpty = required ? '' : `, or ${omissions[format]}`;
    const inSpreadsheet = '; in a spreadsheet, format the column as yyyy-mm-dd';
    if (cellType === 'flag') return expected + orEmpty;
    if (code === 'BAD_TIME') return expected + orEmpty + (format === 'csv' ? inSpreadsheet : '');
    return expected.replace(/(?<=\d)\.(?=\d)/, decimal);
  }
  const isQuoted = cell.startsWith('"');
  if (json === 'quoted' && !isQuoted) return `${expected} in "double quotes"`;
  return json === 'bare' && isQuoted ? `${expected}, without quotes` : expected;
}

function writtenNumberHint(type: CellType, cell: string, format: CellFormat): CellHint | undefined {
  if (type === 'price' || type === 'size') return numberHint(cell, format);
  const isWhole = type === 'id' || type === 'count' || type === 'reads';
  return isWhole ? thousandsHint(cell.trim(), format.decimal) : undefined;
}

function isLong(text: string, decimal: string): boolean {
  return text.length > 9 && text.split(decimal).length <= 2 && /^\d+$/.test(text.replace(decimal, ''));
}

/** What is wrong with a CSV cell that is a number as a spreadsheet shows it; undefined for any other text. */
function numberHint(cell: string, { decimal, isProven }: DecimalStyle): CellHint | undefined {
  const text = cell.trim();
  if (isAmbiguous(text) && !isProven) return ambiguous(text);
  const thousands = thousandsHint(text, decimal);
  if (thousands) return thousands;
  if (/^\d+[.,]\d+$/.test(text) && !text.includes(decimal)) {
    const [found, expected] = decimal === '.' ? ['comma', 'point'] : ['point', 'comma'];
    const fault = ` has a decimal ${found}, but this column has decimal ${expected}s`;
    return { code: 'DECIMAL_SIGN', fault, remedy: `write ${text.replace(/[.,]/, decimal)}` };
  }
  const [, sign] = /^(?=.*\d)[\d.,'’\s-]*(%|\p{Sc}|[元円원]|\p{L}+\.?)[\d.,'’\s-]*$/u.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const remedy = 'write only the number, and format the column as plain numbers';
  // Such as 1e3, 5x5, or 19.8O with a letter for a digit.
  if (/\d\p{L}+\d|\d[OoIlSB]$|^[OoIl]\d/u.test(text)) return undefined;
  const isCurrency =
    /^(?:\p{Sc}|[元円원])$/u.test(sign) || CURRENCIES.has(sign.replace('.', '').toUpperCase());
  const fault = sign === '%' ? 'a percent sign' : isCurrency ? 'a currency sign' : `the unit "${sign}"`;
  return { code: 'BAD_NUMBER', fault: ` has ${fault}`, remedy };
}

/** What people write for a currency. */
const CURRENCIES: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...['KR', 'ZŁ', 'KČ', 'FT', 'LEI', 'FR', 'РУБ', 'TL', 'RS', 'RP', 'EURO', 'EUROS', 'DOLLAR', 'DOLLARS'],
]);

function ambiguous(text: string): CellHint {
  const [whole = '', rest = ''] = text.split(/[.,]/);
  const fault = ` may be ${whole}${rest}, or ${whole} and ${Number(rest)} thousandths`;
  const remedy = `write ${whole}${rest} and turn off the thousands separator of this column, or write ${text}0`;
  return { code: 'AMBIGUOUS_NUMBER', fault, remedy };
}

/** What is wrong with a number with thousands separators; undefined if it has none. */
function thousandsHint(text: string, decimal: DecimalStyle['decimal']): CellHint | undefined {
  const [, digits = '', groups = '', , fraction = ''] =
    /^([1-9]\d{0,2})(([.,'’\s])\d{2,3}(?:\3\d{2,3})*)((?!\3)[.,]\d+)?$/.exec(text) ?? [];
  if (!/\D\d{3}$/.test(groups)) return undefined;
  const plain = digits + groups.replace(/\D/g, '') + fraction.replace(/[.,]/, decimal);
  const remedy = `write ${plain}, and turn off the thousands separator of this column`;
  return { code: 'THOUSANDS_SEPARATOR', fault: ' has a thousands separator', remedy };
}

/** What to write in place of a missing value. */
export function missingValueHint(column: Column, format: CellFormat): string {
  const value = `write ${expectedValue(column, format)}`;
  if (format.format === 'markdown') return inMarkdown[column.name] ?? `${value}, ${FRONT_MATTER}`;
  const mayBeMerged = format.format === 'csv' && column.schema.cellType === 'id';
  return mayBeMerged ? `${value}; if cells are merged, unmerge them and fill in every row` : value;
}

const FRONT_MATTER = 'in the front matter, which stands between two lines --- at the top';

/** The columns that a Markdown file has in another place than its front matter. */
const inMarkdown: Readonly<Record<string, string>> = {
  id: 'begin the file name with a whole number, as in 12-new-prices.md; or with _ if it is not a news item',
  title: 'begin the text with a heading, such as # New prices',
  content: 'write a text below the front matter',
};

/** What a wrong time looks like. */
type TimeHint = Omit<CellHint, 'code'>;

/** The days that spreadsheets count up to 1970-01-01, and up to 2200-01-01. */
const DAYS_TO_1970 = 25_569;
const DAYS_TO_2200 = 109_575;
/** Made when it is needed: loading what Intl knows of dates takes 20 ms and 5 MB, and all processes load this module. */
let dayAndMonth: Intl.DateTimeFormat | undefined;

/** `text` is not a valid time. Undefined if it looks like no time in particular. */
function timeHint(text: string, { format }: Pick<CellFormat, 'format'>): TimeHint | undefined {
  if (/^\d+([.,]\d+)?$/.test(text)) return unixTimeHint(text, format !== 'json');
  if (isWrittenTime(text)) return boundsHint(text);
  // The clock of Greenwich is that of the site, or is written behind the time.
  const [, local = text, zone] = /^(.*(?:\d|m\.?))\s*(UTC|GMT|Z|[+-]00:?00)$/i.exec(text) ?? [];
  const readings = readDateOrders(isWrittenTime(local) ? local.replace('T', ' ') : local);
  const [first, second] = readings;
  if (first === undefined) return undefined;
  const showIn = (local: number) =>
    zone === undefined ? show(local, format !== 'json') : show(local, format !== 'json', 'Z');
  const remedy = `write ${readings.map(showIn).join(' or ')}`;
  const orFormat = format === 'csv' ? `, or format the column as ${columnFormat(first)}` : '';
  if (second === undefined) return { fault: '', remedy: remedy + orFormat };
  const year = formatLocal(first).slice(0, 4);
  const fault = ` may be ${longDate(first)} or ${longDate(second)} ${year}`;
  return { fault, remedy: remedy + orFormat };
}

/** The day and the month of a local time. */
function longDate(local: number): string {
  dayAndMonth ??= new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return dayAndMonth.format(local * 1000);
}

function unixTimeHint(text: string, isCsv: boolean): TimeHint | undefined {
  const number = Number(text.replace(',', '.'));
  const compact = parseCompactTime(text);
  if (compact !== undefined) return { fault: '', remedy: `write ${show(compact, isCsv)}` };
  if (/^(19[7-9]|2[01]\d)\d$/.test(text)) {
    return {
      fault: ' looks like a year',
      remedy: `write a whole date such as ${isCsv ? `${text}-01-01` : `"${text}-01-01"`}`,
    };
  }
  if (number >= DAYS_TO_1970 && number < DAYS_TO_2200) {
    const local = Math.round((number - DAYS_TO_1970) * DAY);
    const fault = ` looks like a spreadsheet's number for ${show(local, true)}`;
    return {
      fault,
      remedy: isCsv ? `format the column as ${columnFormat(local)}` : `write ${show(local, false)}`,
    };
  }
  if (number > MAX_TIME && number < MAX_TIME * 1000) {
    const time = rfc3339(Math.floor(number / 1000));
    return { fault: ' looks like milliseconds', remedy: `write ${isCsv ? time : `"${time}"`}` };
  }
  return undefined;
}

function boundsHint(text: string): TimeHint {
  return parseWrittenTime(text)
    ? { fault: ' is not from 1970 to 9999', remedy: 'write a date of these years' }
    : {
        fault: ' does not exist',
        remedy: 'write a day that the month has, and a time from 00:00:00 to 23:59:59',
      };
}

/** A local time as short as it can be written. */
function show(local: number, isCsv: boolean, zone = ''): string {
  const time = zone === '' ? formatLocal(local).replace(/( 00:00)?:00$/, '') : `${formatLocal(local)}${zone}`;
  return isCsv ? time : `"${time}"`;
}

function columnFormat(local: number): string {
  return local % DAY === 0 ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm';
}

const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})$/;
const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s?([ap])\.?m\.?)?$/i;

/**
 * What a date in another order or with a 12-hour clock may mean, as local times in seconds as if they were UTC, without
 * those before 1970. Points stand in dates with the day first, slashes and hyphens in dates with the day or the month first.
 */
function readDateOrders(text: string): number[] {
  const inWords = readWords(text);
  if (inWords) return readDateOrders(inWords);
  const [, date = '', clock] = /^(\S+?)(?:,?\s+(.+))?$/.exec(text) ?? [];
  const time = clock === undefined ? [] : readClock(clock);
  if (!time) return [];
  const locals = readDate(date).map(day => localTime([...day, ...time]));
  return [...new Set(locals)].filter(local => local !== undefined && local >= 0) as number[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WORD_DATE =
  /^(?:[a-z]{3,9},?\s+)?(?:(\d{1,2})(?:st|nd|rd|th)?[-\s]+([a-z]{3})[a-z]*\.?|([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?)[-,\s]+(\d{4})(.*)$/i;
const EAST_ASIAN_DATE = /^(\d{4})[年년]\s*(\d{1,2})[月월]\s*(\d{1,2})[日일](.*)$/;

/** A date with the name of its month, or with the signs of East Asia, in digits; undefined for any other text. */
function readWords(text: string): string | undefined {
  const [, year, month, day, time = ''] = EAST_ASIAN_DATE.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month}-${day}${time}`;
  const [, first, named, name = named ?? '', second, last, rest = ''] = WORD_DATE.exec(text) ?? [];
  const index = MONTHS.indexOf(name.toLowerCase());
  return index === -1
    ? undefined
    : `${last}-${index + 1}-${first ?? second}${rest.replace(/^\s*(?:,|at\b)/i, '')}`;
}

/** The possible years, months and days. */
function readDate(date: string): string[][] {
  const [, year, , month = '', day = ''] = YEAR_FIRST.exec(date) ?? [];
  if (year !== undefined) return [[year, month, day]];
  const [, one = '', sign, two = '', last] = YEAR_LAST.exec(date) ?? [];
  if (last === undefined) return [];
  const dayFirst = [last, two, one];
  return sign === '.' ? [dayFirst] : [dayFirst, [last, one, two]];
}

/** The hour of 24, the minute and the second; undefined for what is no time of day. */
function readClock(clock: string): (string | undefined)[] | undefined {
  const [, hour, minute, second, half] = CLOCK.exec(clock) ?? [];
  if (hour === undefined || half === undefined)
    return hour === undefined ? undefined : [hour, minute, second];
  if (Number(hour) < 1 || Number(hour) > 12) return undefined;
  return [String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)), minute, second];
}
