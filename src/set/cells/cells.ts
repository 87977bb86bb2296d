import { imageIn } from '../../contract/catalog-files.ts';
import { type CellType, contentFormats, durationUnits, MAX_READ } from '../../contract/columns.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import {
  type DecimalStyle,
  FORMULA_ERROR,
  isAmbiguous,
  type Table,
  writtenText,
} from '../../formats/table.ts';
import { boolean } from '../../settings/parsers.ts';
import { localTime, type TimeZone } from '../../time-zone.ts';

export interface CellFormat extends Pick<Table, 'format'>, DecimalStyle {}

interface CellParser {
  code: ProblemCode;
  /** Which JSON values have this type: strings, others, or both. */
  json: 'quoted' | 'bare' | 'any';
  expected: string;
  /** Returns undefined for a text that is not of this type. The schema checks bounds. */
  parse(text: string, format: CellFormat, zone: TimeZone): unknown;
}

const cellParser =
  (json: CellParser['json']) =>
  (code: ProblemCode, expected: string, parse: CellParser['parse']): CellParser => ({
    code,
    json,
    expected,
    parse,
  });
const [bare, quoted] = [cellParser('bare'), cellParser('quoted')];
const imageName = 'the name of a file in the images directory, such as launch.webp';
const anyTime = 'a date such as 2026-03-31 or 2026-03-31 18:00:00';
const time = cellParser('any')('BAD_TIME', anyTime, (text, _format, zone) => parseTimeCell(text, zone));

export const cellTypes: Readonly<Record<CellType, CellParser>> = {
  id: bare('BAD_ID', 'a whole number of 1 or more, such as 12', parseInteger),
  count: bare('BAD_NUMBER', 'a whole number, such as 10', parseInteger),
  reads: bare('BAD_NUMBER', `a whole number from 0 to ${MAX_READ}, such as 10`, parseInteger),
  size: bare('BAD_NUMBER', 'a number, such as 4 or 0.5', parseDecimal),
  price: bare('BAD_NUMBER', 'a plain number such as 12.50', parsePrice),
  flag: bare('BAD_BOOLEAN', 'true or false', parseFlag),
  time,
  timeOrZero: {
    ...time,
    parse: (text, _format, zone) => (/^0([.,]0+)?$/.test(text) ? 0 : parseTimeCell(text, zone)),
  },
  unit: quoted('BAD_UNIT', `one of ${durationUnits.join(', ')}`, text => {
    const word = text.trim().toLowerCase();
    return durationUnits.find(unit => word === unit || word === `${unit}s`) ?? text;
  }),
  contentFormat: quoted('BAD_FORMAT', `one of ${contentFormats.join(', ')}`, text =>
    text.trim().toLowerCase(),
  ),
  text: quoted('BAD_TEXT', 'text', parseText),
  terms: quoted('BAD_TEXT', 'text', parseText),
  fileName: quoted('BAD_FILE_NAME', imageName, (path, format) => parseText(imageIn(path) ?? path, format)),
};

/** Parses a cell. Returns undefined if it is empty, and null, which no schema accepts, if it is not valid. */
export function parseCell(
  cell: string | undefined,
  format: CellFormat,
  type: CellType,
  zone: TimeZone,
): unknown {
  const { json, parse } = cellTypes[type];
  if (cell === undefined) return undefined;
  if (format.format !== 'json') {
    if (isFormula(cell, format)) return null;
    const written = format.format === 'sheet' ? writtenText(cell) : cell;
    const text = json === 'quoted' ? written : written.trim();
    return text === '' ? undefined : (parse(text, cellFormatOf(cell, format), zone) ?? null);
  }
  if (cell === 'null' || cell === '""') return undefined;
  if (type === 'terms' && cell.startsWith('[')) return termsIn(JSON.parse(cell));
  const isQuoted = cell.startsWith('"');
  if (json !== 'any' && isQuoted !== (json === 'quoted')) return null;
  return parse(writtenText(cell), format, zone) ?? null;
}

function termsIn(list: readonly unknown[]): string | null | undefined {
  const isTexts = list.every(term => typeof term === 'string' && term.isWellFormed());
  return isTexts ? list.join(', ') || undefined : null;
}

/** Returns the trimmed text of a cell; of a JSON string, its value. */
export function cellText(cell: string, { format }: Pick<CellFormat, 'format'>): string {
  if (format === 'sheet') return writtenText(cell).trim();
  return format === 'json' ? writtenText(cell) : cell.trim();
}

/** In a workbook, a value that is not a text is exact, whatever the texts of its column look like. */
export function cellFormatOf(cell: string, format: CellFormat): CellFormat {
  return format.format === 'sheet' && !cell.startsWith('"') ? EXACT : format;
}

const EXACT: CellFormat = { format: 'sheet', decimal: '.', isProven: true };

