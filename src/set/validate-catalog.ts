import { TypeCompiler } from '@sinclair/typebox/compiler';
import {
  type CatalogName,
  type Column,
  catalogNames,
  catalogs,
  columnNamesOf,
  columnsOf,
  EXTRA,
  extraColumn,
  type FullRow,
  isExtra,
  type ReferredCatalog,
  type Row,
} from '../contract/columns.ts';
import type { Reporter } from '../contract/problems.ts';
import { type CatalogFile, type CsvOptions, parseFile } from '../formats/formats.ts';
import {
  type AmbiguousNumber,
  cellOf,
  columnsIn,
  decimalStyle,
  guardWordOf,
  isAmbiguous,
  knownHeadings,
  placeIn,
  type RawRow,
  readAs,
  type Table,
} from '../formats/table.ts';
import { excerpt } from '../messages.ts';
import type { TimeZone } from '../time-zone.ts';
import { type CellFormat, cellFormatOf, cellText, parseCell } from './cells/cells.ts';
import { openExtra } from './cells/extra.ts';
import { hintFor, missingIdHint, missingValueHint } from './cells/hints.ts';
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
import { openWarnings } from './cells/warnings.ts';

export interface ValidatedCatalog<Name extends CatalogName> {
  tables: ValidatedTable[];
  /** All rows, for cross-checks. Missing and invalid values are undefined. */
  entries: RowEntry<Name>[];
  /** The valid rows: all, if there are no errors. */
  rows: FullRow<Name>[];
}

/** The catalogs of a set that have a file that can be parsed. */
export type ValidatedCatalogs = { [Name in CatalogName]?: ValidatedCatalog<Name> | undefined };

interface ValidatedTable {
  table: Table;
  hasDecimalComma: boolean;
  /** The columns, including read ones of other programs, and those in which no row has a value. */
  columns: string[];
  empty: string[];
}

interface Validation {
  options: CsvOptions & { rules?: 1 | 2 | undefined };
  zone: TimeZone;
  accepts(number: AmbiguousNumber): boolean;
  namesOf: NamesOf;
  report: Reporter;
  /** Called for each row, with its approximate share of the bytes of the file. */
  onRow(bytes: number): void;
  onFile(file: string, length: number): void;
}

/** Parses and validates the files of a catalog. Returns undefined if none can be parsed. */
export async function validateCatalog<Name extends CatalogName>(
  name: Name,
  files: readonly CatalogFile[],
  validation: Validation,
): Promise<ValidatedCatalog<Name> | undefined> {
  const catalog: ValidatedCatalog<Name> = { tables: [], entries: [], rows: [] };
  for (const file of files.filter(file => file.catalog === name && !file.isTwice)) {
    validation.onFile(file.file, file.bytes);
    const table = await parseFile(file, validation.options, validation.report);
    if (table) addTable(name, table, validation, catalog, file.bytes / table.rows.length);
  }
  return catalog.tables.length > 0 ? catalog : undefined;
}

export interface RowEntry<Name extends CatalogName> {
  table: Table;
  raw: RawRow;
  row: { [Column in keyof Row<Name>]?: Row<Name>[Column] | undefined };
}

/** Replaces parsed cells, which take as much memory as the values. */
const NO_CELLS: readonly string[] = [];

/** A column of a table, the format of its cells, and how references are written. */
interface TableColumn extends Column, CellFormat {
  target: ReferredCatalog | undefined;
  holds: ReturnType<typeof readNumbers> | 'choices';
}

