import { basename } from 'node:path/posix';
import { type Column, catalogs, MAX_TEXT_LENGTH, MAX_TIME } from '../../contract/columns.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import { isAmbiguous, omissions, type RawRow, type Table, writtenText } from '../../formats/table.ts';
import { DAYS_TO_1970 } from '../../formats/workbook/stored-cells.ts';
import { readNumber, valuesIn, type WrittenNumber } from '../../formats/written-number.ts';
import { excerpt } from '../../messages.ts';
import { DAY, formatLocal, localTime, rfc3339 } from '../../time-zone.ts';
import {
  type CellFormat,
  cellText,
  cellTypes,
  isFormula,
  isWrittenTime,
  parseCompactTime,
  parseWrittenTime,
} from './cells.ts';

interface CellHint {
  code: ProblemCode;
  fault: string;
  remedy: string;
}

const hint = (code: ProblemCode, fault: string, remedy: string): CellHint => ({ code, fault, remedy });

/** Says what is wrong with a cell, and what to do. `written` is not empty, and not valid in its column. */
export function hintFor(column: Column, written: string, format: CellFormat): CellHint {
  const isSheet = format.format === 'sheet';
  const cell = isSheet ? writtenText(written) : written;
  const text = cell.trim();
  const type = column.schema.cellType ?? 'text';
  const { code } = cellTypes[type];
  const expected = `write ${expectedValue(column, format, cell)}`;
  if (code === 'BAD_TEXT' && cell.length > MAX_TEXT_LENGTH) {
    const fault = ` has more than ${MAX_TEXT_LENGTH} characters`;
    return hint(code, fault, 'shorten it, and put pictures into the images directory');
  }
  if (code === 'BAD_TEXT' && cell.startsWith('"'))
    return hint(code, ' contains half of a character', 'type the character again');
  const inProgram = 'open the workbook in your spreadsheet program, and save it there';
  if (isFormula(written, format) && cell.startsWith('='))
    return hint('FORMULA', ' is a formula without a value', inProgram);
  if (text.startsWith('=')) return hint('FORMULA', ' is a formula', 'paste its value instead');
  // Such as #REF!, #N/A and #DIV/0!, in any language, and Err:502.
  if (isFormula(written, format) || /^(#[\p{Lu}\d/]+[!?]?|Err:\d+)$/u.test(text))
    return hint('FORMULA', ' is the error of a formula', 'repair the formula, then save again');
  if (/^#+$/.test(text)) return hint(code, ' did not fit', 'make the column wider, then save again');
  const isText = format.format !== 'json' || cell.startsWith('"');
  const number = isText && numberHint(column, cellText(written, format).trim(), format, expected);
  if (number) return number;
  if (!isSheet && /^\d+([.,]\d+)?E\+\d+$/i.test(cell))
    return hint(code, ' was shortened by a spreadsheet', `${AS_PLAIN_NUMBERS}, then save again`);
  if (isSheet && code !== 'BAD_TIME' && /^\d{4}-\d\d-\d\d(?: |$)/.test(written)) {
    const remedy = `set the format of the cell to Number first, then ${expected}`;
    return hint(code, ' has the format of a date', remedy);
  }
  if (code === 'BAD_TIME')
    return timeHint(cellText(written, format), format.format) ?? hint(code, '', expected);
  if (type === 'price' && cell.length > 9 && /^\d+$/.test(cell.replace(format.decimal, ''))) {
    const isComputed = isSheet && !written.startsWith('"');
    const byHand = 'write at most 8 digits after the decimal sign, and 15 in total';
    const byFormula = 'round it in the sheet with =ROUND(…;2), or =ROUND(…,2) in English';
    return hint(code, ' has too many digits', isComputed ? byFormula : byHand);
  }
  return hint(code, '', expected);
}

function expectedValue(column: Column, format: CellFormat, cell = ''): string {
  const { references } = column.schema;
  const value = plainValue(column, format, cell);
  return references ? `${value}, or the name of a ${catalogs[references].noun}` : value;
}

function plainValue({ name, schema, required }: Column, { format, decimal }: CellFormat, cell: string) {
  const { cellType = 'text', minimum } = schema;
  const { code, json } = cellTypes[cellType];
  const expected = name === 'memory' ? 'a number of MB, such as 4096' : cellTypes[cellType].expected;
  if (cellType === 'count' && minimum >= 0) return `a whole number of ${minimum} or more, such as 10`;
  if (format !== 'json') {
    const orEmpty = required ? '' : `, or ${omissions[format]}`;
    if (cellType === 'flag') return expected + orEmpty;
    const inSheet = format === 'markdown' ? '' : '; in a spreadsheet, format the column as yyyy-mm-dd';
    if (code === 'BAD_TIME') return expected + orEmpty + inSheet;
    return expected.replace(/(?<=\d)\.(?=\d)/, decimal);
  }
  const isQuoted = cell.startsWith('"');
  if (json === 'quoted' && !isQuoted) return `${expected} in "double quotes"`;
  return json === 'bare' && isQuoted ? `${expected}, without quotes` : expected;
}

/** What people write around the digits of a number, and what replaces it if the number is clear without it. */
const SLIPS: readonly [pattern: RegExp, what: string, replacement?: string][] = [
  [/^['’‘`´](?=.*\d)/, 'an apostrophe before the number', ''],
  [/[．０-９]/, 'full-width characters', '$&'],
  [/\p{Cf}/gu, 'an invisible character', ''],
  [/[.,]\s?[-–—]+$/, 'a dash in place of decimals', ''],
  [/^[-−–]\s?(?=[\d.,])|(?<=\d)\s?[-−–]$/, 'a minus sign'],
  [/(?<=[\d.,])[OoIlSB](?=[\d.,]|$)|^[OoIlS](?=[\d.,])/, 'a letter among its digits'],
  [/(?!\d)\p{Nd}/u, 'digits other than 0 to 9'],
];

const AS_PLAIN_NUMBERS = 'format the column as plain numbers';
const TYPE_AGAIN = 'type it again as a number, since the cell holds text';

/** Says what is wrong with a number; undefined if the text is something else. */
function numberHint(column: Column, text: string, format: CellFormat, expected: string) {
  const { references, choices, cellType = 'text', minimum = 0 } = column.schema;
  const { code } = cellTypes[cellType];
  if (code !== 'BAD_ID' && code !== 'BAD_NUMBER') return undefined;
  const isWhole = cellType !== 'price' && cellType !== 'size';
  const [isJson, isSheet] = [format.format === 'json', format.format === 'sheet'];
  const isIn = (value: string) => Number(value) >= minimum && (!isWhole || Number.isInteger(Number(value)));
  const write = (number: WrittenNumber | undefined) => {
    const [value, other] = number ? valuesIn(column.name, number).filter(isIn) : [];
    if (value === undefined || other !== undefined) return expected;
    return isJson ? `write ${value}, without quotes` : `write ${value.replace('.', format.decimal)}`;
  };
  const number = readNumber(text);
  if (!references && !choices) {
    const orNone = `${expected}${NONE[String(cellType)] ?? ''}`;
    const [pattern = '', what, replacement] = SLIPS.find(([pattern]) => text.search(pattern) !== -1) ?? [];
    const left = replacement === undefined ? undefined : text.replace(pattern, replacement);
    if (/^-[\d.,]+$/.test(text) && minimum >= 0) return hint(code, ' is negative', orNone);
    if (what) return hint(code, ` has ${what}`, write(left === undefined ? left : readNumber(left)));
    if (!isWhole && !/\d/.test(text)) return hint(code, ' is not a number', orNone);
    if (number?.unit && code === 'BAD_NUMBER') {
      const isMemory = column.name === 'memory';
      const fault = ` has "${excerpt(number.unit)}" beside the number${isMemory ? ', and memory is in MB' : ''}`;
      if (isJson || isMemory || valuesIn(column.name, number).length === 0)
        return hint(code, fault, write(number));
      return hint(code, fault, isSheet ? TYPE_AGAIN : `write only the number, and ${AS_PLAIN_NUMBERS}`);
    }
    if (isJson) return hint(code, '', write(number));
  }
  if (isJson || !number || number.unit) return undefined;
  const remedy = (values: string) => (isSheet ? TYPE_AGAIN : `write ${values}`);
  const plainly = 'turn off the thousands separator of this column';
  const { decimal, isProven } = format;
  const [whole = '', rest = ''] = text.split(/[.,]/);
  if (isAmbiguous(text) && isWhole && rest === '000')
    return hint('AMBIGUOUS_NUMBER', ` may be ${whole}000, or ${whole}`, remedy(`${whole}000 or ${whole}`));
  if (isAmbiguous(text) && !isWhole && !isProven) {
    const fault = ` may be ${whole}${rest}, or ${whole} and ${Number(rest)} thousandths`;
    return hint('AMBIGUOUS_NUMBER', fault, remedy(`${whole}${rest} and ${plainly}, or write ${text}0`));
  }
  const { grouped } = number;
  if (grouped && isIn(grouped)) {
    const values = `${grouped.replace('.', decimal)}, and ${plainly}`;
    return hint('THOUSANDS_SEPARATOR', ' has a thousands separator', remedy(values));
  }
  if (isWhole || text.includes(decimal) || !/^\d+[.,]\d+$/.test(text)) return undefined;
  const [found, other] = decimal === '.' ? ['comma', 'point'] : ['point', 'comma'];
  const fault = ` has a decimal ${found}, but this column has decimal ${other}s`;
  return hint('DECIMAL_SIGN', fault, remedy(text.replace(/[.,]/, decimal)));
}

/** What to write in a column of this type if there is no value. */
const NONE: Readonly<Record<string, string>> = {
  price: ', or delete the row if there is no price',
  size: ', or 0 if it has none',
};

export function missingValueHint(column: Column, format: CellFormat): string {
  const value = `write ${expectedValue(column, format)}`;
  if (format.format === 'markdown') return inMarkdown[column.name] ?? `${value}, ${FRONT_MATTER}`;
  const { cellType } = column.schema;
  if (cellType === 'size') return value + NONE.size;
  const mayBeMerged = format.format === 'csv' && cellType === 'id';
  return mayBeMerged ? `${value}; if cells are merged, unmerge them and fill in every row` : value;
}

/** Says what to do about a row without an id. `next` is a free id. */
export function missingIdHint({ format, locate }: Table, row: RawRow, next: number): string {
  if (format !== 'markdown') return `write ${next}, the next free one`;
  return `rename the file to ${next}-${basename(locate(row).file)}; or begin its name with _ if it is not a news item`;
}

const FRONT_MATTER = 'in the front matter, which stands between two lines --- at the top';

const inMarkdown: Readonly<Record<string, string>> = {
  title: 'begin the text with a heading, such as # New prices',
  content: 'write a text below the front matter',
};

/** The number of 2200-01-01 in spreadsheets. */
const DAYS_TO_2200 = 109_575;

/** Says what to do about an invalid time; undefined if the text does not look like a time. */
function timeHint(text: string, format: CellFormat['format']): CellHint | undefined {
  const refuse = (fault: string, remedy: string) => hint('BAD_TIME', fault, remedy);
  const write = (times: readonly string[]) =>
    `write ${times.map(time => (format === 'json' ? `"${time}"` : time)).join(' or ')}`;
  const short = (local: number) => formatLocal(local).replace(/( 00:00)?:00$/, '');
  const inColumn = (local: number) => `format the column as yyyy-mm-dd${local % DAY === 0 ? '' : ' hh:mm'}`;
  const orInColumn = (local: number) => (format === 'csv' ? `, or ${inColumn(local)}` : '');
  const possible = 'write a day that the month has, from 1970 to 9999, and a time from 00:00:00 to 23:59:59';
  if (parseWrittenTime(text)) return refuse(' is not from 1970 to 9999', 'write a date of these years');
  if (isWrittenTime(text)) return refuse(' does not exist', possible);
  if (/^\d+([.,]\d+)?$/.test(text)) {
    const number = Number(text.replace(',', '.'));
    const compact = parseCompactTime(text);
    if (compact !== undefined) return refuse('', write([short(compact)]));
    if (number > MAX_TIME && number < MAX_TIME * 1000)
      return refuse(' looks like milliseconds', write([rfc3339(Math.floor(number / 1000))]));
    if (number < DAYS_TO_1970[1900] || number >= DAYS_TO_2200) return undefined;
    const local = Math.round((number - DAYS_TO_1970[1900]) * DAY);
    // In a workbook, the number may count from 1904.
    const remedy = format === 'sheet' ? inColumn(local) : write([short(local)]) + orInColumn(local);
    return refuse(' looks like the number of a day in a spreadsheet', remedy);
  }
  // A time that is marked as UTC keeps that in the remedy.
  const [, local = text, zone] = /^(.*(?:\d|m\.?))\s*(UTC|GMT|Z|[+-]00:?00)$/i.exec(text) ?? [];
  const readings = readDateOrders(isWrittenTime(local) ? local.replace('T', ' ') : local);
  const [first, second] = readings;
  if (first === undefined) return undefined;
  const fault = second === undefined ? '' : ' may have the day or the month first';
  return refuse(fault, write(readings.map(zone ? rfc3339 : short)) + orInColumn(first));
}

const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})$/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Returns the times that a date in another order, in English words or with a 12-hour clock may mean: local times since 1970, in
 * seconds as if in UTC.
 */
function readDateOrders(text: string): number[] {
  const [, date = '', clock = '0:00'] =
    /^(\d{4}\S*|.*?\d{4})(?:,?\s+(?:at\s+)?(\d\d?:[\d:]+(?:\s?[ap]\.?m\.?)?))?$/i.exec(text) ?? [];
  const time = Date.parse(`1970/1/1 ${clock.replaceAll('.', '').replace(/(?=[ap]m)/i, ' ')} UTC`) / 1000;
  const days = readDate(date).map(localTime);
  return [...new Set(days)].flatMap(day => (day !== undefined && day + time >= 0 ? [day + time] : []));
}

/** Returns the possible years, months and days. With points, the day comes first; with other signs, perhaps the month. */
function readDate(date: string): string[][] {
  const month = MONTHS.findIndex(name => new RegExp(`(?<!\\p{L})${name}`, 'iu').test(date));
  const [day = '', last = ''] = date.match(/\d+/g) ?? [];
  if (month !== -1) return [[last, String(month + 1), day]];
  const [year = '', , ...rest] = YEAR_FIRST.exec(date)?.slice(1) ?? [];
  if (year) return [[year, ...rest]];
  const [one = '', sign, two = '', end = ''] = YEAR_LAST.exec(date)?.slice(1) ?? [];
  if (!end) return [];
  const dayFirst = [end, two, one];
  return sign === '.' ? [dayFirst] : [dayFirst, [end, one, two]];
}