/** Whether a cell of a workbook is a formula without a value or with an error. */
export function isFormula(cell: string, { format }: Pick<CellFormat, 'format'>): boolean {
  return format === 'sheet' && /^(?:[=#]|Err:)/.test(cell);
}

const WHOLE = /^-?(0|[1-9]\d*)$/;

/** In CSV, one or two zeros may follow the decimal sign. Three may mean a thousand. */
function parseInteger(text: string, { format }: CellFormat): number | undefined {
  if (WHOLE.test(text)) return Number(text);
  const digits = text.replace(/[.,]00?$/, '');
  return format !== 'json' && WHOLE.test(digits) ? Number(digits) : undefined;
}

/** In workbooks and CSV, the 0 before the decimal sign may be missing; after a point, also the digits. */
const decimals = {
  '.': /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)$/,
  ',': /^-?(?:0|[1-9]\d*|(?=,))(?:,\d+)?$/,
};

function parseDecimal(text: string, { decimal, isProven }: CellFormat): number | undefined {
  if (!decimals[decimal].test(text) || (!isProven && isAmbiguous(text.replace('+', '')))) return undefined;
  return Number(text.replace(',', '.'));
}

/** Accepts up to 15 significant digits, which every JSON reader keeps exact (IEEE 754 doubles). */
function parsePrice(text: string, format: CellFormat): number | undefined {
  if (text.length < 10) return parseDecimal(text, format);
  const [, fraction = ''] = text.split(format.decimal);
  const significant = text.replace(/^[-+0.,]+|[.,]/g, '');
  return fraction.length <= 8 && significant.length <= 15 ? parseDecimal(text, format) : undefined;
}

/** Accepts any letter case and full-width letters, which East Asian programs write. */
function parseFlag(text: string, { format }: CellFormat): boolean | undefined {
  if (format === 'json') return boolean.parse(text);
  const word = text.normalize('NFKC').toLowerCase();
  return booleanWords.true.includes(word) || (booleanWords.false.includes(word) ? false : undefined);
}

function parseText(text: string, { format }: CellFormat): string | undefined {
  if (format !== 'json' && FORMULA_ERROR.test(text)) return undefined;
  return text.isWellFormed() ? text : undefined;
}

/** The words for true and false in CSV, in lower case. Each means the same in every language. */
export const booleanWords: Readonly<Record<'true' | 'false', readonly string[]>> = {
  true: [
    ...['true', '1', '1.0', '1,0', 'yes', 'y', 'on', 'x'],
    ...['wahr', 'ja', 'vrai', 'oui', 'verdadero', 'sí', 'si', 'vero', 'verdadeiro', 'sim', 'waar'],
    ...['prawda', 'sand', 'sann', 'sant', 'tosi', 'kyllä', 'já', 'истина', 'да', '真', '是'],
  ],
  false: [
    ...['false', '0', '0.0', '0,0', 'no', 'n', 'off'],
    ...['falsch', 'nein', 'faux', 'non', 'falso', 'não', 'onwaar'],
    ...['fałsz', 'falsk', 'falskt', 'usann', 'epätosi', 'nej', 'nei', 'ei', 'ложь', 'нет', '假', '否'],
  ],
};

const UNIX_TIME = /^([1-9]\d{8,})(?:[.,]0+)?$/;
const COMPACT_TIME = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?$/;
const DATE = /^(?=\d+(?:-\d+-|\/\d+\/))(\d{4})[-/](\d{1,2})[-/](\d{1,2})/;
const CLOCK = /[ T](\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?/;
const OFFSET = / ?(?:Z|([+-])(0\d|1[0-4])(?::?([0-5]\d))?)/;
const WRITTEN_TIME = new RegExp(`${DATE.source}(?:${CLOCK.source}(${OFFSET.source})?)?$`, 'i');

/**
 * Parses a time to Unix seconds: a date with the year first, alone or with a time of day and perhaps an offset; or Unix
 * seconds. Returns undefined for any other text, and for numbers that may be years, days or dates.
 */
export function parseTimeCell(text: string, zone: TimeZone): number | undefined {
  const [, seconds] = UNIX_TIME.exec(text) ?? [];
  if (seconds !== undefined) return parseCompactTime(seconds) === undefined ? Number(seconds) : undefined;
  const written = parseWrittenTime(text);
  if (!written) return undefined;
  const { local, offset } = written;
  return offset === undefined ? zone.toInstant(local) : local - offset;
}

/** Returns the local time, in seconds as if in UTC, if the zone skips it. `instant` is that of {@link parseTimeCell}. */
export function skippedTime(text: string, instant: number, zone: TimeZone): number | undefined {
  const written = parseWrittenTime(text);
  if (written === undefined || written.offset !== undefined) return undefined;
  return zone.toLocal(instant) === written.local ? undefined : written.local;
}

/** Returns the `local` time, in seconds as if in UTC, and its `offset` in seconds; undefined without one. */
export function parseWrittenTime(text: string) {
  const [, ...parts] = WRITTEN_TIME.exec(text) ?? [];
  const local = localTime(parts.slice(0, 6));
  if (local === undefined) return undefined;
  const [suffix, sign, hours = '0', minutes = '0'] = parts.slice(6);
  if (suffix === undefined) return { local, offset: undefined };
  const size = Number(hours) * 3600 + Number(minutes) * 60;
  return { local, offset: sign === '-' ? -size : size };
}

/** Whether a text has the form of a date with the year first, even if there is no such time. */
export function isWrittenTime(text: string): boolean {
  return WRITTEN_TIME.test(text);
}

/** Parses digits such as 20260331 or 202603311800 to a local time in seconds; undefined if they are no date since 1970. */
export function parseCompactTime(digits: string): number | undefined {
  const local = localTime(COMPACT_TIME.exec(digits)?.slice(1) ?? []);
  return local !== undefined && local >= 0 ? local : undefined;
}