/** Parses every cell of a table, and checks every row against the schema. */
function addTable<Name extends CatalogName>(
  name: Name,
  table: Table,
  validation: Validation,
  { tables, entries, rows }: ValidatedCatalog<Name>,
  rowBytes: number,
): void {
  const { report, options } = validation;
  const isCurrent = options.rules !== 1;
  const fields = Array.from(table.header ?? []).filter(heading => isCurrent && isExtra(heading));
  const ours = columnsOf(name).filter(column => isCurrent || column.name !== 'valid_from');
  const all = [...ours, ...fields.map(extraColumn)];
  const columns = all.map(column => tableColumn(table, column, validation));
  const filled = new Set<string>();
  const fillIn = openStandIns(columns, table, validation, filled);
  const warnOf = openWarnings(columns, table, validation);
  const known = new Set(tables.flatMap(({ columns }) => columns.filter(isExtra)));
  const extraOf = openExtra(table, known, filled, report);
  const properties = Object.fromEntries(all.map(({ name, schema }) => [name, schema]));
  const checker = TypeCompiler.Compile({ ...catalogs[name].row, properties });
  const isValid = (row: unknown): row is FullRow<Name> => checker.Check(row);
  // Rows copied from one object share its V8 hidden class.
  const noValues = Object.fromEntries([...columns, { name: EXTRA }].map(({ name }) => [name, undefined]));
  const nextId = freeIds(entries, table);
  const reportRow = (row: Record<string, unknown>, raw: RawRow) => {
    const invalid = new Set(Array.from(checker.Errors(row), error => error.path.slice(1)));
    for (const column of columns.filter(({ name }) => invalid.has(name))) {
      reportCell(table, raw, column, row, validation, nextId);
      delete row[column.name];
    }
  };
  const required = columns.filter(column => column.required).map(({ name }) => name);
  const container = table.sheet === undefined ? 'file' : 'sheet';
  for (const raw of table.rows) {
    validation.onRow(rowBytes);
    const row: Record<string, unknown> = { ...noValues };
    for (const column of columns) {
      const cell = cellOf(raw, column.name);
      if (parseInto(row, column, cell, name, validation) !== undefined) filled.add(column.name);
    }
    const valid = raw.matchesHeader && isValid(row);
    if (!valid && beginsTable(raw, table)) {
      const message = `this row has the headings of another table: move that table to another ${container}`;
      report(placeIn(table, raw), 'NOT_A_ROW', message);
      // Rows below may be those that others refer to.
      table.complete = false;
      break;
    }
    if (!valid && isNote(row, raw, table, required)) {
      const cells = raw.cells.filter(cell => cellText(cell, table) !== '').map(cell => quote(cell, table));
      const message = `this row has only ${cells.join(' and ')}: if it is a total or a note, delete it, or move it to another ${container}`;
      report(placeIn(table, raw), 'NOT_A_ROW', message);
      continue;
    }
    table.check?.(raw);
    if (raw.matchesHeader) {
      fillIn(row, raw);
      warnOf(row, raw);
      if (!valid) reportRow(row, raw);
      if (isCurrent) row[EXTRA] = extraOf(row, raw);
      // A set that was served may lack an invalid value that no row needs.
      if (valid || isValid(row)) rows.push(row);
    }
    // Invalid values are undefined by now. Of a row with too few cells, only the id counts: other rows may refer to it.
    const values = raw.matchesHeader ? row : { id: row.id ?? undefined };
    entries.push({ table, raw, row: values as Partial<Row<Name>> });
    raw.cells = NO_CELLS;
  }
  const hasDecimalComma = columns.some(
    ({ decimal, isProven, name }) => decimal === ',' && isProven && table.header?.has(name),
  );
  const present = columnsIn(table);
  const own = columns.map(({ name }) => name);
  const words = [...present].map(guardWordOf).filter(word => readAs(word, own).length > 0) as string[];
  const named = [...own.filter(name => present.has(name)), ...words, ...[...filled].filter(isExtra)];
  const has = [...new Set(named)];
  tables.push({ table, hasDecimalComma, columns: has, empty: has.filter(name => !filled.has(name)) });
}

/** Returns a function that returns free ids. */
function freeIds(entries: readonly RowEntry<CatalogName>[], { rows }: Table): () => number {
  let last: number | undefined;
  return () => {
    const ids = last
      ? []
      : entries.map(({ row }) => row.id).concat(rows.map(raw => Number(cellOf(raw, 'id'))));
    // Ids such as 20260331 are dates.
    last = 1 + ids.reduce<number>((most, id = 0) => (id > most && id < 19_700_101 ? id : most), last ?? 0);
    return last;
  };
}

const known = catalogNames.map(columnNamesOf);

/** Whether a row looks like the headings of another table. */
function beginsTable({ cells, number }: RawRow, table: Table): boolean {
  if (number === undefined) return false;
  const texts = cells.map(cell => cellText(cell, table)).filter(text => text !== '');
  return texts.length > 1 && known.some(names => knownHeadings(texts, names) === texts.length);
}

/** Whether a row looks like a total or a note: it has no id, and few of the values that it needs. */
function isNote(
  row: Readonly<Record<string, unknown>>,
  { cells, number, matchesHeader }: RawRow,
  table: Table,
  required: readonly string[],
): boolean {
  const filled = cells.filter(cell => cellText(cell, table) !== '').length;
  // Other rows with too few cells may lack a delimiter.
  if (!matchesHeader && (cells.length > 1 || !/^[^,;|\t]*\p{L}[^,;|\t]*$/u.test(cells[0] ?? '')))
    return false;
  if (number === undefined || !table.complete || filled === 0 || typeof row.id === 'number') return false;
  const isMissing = required.some(name => name !== 'id' && row[name] === undefined);
  // If the id is empty, cells above may be merged, or a column may have moved down.
  return row.id === null
    ? isMissing && filled <= Math.ceil(required.length / 2)
    : filled === 1 && cells.some(cell => /\p{L}/u.test(cellText(cell, table)));
}

