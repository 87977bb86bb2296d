import { type CatalogName, columnNamesOf, type Row } from '../../../contract/columns.ts';
import { type CatalogFile, type CsvOptions, parseTextFile } from '../../../formats/formats.ts';
import { columnsIn, type RawRow, type Table } from '../../../formats/table.ts';
import { type CatalogContent, type FormerRow, formerRow } from '../../../set/compare/walk.ts';
import type { ValidatedCatalog } from '../../../set/validate-catalog.ts';
import { numbersOf } from '../../../snapshot/sources.ts';
import { type KeptProblem, keptProblems, type SeenProblem } from './kept-problems.ts';
import { columnsOfRows, type RowColumns, rowsOfColumns } from './row-columns.ts';

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
  return { tables: [{ table: known, entries, rows, hasDecimalComma, refersTo }], entries, rows };
}

const NOTHING: readonly string[] = [];

function rawRow(number: number): RawRow {
  return { start: 0, end: 0, number, matchesHeader: true, names: NOTHING, cells: NOTHING };
}
