import { type CatalogName, columnNamesOf, type Row } from '../../contract/columns.ts';
import type { Place, ProblemCode, Reporter, SourceLocation } from '../../contract/problems.ts';
import { type CatalogFile, type CsvOptions, parseTextFile } from '../../formats/formats.ts';
import { columnsIn, type RawRow, type Table } from '../../formats/table.ts';
import { type CatalogContent, type FormerRow, formerRow } from '../../set/compare/walk.ts';
import type { ValidatedCatalog } from '../../set/validate-catalog.ts';
import { numbersOf } from '../../snapshot/sources.ts';

/** What checks and reports need of a text file without errors, so that it is not read again. */
export interface KeptRows {
  table: Pick<Table, 'file' | 'format' | 'encoding' | 'delimiter' | 'decimal' | 'lastRow'>;
  /** The columns that the file has, known or not. */
  names: string[];
  hasDecimalComma: boolean;
  refersTo: ValidatedCatalog<CatalogName>['tables'][number]['refersTo'];
  /** Of news items that are served, long texts are digests: their texts are in the tables. */
  columns: RowColumns;
  /** The row or line of each row in the file. */
  places: Uint32Array;
  problems: KeptProblem[];
}

/** What to keep of a catalog in one text file, with its problems. */
export function keptRows<Name extends CatalogName>(
  catalog: Name,
  { tables: [validated] }: ValidatedCatalog<Name>,
  seen: readonly SeenProblem[],
): KeptRows | undefined {
  if (!validated) return undefined;
  const { table, hasDecimalComma, refersTo } = validated;
  const { file, format, encoding, delimiter, decimal, lastRow } = table;
  // A row of any catalog is one.
  const rows = validated.rows as unknown as readonly FormerRow[];
  return {
    table: { file, format, encoding, delimiter, decimal, lastRow },
    names: [...columnsIn(table)],
    ...{ hasDecimalComma, refersTo },
    columns: columnsOfRows(catalog === 'news' ? rows.map(withoutTexts) : rows, columnNamesOf(catalog)),
    places: numbersOf(table),
    problems: keptProblems(seen, table.rows),
  };
}

/** Previews show hidden rows. */
function withoutTexts(row: FormerRow): FormerRow {
  return row.hidden ? row : formerRow(row as Parameters<typeof formerRow>[0]);
}

/** The rows of a catalog that was served before. */
export interface FormerContent extends CatalogContent<FormerRow> {
  /** Undefined if they are not from the cache. */
  kept?: KeptRows;
}

/**
 * Kept rows, for a comparison with those that replace them. They are made when they are asked for: as columns, they cost the
 * garbage collector nothing meanwhile.
 */
export function formerContent(catalog: CatalogName, kept: KeptRows): FormerContent {
  const { names, columns } = kept;
  let rows: FormerRow[] | undefined;
  return {
    kept,
    // They were made of rows of this catalog.
    get rows() {
      rows ??= rowsOfColumns(columns) as FormerRow[];
      return rows;
    },
    columns: columnNamesOf(catalog).filter(name => names.includes(name)),
  };
}

/** The catalog of kept rows. `catalogFile` is their file, which it parses only to locate what is in it. */
export function keptCatalog<Name extends CatalogName>(
  { table, names, hasDecimalComma, refersTo, columns, places }: KeptRows,
  catalogFile: CatalogFile,
  options: CsvOptions,
  // They were made of rows of this catalog, and nothing asks for texts that they lack.
  rows = rowsOfColumns(columns) as Row<Name>[],
): ValidatedCatalog<Name> {
  const raws = Array.from(places, rawRow);
  let parsed: Table | undefined;
  let indexes: ReadonlyMap<RawRow, number> | undefined;
  const known: Table = {
    ...{ ...table, sheet: undefined, header: new Set(names), rows: raws, complete: true },
    lines: () => places,
    locate(raw, column) {
      parsed ??= parseTextFile({ ...catalogFile }, options, () => {});
      indexes ??= new Map(raws.map((row, index) => [row, index]));
      // The row of the same index is the same.
      const row = parsed?.rows[indexes.get(raw) ?? -1];
      return parsed && row ? parsed.locate(row, column) : { file: table.file };
    },
  };
  const entries = rows.map((row, index) => ({ table: known, raw: raws[index] ?? rawRow(0), row }));
  return { tables: [{ table: known, entries, rows, hasDecimalComma, empty: [], refersTo }], entries, rows };
}

