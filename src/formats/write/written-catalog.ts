import type { CatalogName, Column } from '../../contract/columns.ts';
import { rfc3339, type TimeZone } from '../../time-zone.ts';

/** A value of a cell; undefined for an empty one. A local time is a `Date` with its numbers in UTC, as spreadsheets have it. */
export type WrittenValue = string | number | boolean | Date | undefined;

/** A catalog as it is written to a file. */
export interface WrittenCatalog {
  catalog: CatalogName;
  columns: Column[];
  /** A value for each column. */
  rows: WrittenValue[][];
}

/** The value that a file has for a value of a parsed row: reading it in the same zone gives the same. */
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
  // The second one of a repeated hour cannot be written as a local time.
  return zone.toInstant(local) === value ? new Date(local * 1000) : rfc3339(value);
}