function tableColumn(table: Table, column: Column, { zone, namesOf }: Validation): TableColumn {
  const { format, decimal } = table;
  const { references, choices, cellType } = column.schema;
  const isDecimal = cellType === 'price' || cellType === 'size';
  const style = isDecimal ? decimalStyle(table, column.name) : { decimal, isProven: true };
  const found = { ...column, format, ...style, target: choices ?? references, holds: 'choices' } as const;
  if (choices || !references) return found;
  function* numbers() {
    for (const raw of table.rows) {
      const cell = cellOf(raw, column.name) ?? '';
      const id = parseCell(cell, found, 'id', zone);
      const name = nameIn(cell, found);
      // In JSON, numbers are ids and texts are names.
      if (typeof id === 'number' && name !== undefined) yield { id, name };
    }
  }
  return { ...found, holds: readNumbers(numbers, namesOf(references)) };
}

/**
 * Parses a cell of a row; the cells before it are already parsed. Returns undefined if it is empty, if it has a name instead of
 * an id, or if it has a number that may be the name of another row.
 */
function parseInto(
  row: Record<string, unknown>,
  column: TableColumn,
  cell: string | undefined,
  catalog: CatalogName,
  { zone, accepts, namesOf }: Validation,
): unknown {
  const { name, schema, isProven, target, holds } = column;
  const parsed = parseCell(cell, column, schema.cellType ?? 'text', zone);
  let value = parsed;
  if (value === null && !isProven && cell) {
    const text = cellText(cell, column);
    const decimal = Number(text.replace(',', '.'));
    if (isAmbiguous(text) && accepts({ catalog, id: row.id, column: name, value: decimal })) value = decimal;
  }
  if (value === undefined || value === schema.none) value = schema.default;
  if (target && value !== undefined && (value === null || holds === 'names' || holds === 'either')) {
    const written = nameIn(cell ?? '', column);
    const find = holds === 'choices' ? idOfChoice : idOf;
    const id = written === undefined ? undefined : find(written, namesOf(target));
    if (id !== undefined && id !== value) value = value !== null && holds === 'either' ? null : id;
  }
  row[name] = value;
  return parsed;
}

/** Reports a cell. A column without a heading was reported there, and is not reported for every row. */
function reportCell(
  table: Table,
  raw: RawRow,
  column: TableColumn,
  { product_id, [column.name]: value }: Readonly<Record<string, unknown>>,
  { namesOf, report }: Validation,
  nextId: () => number,
): void {
  const { name } = column;
  const { references, choices } = column.schema;
  if (table.header && !table.header.has(name)) return;
  const cell = cellOf(raw, name) ?? '';
  const place = placeIn(table, raw, name);
  if (value === undefined) {
    const hint = name === 'id' ? missingIdHint(table, raw, nextId()) : missingValueHint(column, column);
    report(place, 'MISSING_VALUE', `${name} is missing: ${hint}`);
    return;
  }
  const { code, fault, remedy } = hintFor(column, cell, cellFormatOf(cell, column));
  const written = references && fault === '' ? nameIn(cell, table) : undefined;
  const names = references && namesOf(references);
  const own = nameIn(cell, table) ?? '';
  const configurations = choices && namesOf(choices)?.ids;
  const ids = configurations?.get(`${product_id}\n${own}`) ?? configurations?.get(own);
  const isOfFile = name === 'id' && table.format === 'markdown' && !table.locate(raw, name).line;
  if (choices && isChoice(cellText(cell, table))) {
    const message = `${name} ${quote(cell, table)} is not the id and the name of a configuration: choose one again, or write its id alone`;
    report(place, 'UNKNOWN_REFERENCE', message);
  } else if (references && written !== undefined && isMeantAsName(written, names))
    reportName(place, name, written, references, names, report);
  else {
    const advice = isOfFile ? missingIdHint(table, raw, nextId()) : remedy;
    const told = ids ? `did you mean ${ids.slice(0, 3).join(' or ')}, the id of this configuration?` : advice;
    report(place, code, `${name} ${quote(cell, table)}${fault}: ${told}`);
  }
}

function quote(cell: string, { format }: Table): string {
  const beginning = cell.slice(0, 100);
  const isPlain = format === 'csv' || format === 'markdown';
  return excerpt(isPlain ? JSON.stringify(beginning) : beginning.replace(/\s+/g, ' '));
}
