import type { Row } from '../../../contract/columns.ts';
import type { Place, ProblemCode, Reporter, SourceLocation } from '../../problems/problems.ts';
import type { CatalogFile } from '../../read/files.ts';
import { type CsvOptions, parseTextFile } from '../../read/parse-file.ts';
import { columnsIn, type RawRow, type Table } from '../../read/table.ts';
import type { ValidatedCatalog } from '../../validate/validate-catalog.ts';
import { numbersOf } from '../sources/row-sources.ts';

type News = Row<'news'>;

/** A row that is served, without its texts; or a hidden row. */
type KeptRow = Pick<News, 'id' | 'img' | 'create_time' | 'publish_time' | 'hidden'> & {
  [Column in keyof News]?: News[Column] | undefined;
};

/** What checks and reports need of a file of news items without errors, so that it is not read again. */
export interface KeptRows {
  table: Pick<Table, 'file' | 'format' | 'encoding' | 'delimiter' | 'decimal' | 'lastRow'>;
  columns: string[];
  hasDecimalComma: boolean;
  refersTo: ValidatedCatalog<'news'>['tables'][number]['refersTo'];
  rows: KeptRow[];
  /** The row or line of each row in the file. */
  places: Uint32Array;
  problems: KeptProblem[];
}

/** A problem of the file, which is a warning. */
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
interface SeenProblem extends KeptProblem {
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

/** What to keep of news items in one text file; undefined if they have Markdown, which is rendered in any case. */
export function keptRows(
  { tables: [validated], entries }: ValidatedCatalog<'news'>,
  seen: readonly SeenProblem[],
): KeptRows | undefined {
  if (!validated || entries.some(({ row }) => row.content_format === 'markdown')) return undefined;
  const { table, hasDecimalComma, refersTo } = validated;
  const { file, format, encoding, delimiter, decimal, lastRow, rows } = table;
  const indexes = new Map(seen.length > 0 ? rows.map((raw, index) => [raw as object, index]) : []);
  return {
    table: { file, format, encoding, delimiter, decimal, lastRow },
    columns: [...columnsIn(table)],
    ...{ hasDecimalComma, refersTo },
    rows: validated.rows.map(keptRow),
    places: numbersOf(table),
    problems: seen.map(({ raw, ...problem }) => ({ ...problem, row: raw && indexes.get(raw) })),
  };
}

function keptRow(row: News): KeptRow {
  // Previews show hidden rows.
  if (row.hidden) return row;
  const { id, type_id, img, create_time, publish_time, unpublish_time } = row;
  return { id, type_id, img, create_time, publish_time, unpublish_time, hidden: false };
}

/** The catalog of kept rows. `catalogFile` is their file, which it parses only to locate what is in it. */
export function keptCatalog(
  { table, columns, hasDecimalComma, refersTo, rows, places }: KeptRows,
  catalogFile: CatalogFile,
  options: CsvOptions,
): ValidatedCatalog<'news'> {
  const raws = rows.map((_row, index) => ({ ...RAW_ROW, number: places[index] ?? 0 }));
  let parsed: Table | undefined;
  const parse = () => {
    parsed ??= parseTextFile({ ...catalogFile }, options, () => {});
    return parsed;
  };
  const known: Table = {
    ...{ ...table, sheet: undefined, header: new Set(columns), rows: raws, complete: true },
    lines: () => places,
    locate(raw, column) {
      const original = parse();
      // The row of the same index is the same.
      const row = original?.rows[raws.indexOf(raw as (typeof raws)[number])];
      return original && row ? original.locate(row, column) : { file: table.file };
    },
  };
  // Nothing asks for the texts of rows that are not read.
  const news = rows as News[];
  const entries = news.map((row, index) => ({ table: known, raw: raws[index] ?? RAW_ROW, row }));
  return { tables: [{ table: known, entries, rows: news, hasDecimalComma, refersTo }], entries, rows: news };
}

const RAW_ROW: RawRow = { start: 0, end: 0, matchesHeader: true, names: [], cells: [] };

/** Reports the problems of kept rows again. */
export function reportAgain(
  { problems }: KeptRows,
  { entries }: ValidatedCatalog<'news'>,
  report: Reporter,
): void {
  for (const { file, heading, row, location, code, message, also } of problems) {
    const raw = row === undefined ? undefined : entries[row]?.raw;
    const place = { file, ...(heading !== undefined && { heading }), ...(raw && { row: raw }) };
    report({ ...place, locate: () => location ?? { file } }, code, message, also);
  }
}
