import { MAX_TEXT_LENGTH } from '../../contract/columns.ts';
import type { ProblemCode, Reporter } from '../../contract/problems.ts';
import { reasonOf } from '../../messages.ts';
import { DAY, formatLocal } from '../../time-zone.ts';
import { MAX_COLUMNS, MAX_ROWS, tooManyColumns, tooManyRows, writtenText } from '../table.ts';

/** Why a workbook cannot be read: a sentence for editors, and the place if it is known. */
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

/** Reports a fault, by default in `sheet`, the one that is read. @throws any other error. */
export function reportFault(error: unknown, file: string, sheet: string | undefined, report: Reporter): void {
  if (!(error instanceof WorkbookFault)) throw error;
  const { code, message, cell } = error;
  const name = error.sheet ?? sheet;
  const place = { ...(name !== undefined && { sheet: name }), ...(cell !== undefined && { cell }) };
  report({ file, ...place }, code, message);
}

/** Makes the fault of a workbook whose parts cannot be read or contradict each other. */
export function damaged(reason: string, cell?: string): WorkbookFault {
  const message = `the workbook is damaged (${reason.replace(/\.$/, '')}): open it in your spreadsheet program, and save it again`;
  return new WorkbookFault(message, { cell });
}

/** @throws WorkbookFault for any error that reading a part has thrown. */
export function failIn(part: string, error: unknown): never {
  throw error instanceof WorkbookFault ? error : damaged(`${part}: ${reasonOf(error)}`);
}

export const PASSWORD = 'the workbook is protected by a password: remove the password, and save it again';

/** The place of a cell. Rows count from 1, columns from 0. */
export interface CellPlace {
  row: number;
  column: number;
}

export interface CellRange {
  name: string;
  first: CellPlace;
  last: CellPlace;
}

/** Parses the name of a cell, such as `E17`. @throws WorkbookFault if it is invalid or beyond the limits of a sheet. */
export function cellPlace(name: string): CellPlace {
  const [, letters, row] = /^([A-Z]+)([1-9]\d*)$/.exec(name) ?? [];
  if (letters === undefined) throw damaged(`${name.slice(0, 20)} is not a cell`);
  let column = -1;
  for (const letter of letters) column = (column + 1) * 26 + letter.charCodeAt(0) - 65;
  checkRow(Number(row), name);
  checkColumn(column, name);
  return { row: Number(row), column };
}

/** Parses the name of a range, such as `A2:A5`. */
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

/**
 * A cell of a sheet: a text as a JSON string, any other value bare, such as `12.5`, `true` and `2026-03-31 18:00:00`. A
 * formula without a value is `=A1`, an error is `#REF!` or `Err:502`, and an empty cell is empty.
 */
export type CellSource = string;

/** Parses a stored number. @throws WorkbookFault if it is none. */
export function storedNumber(value: string, cell?: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || value.trim() === '') throw damaged(`${value} is not a number`, cell);
  return number;
}

/** How many significant digits of a number spreadsheet programs keep and show. */
const DIGITS = 15;

/** Restores the digits that were typed: programs store 0.58 as 0.57999999999999996. Huge and tiny numbers keep exponents. */
export function numberSource(stored: number): CellSource {
  const shortest = String(stored);
  // Most numbers have few digits, and the rest takes much longer.
  if (shortest.length <= DIGITS && !shortest.includes('e')) return shortest;
  const typed = Number(stored.toPrecision(DIGITS));
  const size = Math.abs(typed);
  return size >= 1e20 || (size > 0 && size < 1e-21) ? String(typed) : plainNumber(typed);
}

/** Formats a number without an exponent, so that parsing it gives the same number. */
export function plainNumber(value: number): string {
  const [, sign, first, rest = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
  if (first === undefined) return String(value);
  const digits = first + rest;
  const power = Number(exponent);
  return sign + (power < 0 ? `0.${'0'.repeat(-power - 1)}${digits}` : digits.padEnd(power + 1, '0'));
}

/** The number of 1970-01-01 in each date system of spreadsheets. */
export const DAYS_TO_1970 = { 1900: 25_569, 1904: 24_107 };
/** The number of 29 February 1900, a day that never existed, in the date system of 1900. Earlier days are one off. */
const LEAP_DAY = 60;
const MAX_DAYS = 2_958_466;

/** Formats a number of days as a local date and, unless it is midnight, time. Returns a number out of range as it is. */
export function dateSource(days: number, system: keyof typeof DAYS_TO_1970): CellSource {
  if (days === 0 || days < 0 || days >= MAX_DAYS) return numberSource(days);
  const early = system === 1900 && days < LEAP_DAY ? 1 : 0;
  const local = Math.round((days + early - DAYS_TO_1970[system]) * DAY);
  return formatLocal(local).replace(/ 00:00:00$/, '');
}

/** Joins pieces of a text, up to one character more than a cell may have. */
export function joinText(text: string, piece: string): string {
  return text.length > MAX_TEXT_LENGTH ? text : text + piece.slice(0, MAX_TEXT_LENGTH + 1);
}

/** Whether a cell is empty or has only white space. */
export function isBlankSource(source: CellSource): boolean {
  return source === '' || (source.startsWith('"') && writtenText(source).trim() === '');
}