const NOTHING: readonly string[] = [];

function rawRow(number: number): RawRow {
  return { start: 0, end: 0, number, matchesHeader: true, names: NOTHING, cells: NOTHING };
}

/** Rows of any catalog as a list for each column: numbers as an array of their bytes, which takes no time to read. */
type RowColumns = Readonly<Record<string, Float64Array | readonly unknown[]>>;

type AnyRow = Readonly<Record<string, unknown>>;

function columnsOfRows(rows: readonly AnyRow[], names: readonly string[]): RowColumns {
  const columns = names.map(name => [name, columnOf(rows.map(row => row[name]))] as const);
  return Object.fromEntries(columns);
}

function columnOf(values: readonly unknown[]): RowColumns[string] {
  return values.every(value => typeof value === 'number') ? Float64Array.from(values) : values;
}

/** The rows of columns. All are copies of the same one, so that they share one V8 hidden class. */
function rowsOfColumns(columns: RowColumns): AnyRow[] {
  const lists = Object.entries(columns);
  const empty: AnyRow = Object.fromEntries(lists.map(([name]) => [name, undefined]));
  const [, first = []] = lists[0] ?? [];
  return Array.from(first, (_value, index) => {
    const row: Record<string, unknown> = { ...empty };
    for (const [name, list] of lists) row[name] = list[index];
    return row;
  });
}

/** A problem of a file, which is a warning. */
interface KeptProblem extends Pick<SourceLocation, 'file' | 'heading'> {
  /** The index of its row. */
  row?: number | undefined;
  /** Undefined if nobody has asked for it. */
  location?: SourceLocation | undefined;
  code: ProblemCode;
  message: string;
  also?: SourceLocation | undefined;
}

/** A problem, and the row that it is in. */
export interface SeenProblem extends KeptProblem {
  raw?: object | undefined;
}

/** Sees the problems of a file on their way to `report`, and where they are found to be. */
export function watchProblems(report: Reporter): { report: Reporter; seen: SeenProblem[] } {
  const seen: SeenProblem[] = [];
  const watch = (place: Place, code: ProblemCode, message: string, also?: SourceLocation) => {
    const { file, heading } = place;
    const problem: SeenProblem = { file, ...(heading !== undefined && { heading }), code, message, also };
    seen.push(problem);
    if ('locate' in place) {
      problem.raw = place.row;
      const locate = () => {
        problem.location = place.locate();
        return problem.location;
      };
      report({ ...place, locate }, code, message, also);
    } else {
      problem.location = place;
      report(place, code, message, also);
    }
  };
  return { report: watch, seen };
}

/** The problems of a file with these rows. Call this once they are located. */
function keptProblems(seen: readonly SeenProblem[], rows: readonly object[]): KeptProblem[] {
  const indexes = new Map(seen.length > 0 ? rows.map((raw, index) => [raw, index]) : []);
  return seen.map(({ raw, ...problem }) => ({ ...problem, row: raw && indexes.get(raw) }));
}

/** Reports the problems of a file again, which has these rows. */
export function reportAgain(
  problems: readonly KeptProblem[],
  rows: readonly object[],
  report: Reporter,
): void {
  for (const { file, heading, row, location, code, message, also } of problems) {
    const raw = row === undefined ? undefined : rows[row];
    const place = { file, ...(heading !== undefined && { heading }), ...(raw && { row: raw }) };
    report({ ...place, locate: () => location ?? { file } }, code, message, also);
  }
}
