import { TypeCompiler } from '@sinclair/typebox/compiler';
import {
  type CatalogName,
  type Column,
  catalogNames,
  catalogs,
  columnNamesOf,
  columnsOf,
  type ReferredCatalog,
  type Row,
} from '../contract/columns.ts';
import type { Reporter } from '../contract/problems.ts';
import { type AmbiguousNumber, decimalStyle, isAmbiguous, isDecimal } from '../formats/decimals.ts';
import { type CatalogFile, type CsvOptions, parseFile } from '../formats/formats.ts';
import {
  cellOf,
  columnsIn,
  knownHeadings,
  placeIn,
  type RawRow,
  standInOf,
  type Table,
} from '../formats/table.ts';
import { excerpt } from '../messages.ts';
import type { TimeZone } from '../time-zone.ts';
import { type CellFormat, cellText, formatOf, parseCell } from './cells/cells.ts';
import { hintFor, missingValueHint } from './cells/hints.ts';
import {
  idOf,
  idOfChoice,
  isChoice,
  isMeantAsName,
  type NamesOf,
  nameIn,
  readNumbers,
  reportName,
} from './cells/references.ts';
import { openStandIns } from './cells/stand-ins.ts';
import { canWarn, warnOfRow } from './cells/warnings.ts';

/** A catalog with the rows of all its files. */
export interface ValidatedCatalog<Name extends CatalogName> {
  /** One for each file that can be parsed. */
  tables: ValidatedTable[];
  /** All rows, with missing and invalid values undefined. Cross-checks use these. */
  entries: Entry<Name>[];
  /** The valid rows: all of them, if no error was reported. */
  rows: Row<Name>[];
}

/** The catalogs of a set, except those without a file that can be parsed. */
export type ValidatedCatalogs = { [Name in CatalogName]?: ValidatedCatalog<Name> | undefined };

interface ValidatedTable {
  table: Table;
  /** Whether numbers are read with a decimal comma. */
  hasDecimalComma: boolean;
  /** The columns that it has, also those of other systems that are read; and those of them in which no row has a value. */
  columns: string[];
  empty: string[];
}

/** How the catalogs of a set are validated. */
export interface Validation {
  options: CsvOptions;
  zone: TimeZone;
  /** Whether an ambiguous number is read as a decimal. */
  accepts(number: AmbiguousNumber): boolean;
  namesOf: NamesOf;
  report: Reporter;
}

/**
 * Parses and validates the files of a catalog, and empties their contents. Undefined if it has none that can be parsed.
 * Calls `onRow` for each row, with the number of bytes of the files up to its end.
 */
export async function validateCatalog<Name extends CatalogName>(
  name: Name,
  files: readonly CatalogFile[],
  validation: Validation,
  onRow: (bytes: number) => void = () => {},
): Promise<ValidatedCatalog<Name> | undefined> {
  const catalog: ValidatedCatalog<Name> = { tables: [], entries: [], rows: [] };
  let readBytes = 0;
  for (const file of files.filter(file => file.catalog === name && !file.isTwice)) {
    const table = await parseFile(file, validation.options, validation.report);
    const onPart = (part: number) => onRow(readBytes + part * file.bytes);
    if (table) addTable(name, table, validation, catalog, onPart);
    readBytes += file.bytes;
  }
  return catalog.tables.length > 0 ? catalog : undefined;
}

export interface Entry<Name extends CatalogName> {
  table: Table;
  raw: RawRow;
  row: { [Column in keyof Row<Name>]?: Row<Name>[Column] | undefined };
}

/** Replaces the cells of a row once they are parsed, since they take as much memory as the values. */
const NO_CELLS: readonly string[] = [];

/** A column of a table, and how its cells are written. */
interface TableColumn extends Column, CellFormat {}

/** A column with the ids or the names of rows of another catalog, or with both together. */
interface ReferenceColumn extends TableColumn {
  target: ReferredCatalog;
  holds: ReturnType<typeof readNumbers> | 'choices';
}

/**
 * Parses every cell of a table by the type of its column, and checks every row against the schema of the catalog. Calls
 * `onRow` for each row, with the part of the rows up to it, from 0 to 1.
 */
