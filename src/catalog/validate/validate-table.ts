import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type CatalogName, type Column, catalogs, columnsOf, type Row } from '../../contract/columns.ts';
import { excerpt } from '../../messages.ts';
import { formatLocal, type TimeZone } from '../../time-zone.ts';
import type { Reporter } from '../problems/problems.ts';
import { cellOf, type RawRow, type Table } from '../read/table.ts';
import { expectedValue, hintFor } from './cell-hints.ts';
import { cellText, cellTypes, parseCell } from './cell-types.ts';
import { skippedTime } from './time-cell.ts';

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
  const timeColumns = columns.filter(
    ({ schema }) => cellTypes[schema.cellType ?? 'text'].code === 'BAD_TIME',
  );
  const checker = TypeCompiler.Compile(catalogs[name].row);
  const isValid = (row: unknown): row is Row<Name> => checker.Check(row);
  const entries: Entry<Name>[] = [];
  const rows: Row<Name>[] = [];
  for (const raw of table.rows) {
    const row = parseRow(raw, table, columns, zone);
    if (raw.matchesHeader) {
      for (const { name } of timeColumns) warnIfSkipped(table, raw, name, row[name], zone, report);
    }
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

/** Warns of a local time that the clocks skip: another one is served. */
function warnIfSkipped(
  table: Table,
  raw: RawRow,
  column: string,
  value: unknown,
  zone: TimeZone,
  report: Reporter,
): void {
  const cell = cellOf(raw, column);
  if (cell === undefined || typeof value !== 'number') return;
  const skipped = skippedTime(cellText(cell, table), value, zone);
  if (skipped === undefined) return;
  const message = `${column} ${formatLocal(skipped)} does not exist in ${zone.name}, because the clocks go forward: ${zone.format(value)} is served; write the time that you mean`;
  report(() => table.locate(raw, column), 'SKIPPED_TIME', message);
}

/** The beginning of a cell in quotes, on one line. */
function quote(cell: string, { format }: Table): string {
  const beginning = cell.slice(0, 100);
  return excerpt(format === 'csv' ? JSON.stringify(beginning) : beginning.replace(/\s+/g, ' '));
}
