import { MAX_TEXT_LENGTH } from '../../contract/columns.ts';
import type { ProblemCode, Reporter } from '../../contract/problems.ts';
import { reasonOf } from '../../messages.ts';
import { DAY, formatLocal } from '../../time-zone.ts';
import { MAX_COLUMNS, MAX_ROWS, textOf, tooManyColumns, tooManyRows } from '../table.ts';

/** Why a workbook cannot be read: a sentence for editors, and where if that is known. */
export class WorkbookFault extends Error {
  readonly code: ProblemCode;
  readonly cell: string | undefined;
  sheet: string | undefined;

  constructor(
    message: string,
    { code = 'BAD_WORKBOOK', cell }: { code?: ProblemCode; cell?: string | undefined } = {},
  ) {
    super(message);
    this.code = code;
    this.cell = cell;
  }
}

/** Reports why a workbook cannot be read; `sheet` is the one that is read. @throws any other error. */
export function reportFault(error: unknown, file: string, sheet: string | undefined, report: Reporter): void {
  if (!(error instanceof WorkbookFault)) throw error;
  const { code, message, cell } = error;
  const name = error.sheet ?? sheet;
  const place = { ...(name !== undefined && { sheet: name }), ...(cell !== undefined && { cell }) };
  report({ file, ...place }, code, message);
}

/** The fault of a workbook whose parts contradict each other or cannot be read. */
export function damaged(reason: string, cell?: string): WorkbookFault {
  const message = `the workbook is damaged (${reason.replace(/\.$/, '')}): open it in your spreadsheet program, and save it again`;
  return new WorkbookFault(message, { cell });
}

/** @throws WorkbookFault for an error in reading a part of a workbook. */
export function failIn(part: string, error: unknown): never {
  throw error instanceof WorkbookFault ? error : damaged(`${part}: ${reasonOf(error)}`);
}

export const PASSWORD = 'the workbook is protected by a password: remove the password, and save it again';

/** A cell by its row, from 1, and its column, from 0. */
export interface CellPlace {
  row: number;
  column: number;
}

/** The cells from one corner to another. */
export interface CellRange {
  name: string;
  first: CellPlace;
  last: CellPlace;
}

/** The place of a cell by its name, such as `E17`. @throws WorkbookFault if it is none, or beyond the limits of a sheet. */
export function cellPlace(name: string): CellPlace {
  const [, letters = '', row = ''] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(name) ?? tooFar(name);
  let column = -1;
  for (const letter of letters) column = (column + 1) * 26 + letter.charCodeAt(0) - 65;
  checkRow(Number(row), name);
  checkColumn(column, name);
  return { row: Number(row), column };
}

/** The cells that a name such as `A2:A5` means. */
export function cellRange(name: string): CellRange {
  const [first = '', last = first] = name.split(':');
  return { name, first: cellPlace(first), last: cellPlace(last) };
}

export function checkRow(row: number, cell?: string): void {
  if (row > MAX_ROWS) throw new WorkbookFault(tooManyRows, { code: 'TOO_MANY_ROWS', cell });
}

export function checkColumn(column: number, cell?: string): void {
  if (column >= MAX_COLUMNS) throw new WorkbookFault(tooManyColumns, { code: 'TOO_MANY_COLUMNS', cell });
}

function tooFar(name: string): never {
  if (/^[A-Z]+[1-9]\d*$/.test(name)) {
    if (/^[A-Z]{4}/.test(name)) checkColumn(MAX_COLUMNS, name);
    checkRow(MAX_ROWS + 1, name);
  }
  throw damaged(`${name.slice(0, 20)} is no cell`);
}

/**
 * The cells of a sheet as text: a text as a JSON string; any other value bare, such as `12.5`, `true` and
 * `2026-03-31 18:00:00`; a formula without a value as `=A1`, and its error as `#REF!` or `Err:502`; empty for an empty cell.
 */
export type CellSource = string;

/** The number that a cell has. @throws WorkbookFault if it has none. */
export function storedNumber(value: string, cell?: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || value.trim() === '') throw damaged(`${value} is no number`, cell);
  return number;
}

/** The 15 significant digits that spreadsheet programs keep and show of a number. */
const DIGITS = 15;

/**
 * A number with the digits that were typed: programs store 0.58 as 0.57999999999999996. With more than 20 digits before or
 * after the point, it keeps its exponent.
 */
export function numberSource(stored: number): CellSource {
  const shortest = String(stored);
  // Most numbers have few digits, and what follows takes much longer.
  if (shortest.length <= DIGITS && !shortest.includes('e')) return shortest;
  const typed = Number(stored.toPrecision(DIGITS));
  const size = Math.abs(typed);
  return size >= 1e20 || (size > 0 && size < 1e-21) ? String(typed) : plainNumber(typed);
}

/** A number in digits, without an exponent. Reading it gives the same number. */
export function plainNumber(value: number): string {
  const [, sign, first, rest = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
  if (first === undefined) return String(value);
  const digits = first + rest;
  const power = Number(exponent);
  return sign + (power < 0 ? `0.${'0'.repeat(-power - 1)}${digits}` : digits.padEnd(power + 1, '0'));
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

/** Whether a cell is empty, or has a text of white space. */
export function isBlankSource(source: CellSource): boolean {
  return source === '' || (source.startsWith('"') && textOf(source).trim() === '');
}
