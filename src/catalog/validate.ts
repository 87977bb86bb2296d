import { TypeCompiler } from '@sinclair/typebox/compiler';
import { adviceFor } from './advice.ts';
import { kinds, readCell } from './cells.ts';
import { excerpt, type Report } from './problems.ts';
import { type CatalogName, type Column, catalogs, columnsOf, type Row } from './schemas.ts';
import type { RawRow, Table } from './table.ts';
import type { TimeZone } from './time-zone.ts';

/** The rows of one catalog after reading: all that could be read of each, and those that are wholly valid. */
export interface Sheet<Name extends CatalogName> {
  table: Table;
  /** Every row of the table; what is absent or invalid of it is undefined. Cross-checks go by these. */
  entries: Entry<Name>[];
  /** The valid rows; all of them, where no error was reported. */
  rows: Row<Name>[];
}

interface Entry<Name extends CatalogName> {
  raw: RawRow;
  row: Partial<Row<Name>>;
}

/** Reads every cell by its column's kind and checks every row against the catalog's schema. */
export function validate<Name extends CatalogName>(
  name: Name,
  table: Table,
  zone: TimeZone,
  report: Report,
): Sheet<Name> {
  const columns = columnsOf(name);
  const checker = TypeCompiler.Compile(catalogs[name].row);
  const isRow = (row: unknown): row is Row<Name> => checker.Check(row);

  const sheet: Sheet<Name> = { table, entries: [], rows: [] };
  for (const raw of table.rows) {
    const row = readRow(raw, table, columns, zone);
    if (!raw.whole) {
      // Rows of other catalogs may refer to it, and are not to be blamed for its fault.
      sheet.entries.push({ raw, row: { id: row.id ?? undefined } as Partial<Row<Name>> });
    } else if (isRow(row)) {
      sheet.rows.push(row);
      sheet.entries.push({ raw, row });
    } else {
      const wrong = new Set(Array.from(checker.Errors(row), error => error.path.slice(1)));
      for (const column of columns.filter(column => wrong.has(column.name))) {
        reportCell(table, raw, column, row[column.name], report);
        delete row[column.name];
      }
      // What is left, without the wrong values, is of the schema's types.
      sheet.entries.push({ raw, row: row as Partial<Row<Name>> });
    }
  }
  return sheet;
}

/** Every row has all columns in one order, so that V8 gives all of them one shape. */
function readRow(raw: RawRow, table: Table, columns: Column[], zone: TimeZone): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const { name, schema } of columns) {
    const value = readCell(raw.cells.get(name), table, schema.kind ?? 'text', zone);
    row[name] = value === undefined ? schema.default : value;
  }
  return row;
}

/** A column that the header lacks was told with the header, and not for every row again. */
function reportCell(table: Table, raw: RawRow, column: Column, value: unknown, report: Report): void {
  if (table.header && !table.header.has(column.name)) return;
  const kind = column.schema.kind ?? 'text';
  const cell = raw.cells.get(column.name) ?? '';
  const place = table.place(raw, column.name);
  if (value === undefined) {
    report(place, 'MISSING_VALUE', `${column.name} is missing: write ${kinds[kind].write}`);
  } else {
    const { code, write } = adviceFor(kind, cell, table.decimal);
    report(place, code, `${column.name} ${quote(cell, table)}: write ${write}`);
  }
}

/** A cell as it stands in the file, in quotes, on one line. */
function quote(cell: string, { notation }: Table): string {
  return excerpt(notation === 'csv' ? JSON.stringify(cell) : cell.replace(/\s+/g, ' '));
}
