import { MAX_TEXT_LENGTH } from '../../../contract/columns.ts';
import { DAY, formatLocal } from '../../../time-zone.ts';
import { textOf } from '../table.ts';

/**
 * The cells of a sheet as text: a text as a JSON string; any other value bare, such as `12.5`, `true` and
 * `2026-03-31 18:00:00`; a formula without a value as `=A1`, and its error as `#REF!` or `Err:502`; empty for an empty cell.
 */
export type CellSource = string;

/** The 15 significant digits that spreadsheet programs keep and show of a number. */
const DIGITS = 15;
/** Numbers with more digits before or after the point keep their exponent. */
const MAX_EXPONENT = 20;

/** A number with the digits that were typed: programs store 0.58 as 0.57999999999999996. */
export function numberSource(stored: number): CellSource {
  const [mantissa = '', exponent = '0'] = stored.toExponential(DIGITS - 1).split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/0+$/, '') || '0';
  const point = Number(exponent) + 1;
  if (Math.abs(point) > MAX_EXPONENT) return String(Number(stored.toPrecision(DIGITS)));
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const fraction = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  const sign = stored < 0 ? '-' : '';
  return digits === '0' ? '0' : `${sign}${whole}${fraction && `.${fraction}`}`;
}

/** The days from the beginning of each date system to 1970-01-01. */
const DAYS_TO_1970 = { 1900: 25_569, 1904: 24_107 };
/** Below this day of the system of 1900, days count from a day later, since 1900 is a leap year in it. */
const LEAP_DAY = 60;
const MAX_DAYS = 2_958_466;

/** The local date and time of a number of days, without a time at midnight; the number itself if it is none. */
export function dateSource(days: number, system: keyof typeof DAYS_TO_1970): CellSource {
  if (days === 0 || days < 0 || days >= MAX_DAYS) return numberSource(days);
  const early = system === 1900 && days < LEAP_DAY ? 1 : 0;
  const local = Math.round((days + early - DAYS_TO_1970[system]) * DAY);
  return formatLocal(local).replace(/ 00:00:00$/, '');
}

/** Joins pieces of a text, up to a length that no cell may have. */
export function joinText(text: string, piece: string): string {
  return text.length > MAX_TEXT_LENGTH ? text : text + piece.slice(0, MAX_TEXT_LENGTH + 1);
}

export function textSource(text: string): CellSource {
  return JSON.stringify(text);
}

/** Whether a cell is empty, or has a text of white space. */
export function isBlankSource(source: CellSource): boolean {
  return source === '' || (source.startsWith('"') && textOf(source).trim() === '');
}
