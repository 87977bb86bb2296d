import { MARKDOWN_FILES, markdownPath } from '../../../contract/catalog-files.ts';
import type { Column } from '../../../contract/columns.ts';
import type { Reporter, SourceLocation } from '../../../contract/problems.ts';
import { decode } from '../decode.ts';
import type { RawRow, Table } from '../table.ts';
import { unbundle } from './bundle.ts';
import { parseItem } from './item.ts';

/** The places in the file of a row, by column. */
interface Places {
  file: string;
  columns: ReadonlyMap<string, SourceLocation>;
}

/**
 * Parses the bundle of Markdown files into a table with a row for each. Calls `onRow` for each, with the part of the files up
 * to its end, from 0 to 1.
 */
export function parseMarkdown(
  content: Buffer,
  columns: readonly Column[],
  report: Reporter,
  onRow: (part: number) => void = () => {},
): Table {
  const places = new Map<RawRow, Places>();
  const table: Table = {
    file: MARKDOWN_FILES,
    sheet: undefined,
    format: 'markdown',
    encoding: 'utf-8',
    delimiter: undefined,
    decimal: '.',
    header: undefined,
    rows: [],
    lastRow: undefined,
    complete: true,
    locate(row, column) {
      const { file = MARKDOWN_FILES, columns } = places.get(row) ?? {};
      const location = column === undefined ? undefined : columns?.get(column);
      return { ...(location ?? { file, line: 1, column: 1 }), ...(column && { heading: column }) };
    },
  };
  const files = unbundle(content);
  for (const [index, { name, content }] of files.entries()) {
    const file = markdownPath(name);
    const source = decode(file, content, 'utf-8', report);
    const cells = source && parseItem(name, source, columns, report);
    if (cells) {
      const row: RawRow = {
        ...{ start: 0, end: 0, matchesHeader: true },
        names: cells.map(({ column }) => column),
        cells: cells.map(({ text }) => text),
      };
      places.set(row, { file, columns: new Map(cells.map(({ column, location }) => [column, location])) });
      table.rows.push(row);
    } else {
      table.complete = false;
    }
    onRow((index + 1) / files.length);
  }
  return table;
}
