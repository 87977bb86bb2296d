import type { ProblemCode } from './problems.ts';
import { durationUnits } from './schemas.ts';
import type { Table } from './table.ts';
import type { TimeZone } from './time-zone.ts';

/**
 * The kinds of column: in which JSON form a value comes, how its text is read, and what an editor is told to write
 * where it cannot be read or is outside of the schema's bounds. `read` returns undefined for what is not of the kind.
 */
export const kinds = {
  id: { code: 'BAD_ID', json: 'bare', write: 'a whole number from 1, such as 12', read: wholeNumber },
  count: { code: 'BAD_NUMBER', json: 'bare', write: 'a whole number, such as 10', read: wholeNumber },
  size: { code: 'BAD_NUMBER', json: 'bare', write: 'a positive number, such as 4 or 0.5', read: decimal },
  price: {
    code: 'BAD_NUMBER',
    json: 'bare',
    write: 'a decimal such as 12.50',
    read: price,
  },
  flag: { code: 'BAD_BOOLEAN', json: 'bare', write: 'true or false', read: flag },
  time: {
    code: 'BAD_TIME',
    json: 'any',
    write: 'a time such as 2026-03-31 18:00:00, or Unix seconds',
    read: (text, _form, zone) => wholeNumber(text) ?? zone.parse(text),
  },
  unit: {
    code: 'BAD_UNIT',
    json: 'quoted',
    write: `one of ${durationUnits.join(', ')}`,
    read: word => word,
  },
  text: { code: 'BAD_TEXT', json: 'quoted', write: 'a text', read: wellFormed },
  fileName: {
    code: 'BAD_FILE_NAME',
    json: 'quoted',
    write: 'the name of a file in the images directory, such as launch.webp',
    read: wellFormed,
  },
} as const satisfies Record<string, CellKind>;

/** How a table writes its cells. */
type Notation = Pick<Table, 'notation' | 'decimal'>;

interface CellKind {
  code: ProblemCode;
  json: 'bare' | 'quoted' | 'any';
  write: string;
  read(text: string, form: Notation, zone: TimeZone): unknown;
}

export type Kind = keyof typeof kinds;

/**
 * Reads a cell as its column's kind. Returns undefined where the cell is absent (an empty text, JSON null), and null,
 * which no schema admits, where it cannot be read.
 */
export function readCell(cell: string | undefined, form: Notation, kindName: Kind, zone: TimeZone): unknown {
  const kind: CellKind = kinds[kindName];
  if (cell === undefined) return undefined;
  if (form.notation === 'csv') {
    const text = kind.json === 'quoted' ? cell : cell.trim();
    return text === '' ? undefined : (kind.read(text, form, zone) ?? null);
  }
  if (cell === 'null' || cell === '""') return undefined;
  const quoted = cell.startsWith('"');
  if (kind.json !== 'any' && quoted !== (kind.json === 'quoted')) return null;
  return kind.read(quoted ? String(JSON.parse(cell)) : cell, form, zone) ?? null;
}

function wholeNumber(text: string): number | undefined {
  return /^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : undefined;
}

const decimals = { '.': /^-?(0|[1-9]\d*)(\.\d+)?$/, ',': /^-?(0|[1-9]\d*)(,\d+)?$/ };

function decimal(text: string, { decimal: sign }: Notation): number | undefined {
  return decimals[sign].test(text) ? Number(text.replace(',', '.')) : undefined;
}

/** At most 15 significant digits: as many as every JSON reader gets back from the number unchanged (IEEE 754 doubles). */
function price(text: string, form: Notation): number | undefined {
  const [, fraction = ''] = text.split(form.decimal);
  const significant = text.replace(/^[-0.,]+|[.,]/g, '');
  return fraction.length <= 8 && significant.length <= 15 ? decimal(text, form) : undefined;
}

function flag(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (word === 'true' || word === '1' || word === 'yes') return true;
  if (word === 'false' || word === '0' || word === 'no') return false;
  return undefined;
}

/** Half a surrogate pair is no character: it could not be written as UTF-8. */
function wellFormed(text: string): string | undefined {
  return text.isWellFormed() ? text : undefined;
}
