import { type CellType, type Column, catalogs, MAX_TEXT_LENGTH } from '../../contract/columns.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import { type DecimalStyle, isAmbiguous, omissions, textOf } from '../../formats/table.ts';
import { DAY, formatLocal, localTime } from '../../time-zone.ts';
import { type CellFormat, cellText, cellTypes, isFormula, isWrittenTime } from './cells.ts';

/** What is wrong with a cell, to follow its column and value in a message, and what to do about it. */
interface CellHint {
  code: ProblemCode;
  /** Empty if `remedy` says enough. */
  fault: string;
  remedy: string;
}

/** `written` is the cell: not empty, and not valid in its column. */
export function hintFor(column: Column, written: string, format: CellFormat): CellHint {
  const isSheet = format.format === 'sheet';
  const cell = isSheet ? textOf(written) : written;
  const text = cell.trim();
  const type = column.schema.cellType ?? 'text';
  const { code } = cellTypes[type];
  const expected = `write ${expectedValue(column, format, cell)}`;
  const hint = (fault: string, remedy: string, other: ProblemCode = code): CellHint => ({
    code: other,
    fault,
    remedy,
  });
  if (code === 'BAD_TEXT' && cell.length > MAX_TEXT_LENGTH)
    return hint(
      ` has more than ${MAX_TEXT_LENGTH} characters`,
      'shorten it, and put pictures into the images directory',
    );
  if (code === 'BAD_TEXT' && cell.startsWith('"'))
    return hint(' contains half of a character', 'type the character again');
  if (isFormula(written, format) && cell.startsWith('='))
    return hint(
      ' is a formula without a value',
      'open the workbook in your spreadsheet program, and save it there',
      'FORMULA',
    );
  if (text.startsWith('=')) return hint(' is a formula', 'paste its value instead', 'FORMULA');
  // Such as #REF!, #N/A, #DIV/0!, in any language, and Err:502.
  if (isFormula(written, format) || /^(#[\p{Lu}\d/]+[!?]?|Err:\d+)$/u.test(text))
    return hint(' is the error of a formula', 'repair the formula, then save again', 'FORMULA');
  if (/^#+$/.test(text)) return hint(' did not fit', 'make the column wider, then save again');
  const number = format.format === 'json' ? undefined : writtenNumberHint(type, text, format);
  if (number)
    return isSheet ? { ...number, remedy: 'type it again as a number, since the cell holds text' } : number;
  if (!isSheet && /^\d+([.,]\d+)?E\+\d+$/i.test(cell))
    return hint(' was shortened by a spreadsheet', 'format the column as plain numbers, then save again');
  if (isSheet && code !== 'BAD_TIME' && /^\d{4}-\d\d-\d\d(?: |$)/.test(written))
    return hint(' has the format of a date', `set the format of the cell to Number first, then ${expected}`);
  if (code === 'BAD_TIME') return { ...hint('', expected), ...timeHint(cellText(written, format), format) };
  if (type === 'price' && isLong(cell, format.decimal)) {
    const isComputed = isSheet && !written.startsWith('"');
    return hint(
      ' has too many digits',
      isComputed
        ? 'round it in the sheet with =ROUND(…;2), or =ROUND(…,2) in English'
        : 'write at most 8 digits after the decimal sign, and 15 in total',
    );
  }
  return hint('', expected);
}

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
    if (cellType === 'flag') return expected + orEmpty;
    const inSheet = format === 'markdown' ? '' : '; in a spreadsheet, format the column as yyyy-mm-dd';
    if (code === 'BAD_TIME') return expected + orEmpty + inSheet;
    return expected.replace(/(?<=\d)\.(?=\d)/, decimal);
  }
  const isQuoted = cell.startsWith('"');
  if (json === 'quoted' && !isQuoted) return `${expected} in "double quotes"`;
  return json === 'bare' && isQuoted ? `${expected}, without quotes` : expected;
}

function writtenNumberHint(type: CellType, text: string, format: CellFormat): CellHint | undefined {
  if (type === 'price' || type === 'size') return numberHint(text, format);
  return ['id', 'count', 'reads'].includes(type) ? thousandsHint(text, format.decimal) : undefined;
}

function isLong(text: string, decimal: string): boolean {
  return text.length > 9 && text.split(decimal).length <= 2 && /^\d+$/.test(text.replace(decimal, ''));
}

function numberHint(text: string, { decimal, isProven }: DecimalStyle): CellHint | undefined {
  if (isAmbiguous(text) && !isProven) {
    const [whole = '', rest = ''] = text.split(/[.,]/);
    const fault = ` may be ${whole}${rest}, or ${whole} and ${Number(rest)} thousandths`;
    const remedy = `write ${whole}${rest} and turn off the thousands separator of this column, or write ${text}0`;
    return { code: 'AMBIGUOUS_NUMBER', fault, remedy };
  }
  const thousands = thousandsHint(text, decimal);
  if (thousands) return thousands;
  if (/^\d+[.,]\d+$/.test(text) && !text.includes(decimal)) {
    const [found, expected] = decimal === '.' ? ['comma', 'point'] : ['point', 'comma'];
    const fault = ` has a decimal ${found}, but this column has decimal ${expected}s`;
    return { code: 'DECIMAL_SIGN', fault, remedy: `write ${text.replace(/[.,]/, decimal)}` };
  }
  const [, sign] = /^(?=.*\d)[\d.,'’\s-]*(%|\p{Sc}|[元円원]|\p{L}+\.?)[\d.,'’\s-]*$/u.exec(text) ?? [];
  // Such as 1e3, 5x5, or 19.8O with a letter for a digit.
  if (sign === undefined || /\d\p{L}+\d|\d[OoIlSB]$|^[OoIl]\d/u.test(text)) return undefined;
  const remedy = 'write only the number, and format the column as plain numbers';
  return { code: 'BAD_NUMBER', fault: ` has "${sign}" beside the number`, remedy };
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

export function missingValueHint(column: Column, format: CellFormat): string {
  const value = `write ${expectedValue(column, format)}`;
  if (format.format === 'markdown') return inMarkdown[column.name] ?? `${value}, ${FRONT_MATTER}`;
  const mayBeMerged = format.format === 'csv' && column.schema.cellType === 'id';
  return mayBeMerged ? `${value}; if cells are merged, unmerge them and fill in every row` : value;
}

const FRONT_MATTER = 'in the front matter, which stands between two lines --- at the top';

const inMarkdown: Readonly<Record<string, string>> = {
  id: 'begin the file name with a whole number, as in 12-new-prices.md; or with _ if it is not a news item',
  title: 'begin the text with a heading, such as # New prices',
  content: 'write a text below the front matter',
};

/** What to do about a text that is not a valid time; undefined if it looks like no time in particular. */
function timeHint(text: string, { format }: CellFormat): Omit<CellHint, 'code'> | undefined {
  if (isWrittenTime(text)) {
    const remedy = 'write a day that the month has, from 1970 to 9999, and a time from 00:00:00 to 23:59:59';
    return { fault: ' does not exist', remedy };
  }
  // The clock of Greenwich is that of the site, or is written behind the time.
  const [, local = text, zone] = /^(.*(?:\d|m\.?))\s*(UTC|GMT|Z|[+-]00:?00)$/i.exec(text) ?? [];
  const readings = readDateOrders(isWrittenTime(local) ? local.replace('T', ' ') : local);
  const [first] = readings;
  if (first === undefined) return undefined;
  const times = readings
    .map(formatLocal)
    .map(time => (zone ? `${time}Z` : time.replace(/( 00:00)?:00$/, '')));
  const remedy = `write ${times.map(time => (format === 'json' ? `"${time}"` : time)).join(' or ')}`;
  const column = first % DAY === 0 ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm';
  return { fault: '', remedy: format === 'csv' ? `${remedy}, or format the column as ${column}` : remedy };
}

const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})$/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * What a date in another order, in English words or with a 12-hour clock may mean, as local times in seconds as if they were
 * UTC, without those before 1970.
 */
function readDateOrders(text: string): number[] {
  const [, date = '', clock = '0:00'] =
    /^(\d{4}\S*|.*?\d{4})(?:,?\s+(?:at\s+)?(\d\d?:[\d:]+(?:\s?[ap]\.?m\.?)?))?$/i.exec(text) ?? [];
  const time = Date.parse(`1970/1/1 ${clock.replaceAll('.', '').replace(/(?=[ap]m)/i, ' ')} UTC`) / 1000;
  const days = readDate(date).map(localTime);
  return [...new Set(days)].flatMap(day => (day !== undefined && day + time >= 0 ? [day + time] : []));
}

/** The possible years, months and days. Points stand in dates with the day first, other signs also with the month first. */
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