function addTable<Name extends CatalogName>(
  name: Name,
  table: Table,
  validation: Validation,
  { tables, entries, rows }: ValidatedCatalog<Name>,
  onRow: (part: number) => void,
): void {
  const { zone, accepts, namesOf, report } = validation;
  const columns = columnsOf(name).map(column => tableColumn(table, column));
  const warnable = columns.filter(canWarn);
  const referring = columns.flatMap(column => referenceColumn(table, column, zone, namesOf));
  const { fillIn, filled } = openStandIns(columns, table, zone, namesOf, report);
  const acceptsCell = ({ id }: Record<string, unknown>, column: string, value: number) =>
    accepts({ catalog: name, id, column, value });
  const checker = TypeCompiler.Compile(catalogs[name].row);
  const isValid = (row: unknown): row is Row<Name> => checker.Check(row);
  const noValues = Object.fromEntries(columns.map(({ name }) => [name, undefined]));
  const isFilled = columns.map(() => false);
  const required = columns.filter(column => column.required).map(({ name }) => name);
  const reportRow = (row: Record<string, unknown>, raw: RawRow) => {
    const invalid = new Set(Array.from(checker.Errors(row), error => error.path.slice(1)));
    for (const column of columns.filter(({ name }) => invalid.has(name))) {
      reportCell(table, raw, column, row[column.name], namesOf, report);
      delete row[column.name];
    }
  };
  const container = table.sheet === undefined ? 'file' : 'sheet';
  let names: RawRow['names'] | undefined;
  let places: number[] = [];
  for (const [index, raw] of table.rows.entries()) {
    onRow((index + 1) / table.rows.length);
    // Most rows have the same names as the one before.
    if (raw.names !== names) places = columns.map(({ name }) => raw.names.lastIndexOf(name));
    names = raw.names;
    const row = parseRow(raw, places, columns, noValues, isFilled, zone, acceptsCell);
    resolveNames(row, raw, referring, namesOf);
    const valid = raw.matchesHeader && isValid(row);
    if (!valid && beginsTable(raw, table)) {
      const message = `this row has the headings of another table: move that table to another ${container}`;
      report(placeIn(table, raw), 'NOT_A_ROW', message);
      // The rows below it may be those that others refer to.
      table.complete = false;
      break;
    }
    if (raw.matchesHeader && !valid && isNote(row, raw, table, required)) {
      const filled = raw.cells.filter(cell => cellText(cell, table) !== '').map(cell => quote(cell, table));
      const message = `this row has only ${filled.join(' and ')}: if it is a total or a note, delete it, or move it to another ${container}`;
      report(placeIn(table, raw), 'NOT_A_ROW', message);
      continue;
    }
    table.check?.(raw);
    if (raw.matchesHeader) {
      fillIn(row, raw);
      warnOfRow(table, raw, warnable, row, zone, report);
      if (valid) rows.push(row);
      else reportRow(row, raw);
    }
    // Without the invalid values, the row is of the schema's types. Rows that refer to one with too few cells are not at fault.
    const values = raw.matchesHeader ? row : { id: row.id ?? undefined };
    entries.push({ table, raw, row: values as Partial<Row<Name>> });
    raw.cells = NO_CELLS;
  }
  const hasDecimalComma = columns.some(
    ({ decimal, isProven, name }) => decimal === ',' && isProven && table.header?.has(name),
  );
  const present = columnsIn(table);
  const own = columns.map(({ name }) => name);
  const foreign = own.includes('hidden') ? Array.from(present, name => standInOf(name) ?? '') : [];
  const has = [...own.filter(name => present.has(name)), ...foreign.filter(Boolean)];
  const empty = has.filter(name => !isFilled[own.indexOf(name)] && !filled.has(name));
  tables.push({ table, hasDecimalComma, columns: has, empty });
}

/** The columns of each catalog. */
const known = catalogNames.map(columnNamesOf);

/** Whether a row has the headings of a table below the table, such as of another catalog. */
function beginsTable({ cells, number }: RawRow, table: Table): boolean {
  if (number === undefined) return false;
  const texts = cells.map(cell => cellText(cell, table)).filter(text => text !== '');
  return texts.length > 1 && known.some(names => knownHeadings(texts, names) === texts.length);
}

/** Whether a row seems to be a total or a note below the table: it has no id, and few values of those that it needs. */
function isNote(
  row: Readonly<Record<string, unknown>>,
  { cells, number }: RawRow,
  table: Table,
  required: readonly string[],
): boolean {
  const filled = cells.filter(cell => cellText(cell, table) !== '').length;
  if (number === undefined || !table.complete || filled === 0 || typeof row.id === 'number') return false;
  const isMissing = required.some(name => name !== 'id' && row[name] === undefined);
  // Without a text in place of the id, cells above may be merged, or a column has moved down.
  return row.id === null
    ? isMissing && filled <= Math.ceil(required.length / 2)
    : filled === 1 && cells.some(cell => /\p{L}/u.test(cellText(cell, table)));
}

