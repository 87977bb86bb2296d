import type { CatalogName, Column } from '../../contract/columns.ts';
import { rfc3339, type TimeZone } from '../../time-zone.ts';

/** The value of a cell; undefined if it is empty. A local time is a `Date` whose UTC fields are the local ones. */
export type WrittenValue = string | number | boolean | Date | undefined;

export interface WrittenCatalog {
  catalog: CatalogName;
  columns: Column[];
  /** Each has a value for each column. */
  rows: WrittenValue[][];
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
