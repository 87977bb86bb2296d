import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type CatalogName, type Column, catalogs, columnsOf, type Row } from '../../contract/columns.ts';
import { excerpt } from '../../messages.ts';
import type { TimeZone } from '../../time-zone.ts';
import type { Reporter } from '../problems/problems.ts';
import { cellOf, type RawRow, type Table } from '../read/table.ts';
import { expectedValue, hintFor } from './cell-hints.ts';
import { parseCell } from './cell-types.ts';
import { damageIn } from './damaged-text.ts';

/** A table with its rows parsed and checked. */
export interface ValidatedTable<Name extends CatalogName> {
  table: Table;
  /** All rows, with missing and invalid values undefined. Cross-checks use these. */
  entries: Entry<Name>[];
  /** The valid rows: all of them, if no error was reported. */
  rows: Row<Name>[];
}

interface Entry<Name extends CatalogName> {
  raw: RawRow;
  row: Partial<Row<Name>>;
}

/** The tables of a set, except those without a file that can be parsed. */
export type ValidatedTables = { [Name in CatalogName]?: ValidatedTable<Name> | undefined };

/** Replaces the cells of a row once they are parsed, since they take as much memory as the values. */
const NO_CELLS: readonly string[] = [];

/** Parses every cell by the type of its column, and checks every row against the schema of the catalog. */
export function validateTable<Name extends CatalogName>(
  name: Name,
  table: Table,
  zone: TimeZone,
  report: Reporter,
): ValidatedTable<Name> {
  const columns = columnsOf(name);
  const checker = TypeCompiler.Compile(catalogs[name].row);
  const isValid = (row: unknown): row is Row<Name> => checker.Check(row);
  const entries: Entry<Name>[] = [];
  const rows: Row<Name>[] = [];
  for (const raw of table.rows) {
    const row = parseRow(raw, table, columns, zone);
    if (!raw.matchesHeader) {
      // Keep the id: rows of other catalogs that refer to it are not at fault.
      entries.push({ raw, row: { id: row.id ?? undefined } as Partial<Row<Name>> });
    } else if (isValid(row)) {
      rows.push(row);
      entries.push({ raw, row });
    } else {
      const invalid = new Set(Array.from(checker.Errors(row), error => error.path.slice(1)));
      for (const column of columns.filter(column => invalid.has(column.name))) {
        reportCell(table, raw, column, row[column.name], report);
        delete row[column.name];
      }
      // Without the invalid values, the row is of the schema's types.
      entries.push({ raw, row: row as Partial<Row<Name>> });
    }
    if (raw.matchesHeader) warnOfDamage(table, raw, columns, row, report);
    raw.cells = NO_CELLS;
  }
  return { table, entries, rows };
}

/** All rows have the same keys in the same order, so that they share one V8 hidden class. */
function parseRow(raw: RawRow, table: Table, columns: Column[], zone: TimeZone): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const { name, schema } of columns) {
    const value = parseCell(cellOf(raw, name), table, schema.cellType ?? 'text', zone);
    row[name] = value === undefined ? schema.default : value;
  }
  return row;
}

/** A column that is missing from the header is reported there, and not again for every row. */
function reportCell(table: Table, raw: RawRow, column: Column, value: unknown, report: Reporter): void {
  const { name } = column;
  if (table.header && !table.header.has(name)) return;
  const cell = cellOf(raw, name) ?? '';
  const location = table.locate(raw, name);
  if (value === undefined) {
    report(location, 'MISSING_VALUE', `${name} is missing: write ${expectedValue(column, table)}`);
  } else {
    const { code, fault, remedy } = hintFor(column, cell, table);
    report(location, code, `${name} ${quote(cell, table)}${fault}: ${remedy}`);
  }
}

/** Warns of valid text that an encoding has damaged. */
function warnOfDamage(
  table: Table,
  raw: RawRow,
  columns: Column[],
  row: Record<string, unknown>,
  report: Reporter,
): void {
  for (const { name, schema } of columns) {
    const value = row[name];
    if (typeof value !== 'string' || (schema.cellType !== 'text' && schema.cellType !== 'fileName')) continue;
    const damage = damageIn(value);
    if (!damage) continue;
    const message = `${name} ${damage}: type it again, or restore it from a file that was saved as UTF-8`;
    report(() => table.locate(raw, name), 'DAMAGED_TEXT', message);
  }
}

/** The beginning of a cell in quotes, on one line. */
function quote(cell: string, { format }: Table): string {
  const beginning = cell.slice(0, 100);
  return excerpt(format === 'csv' ? JSON.stringify(beginning) : beginning.replace(/\s+/g, ' '));
}
