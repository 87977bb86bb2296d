import { MAX_TIME } from '../../../contract/columns.ts';
import { DAY, formatLocal, rfc3339 } from '../../../time-zone.ts';
import type { CellFormat } from './cell-types.ts';
import { readDateOrders } from './date-orders.ts';
import { isWrittenTime, parseCompactTime, parseWrittenTime } from './time-cell.ts';

/** What a wrong time looks like, to follow its column and value in a message, and what to do about it. */
interface TimeHint {
  /** Empty if `remedy` says enough. */
  fault: string;
  remedy: string;
}

/** The days that spreadsheets count up to 1970-01-01, and up to 2200-01-01. */
const DAYS_TO_1970 = 25_569;
const DAYS_TO_2200 = 109_575;
/** Made when it is needed: loading what Intl knows of dates takes 20 ms and 5 MB, and all processes load this module. */
let dayAndMonth: Intl.DateTimeFormat | undefined;

/** `text` is not a valid time. Undefined if it looks like no time in particular. */
export function timeHint(text: string, { format }: Pick<CellFormat, 'format'>): TimeHint | undefined {
  if (/^\d+([.,]\d+)?$/.test(text)) return numberHint(text, format !== 'json');
  if (isWrittenTime(text)) return boundsHint(text);
  const readings = readDateOrders(text);
  const [first, second] = readings;
  if (first === undefined) return undefined;
  const remedy = `write ${readings.map(local => show(local, format !== 'json')).join(' or ')}`;
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

function numberHint(text: string, isCsv: boolean): TimeHint | undefined {
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
function show(local: number, isCsv: boolean): string {
  const time = formatLocal(local).replace(/( 00:00)?:00$/, '');
  return isCsv ? time : `"${time}"`;
}

function columnFormat(local: number): string {
  return local % DAY === 0 ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm';
}
