import type { CatalogName, Row } from '../../contract/columns.ts';
import type { Reporter } from '../../contract/problems.ts';
import type { AmbiguousNumber } from '../../formats/decimals.ts';
import { type CatalogFile, type CsvOptions, parseFile } from '../../formats/formats.ts';
import type { TimeZone } from '../../time-zone.ts';
import type { NamesOf } from './references.ts';
import { type Entry, type ValidatedTable, validateTable } from './validate-table.ts';

/** A catalog with the rows of all its files. */
export interface ValidatedCatalog<Name extends CatalogName> {
  /** One for each file that can be parsed. */
  tables: ValidatedTable<Name>[];
  /** All rows, as in {@link ValidatedTable}. */
  entries: Entry<Name>[];
  /** The valid rows: all of them, if no error was reported. */
  rows: Row<Name>[];
}

/** The catalogs of a set, except those without a file that can be parsed. */
export type ValidatedCatalogs = { [Name in CatalogName]?: ValidatedCatalog<Name> | undefined };

/**
 * Parses and validates the files of a catalog, and empties their contents. Undefined if it has none that can be parsed.
 * Calls `onRow` for each row, with the number of bytes of the files up to its end.
 */
export async function validateCatalog<Name extends CatalogName>(
  name: Name,
  files: readonly CatalogFile[],
  options: CsvOptions,
  zone: TimeZone,
  report: Reporter,
  accepts: (number: AmbiguousNumber) => boolean,
  namesOf: NamesOf,
  onRow: (bytes: number) => void = () => {},
): Promise<ValidatedCatalog<Name> | undefined> {
  const tables: ValidatedTable<Name>[] = [];
  let readBytes = 0;
  for (const file of files.filter(({ catalog }) => catalog === name)) {
    const table = await parseFile(file, options, report, part => onRow(readBytes + part * file.bytes));
    readBytes += file.bytes;
    if (table) tables.push(validateTable(name, table, zone, report, accepts, namesOf));
  }
  const [first, ...others] = tables;
  if (!first) return undefined;
  // Most catalogs have one file, whose rows need no copy of their list.
  if (others.length === 0) return { tables, entries: first.entries, rows: first.rows };
  return {
    tables,
    entries: tables.flatMap(({ entries }) => entries),
    rows: tables.flatMap(({ rows }) => rows),
  };
}
