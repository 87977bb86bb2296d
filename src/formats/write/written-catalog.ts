import { type CatalogName, type Column, EXTRA, extraColumn } from '../../contract/columns.ts';
import { rfc3339, type TimeZone } from '../../time-zone.ts';
import { FORMULA_ERROR } from '../table.ts';

/** The value of a cell; undefined if it is empty. A local time is a `Date` whose UTC fields are the local ones. */
export type WrittenValue = string | number | boolean | Date | undefined;

export interface WrittenCatalog {
  catalog: CatalogName;
  /** The last one may be `extra`, with own fields as JSON. */
  columns: Column[];
  /** Each has a value for each column. */
  rows: WrittenValue[][];
}

/** Turns own fields into columns. Undefined if a table cannot express them, since a cell would not be read as the value. */
export function asTable({ catalog, columns, rows }: WrittenCatalog): WrittenCatalog | undefined {
  if (columns.at(-1)?.name !== EXTRA) return { catalog, columns, rows };
  const fields = rows.map(
    row => new Map(Object.entries<WrittenValue>(JSON.parse(String(row.at(-1) ?? '{}')))),
  );
  const all = fields.flatMap(own => [...own]);
  const isCell = (value: WrittenValue) =>
    typeof value === 'string' && value !== '' && !value.includes('\0') && !FORMULA_ERROR.test(value);
  if (!all.every(([, value]) => isCell(value))) return undefined;
  const names = [...new Set(all.map(([name]) => name))];
  const own = names.map(name => extraColumn(`${EXTRA}.${name}`));
  const cells = rows.map((row, at) => [...row.slice(0, -1), ...names.map(name => fields[at]?.get(name))]);
  return { catalog, columns: [...columns.slice(0, -1), ...own], rows: cells };
}

/** Turns a parsed value into one to write. Reading it in the same time zone gives the same value. */
export function writtenValue(
  value: string | number | boolean | undefined,
  { schema, required }: Column,
  zone: TimeZone,
): WrittenValue {
  if (value === '') return undefined;
  const isTime = schema.cellType === 'time' || schema.cellType === 'timeOrZero';
  if (!isTime || typeof value !== 'number') return value;
  if (value === 0 && !required) return undefined;
  const local = zone.toLocal(value);
  // The second pass of a repeated hour cannot be written as a local time.
  return zone.toInstant(local) === value ? new Date(local * 1000) : rfc3339(value);
}
