import type { Accident } from '../accidents/accident.ts';
import { expectProblems } from '../expected.ts';
import { type Formats, plainFormats, show } from '../formats.ts';
import { type Cell, type Grid, headingsOf } from '../grid.ts';
import type { Export } from '../judge.ts';
import type { LocaleName } from '../locales.ts';
import type { Written } from '../programs.ts';
import { type Column, type PriceList, priceLists, type Sheet, workbook } from '../workbook.ts';
import type { FilterOptions } from './export-sheets.ts';
import { parseRows } from './parse.ts';

/** A workbook as somebody has it open: how its cells are formatted, and where, and the cells with their true values. */
export interface Workbook {
  /** Also the name of its file. */
  name: string;
  locale: LocaleName;
  formats: Formats;
  grids: Grid[];
}

/** What differs from a plain workbook. */
export interface Variant {
  formats?: Partial<Formats>;
  prices?: PriceList;
  accident?: Accident;
}

export function workbookOf(locale: LocaleName, texts: readonly string[], variant: Variant = {}): Workbook {
  const { prices = 'mixed', accident } = variant;
  const formats = { ...plainFormats, ...variant.formats };
  const { amount, id, date } = formats;
  const name = [locale, amount, id, date, prices, accident?.name ?? 'plain'].join('_');
  return {
    name: name.replace(/[^\w-]/g, sign => `%${sign.charCodeAt(0)}`),
    locale,
    formats,
    grids: workbook(texts, priceLists[prices]).map(sheet => {
      const grid = gridOf(sheet, formats, locale);
      return accident?.catalog === grid.catalog ? { ...grid, rows: accident.happen(grid.rows, grid) } : grid;
    }),
  };
}

function gridOf({ catalog, columns, rows }: Sheet, formats: Formats, locale: LocaleName): Grid {
  const cellIn = ({ name, kind }: Column, content: Sheet['rows'][number][number] = null): Cell => {
    // LibreOffice leaves out tabs when it opens a workbook.
    const value = typeof content === 'string' ? content.replaceAll('\t', ' ') : content;
    return { column: name, text: show(value, kind, formats, locale).text, value };
  };
  const body = rows.map(values => columns.map((column, index) => cellIn(column, values[index])));
  return { catalog, columns, rows: [headingsOf(columns), ...body] };
}

/** The column whose type a cell has; undefined for texts, and for what an accident has put there. */
export function typeOf(cell: Cell, { formats, locale }: Workbook, { columns }: Grid): Column | undefined {
  const column = columns.find(({ name }) => name === cell.column);
  const { value = null } = cell;
  return column && show(value, column.kind, formats, locale).text === cell.text ? column : undefined;
}

/** What LibreOffice has written of a table, and what it means. */
export function exportedTable(
  book: Workbook,
  grid: Grid,
  { text, bytes }: Pick<Written, 'text' | 'bytes'>,
  { separator, asShown }: FilterOptions,
): Export['tables'][number] {
  const parsed = parseRows(text, separator);
  const exportedCell = (cell: Cell, text: string): Cell => {
    const column = typeOf(cell, book, grid);
    if (!column) return { ...cell, text };
    const { value = null } = cell;
    const format = column.kind === 'amount' ? book.formats.amount : book.formats.id;
    // Unlike Excel, LibreOffice shows all digits in the format General.
    const isExact = !asShown || format === 'General';
    const shown = show(value, column.kind, book.formats, book.locale);
    return { ...cell, text, value: isExact ? value : shown.value };
  };
  const rows = parsed.map((cells, row) =>
    cells.map(({ text }, index) => exportedCell(grid.rows[row]?.[index] ?? { text }, text)),
  );
  const exported = expectProblems({ ...grid, rows });
  const cells = parsed.flatMap((cells, row) =>
    cells.map(({ start, address, text }, index) => ({
      start,
      address,
      cell: exported.rows[row]?.[index] ?? { text },
    })),
  );
  return { grid: exported, written: { text, bytes, cells } };
}