function tableColumn(table: Table, column: Column): TableColumn {
  const { format, decimal } = table;
  const style = isDecimal(column) ? decimalStyle(table, column.name) : { decimal, isProven: true };
  return { ...column, format, ...style };
}

/**
 * Parses the cells at these places, one for each column. All rows are copies of the same one without values, so that they share
 * one V8 hidden class. Notes which columns have a value.
 */
function parseRow(
  { cells }: RawRow,
  places: readonly number[],
  columns: readonly TableColumn[],
  noValues: Readonly<Record<string, unknown>>,
  isFilled: boolean[],
  zone: TimeZone,
  acceptsCell: (row: Record<string, unknown>, column: string, value: number) => boolean,
): Record<string, unknown> {
  const row: Record<string, unknown> = { ...noValues };
  let index = 0;
  for (const column of columns) {
    const { name, schema, isProven } = column;
    const cell = cells[places[index] ?? -1];
    let value = parseCell(cell, column, schema.cellType ?? 'text', zone);
    if (value !== undefined) isFilled[index] = true;
    index += 1;
    if (value === null && !isProven && cell) {
      const text = cellText(cell, column);
      const decimal = Number(text.replace(',', '.'));
      if (isAmbiguous(text) && acceptsCell(row, name, decimal)) value = decimal;
    }
    row[name] = value === undefined || value === schema.none ? schema.default : value;
  }
  return row;
}

function referenceColumn(
  table: Table,
  column: TableColumn,
  zone: TimeZone,
  namesOf: NamesOf,
): ReferenceColumn[] {
  const { references, choices } = column.schema;
  if (choices) return [{ ...column, target: choices, holds: 'choices' }];
  if (!references) return [];
  function* numbers() {
    for (const raw of table.rows) {
      const cell = cellOf(raw, column.name) ?? '';
      const id = parseCell(cell, column, 'id', zone);
      const name = nameIn(cell, column);
      // In JSON, a number is an id and a text is a name.
      if (typeof id === 'number' && name !== undefined) yield { id, name };
    }
  }
  return [{ ...column, target: references, holds: readNumbers(numbers, namesOf(references)) }];
}

/** Replaces names in columns of ids. What is no id is no value yet; nor is a number that may be the name of another row. */
function resolveNames(
  row: Record<string, unknown>,
  raw: RawRow,
  columns: readonly ReferenceColumn[],
  namesOf: NamesOf,
): void {
  for (const column of columns) {
    const { target, holds } = column;
    const value = row[column.name];
    if (value === undefined || (value !== null && (holds === 'ids' || holds === 'choices'))) continue;
    const name = nameIn(cellOf(raw, column.name) ?? '', column);
    const find = holds === 'choices' ? idOfChoice : idOf;
    const id = name === undefined ? undefined : find(name, namesOf(target));
    if (id === undefined || id === value) continue;
    row[column.name] = value !== null && holds === 'either' ? null : id;
  }
}

/** A column that is missing from the header is reported there, and not again for every row. */
function reportCell(
  table: Table,
  raw: RawRow,
  column: TableColumn,
  value: unknown,
  namesOf: NamesOf,
  report: Reporter,
): void {
  const { name } = column;
  const { references, choices } = column.schema;
  if (table.header && !table.header.has(name)) return;
  const cell = cellOf(raw, name) ?? '';
  const place = placeIn(table, raw, name);
  if (value === undefined) {
    report(place, 'MISSING_VALUE', `${name} is missing: ${missingValueHint(column, column)}`);
    return;
  }
  const { code, fault, remedy } = hintFor(column, cell, formatOf(cell, column));
  const written = references && fault === '' ? nameIn(cell, table) : undefined;
  const names = references && namesOf(references);
  if (choices && isChoice(cellText(cell, table))) {
    const message = `${name} ${quote(cell, table)} is not the id and the name of a configuration: choose one again, or write its id alone`;
    report(place, 'UNKNOWN_REFERENCE', message);
  } else if (references && written !== undefined && isMeantAsName(written, names))
    reportName(place, name, written, references, names, report);
  else report(place, code, `${name} ${quote(cell, table)}${fault}: ${remedy}`);
}

/** The beginning of a cell in quotes, on one line. */
function quote(cell: string, { format }: Table): string {
  const beginning = cell.slice(0, 100);
  const isPlain = format === 'csv' || format === 'markdown';
  return excerpt(isPlain ? JSON.stringify(beginning) : beginning.replace(/\s+/g, ' '));
}
