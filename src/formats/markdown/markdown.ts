import { dateIn, MARKDOWN_FILES, markdownPath } from '../../contract/catalog-files.ts';
import type { Column } from '../../contract/columns.ts';
import type { Reporter, SourceLocation } from '../../contract/problems.ts';
import { decode, isPlainText, type SourceText } from '../decode.ts';
import type { RawRow, Table } from '../table.ts';
import { unbundle } from './bundle.ts';
import { aliases, cellsOf } from './fields.ts';
import { parseFrontMatter } from './front-matter.ts';
import { firstHeading } from './render.ts';

/** Parses the bundle of Markdown files into a table with a row for each. */
export function parseMarkdown(content: Buffer, columns: readonly Column[], report: Reporter): Table {
  const places = new Map<RawRow, { file: string; columns: ReadonlyMap<string, SourceLocation> }>();
  const table: Table = {
    file: MARKDOWN_FILES,
    format: 'markdown',
    encoding: 'utf-8',
    decimal: '.',
    rows: [],
    complete: true,
    locate(row, column) {
      const { file = MARKDOWN_FILES, columns } = places.get(row) ?? {};
      // An own field is below the name `extra`.
      const location = columns?.get(column ?? '') ?? columns?.get(column?.split('.')[0] ?? '');
      return { ...(location ?? { file, line: 1, column: 1 }), ...(column && { heading: column }) };
    },
  };
  for (const { name, content: bytes } of unbundle(content)) {
    const file = markdownPath(name);
    const source = decode(file, bytes, 'utf-8', report);
    const cells = source && parseItem(name, source, columns, report);
    if (cells) {
      const names = cells.map(({ column }) => column);
      const texts = cells.map(({ text }) => text);
      const row: RawRow = { start: 0, end: 0, matchesHeader: true, names, cells: texts };
      places.set(row, { file, columns: new Map(cells.map(({ column, location }) => [column, location])) });
      table.rows.push(row);
    } else {
      table.complete = false;
    }
  }
  return table;
}

/**
 * The cells of the news item in a file: those of its front matter; the id also from the number with which its name begins,
 * the title also from its first heading, which the content then lacks. A date in the name is a `date`, and the last choice
 * for an id. Undefined, and reported, if it cannot be read.
 */
function parseItem(name: string, source: SourceText, columns: readonly Column[], report: Reporter) {
  const { file, text, locate } = source;
  if (!isPlainText(source, report)) return undefined;
  if (text.trim() === '') {
    report({ file }, 'EMPTY_FILE', 'the file is empty: write a news item into it, or delete it');
    return undefined;
  }
  const front = parseFrontMatter(source, report);
  if (!front) return undefined;
  const known = columns.map(column => column.name);
  const cells = cellsOf(front.fields, known, source, report);
  if (!cells) return undefined;
  const date = dateIn(name);
  const id = date === undefined ? idIn(name) : undefined;
  const has = (column: string) => cells.some(cell => cell.column === column);
  const add = (column: string, text: string) => {
    if (text && !has(column)) cells.push({ column, text, location: { file } });
  };
  const written = cells.find(({ column }) => column === 'id');
  add('id', id ?? date?.replaceAll('-', '') ?? '');
  if (date !== undefined && !has('create_time')) for (const column of aliases.date) add(column, date);
  if (id !== undefined && written && written.text.trim() !== id) {
    const message = `id ${written.text.trim()} is not that of the file name, which begins with ${id}: delete this line, or rename the file`;
    report({ ...written.location, heading: 'id' }, 'TWO_IDS', message);
  }
  const body = text.slice(front.end);
  const heading = has('title') ? undefined : firstHeading(body);
  const location = locate(front.end);
  if (heading) {
    const line = (location.line ?? 1) + heading.lines[0];
    cells.push({ column: 'title', text: heading.title, location: { file, line, column: 1 } });
  }
  const content = heading ? withoutLines(body, heading.lines) : body;
  cells.push({ column: 'content', text: content.trim() === '' ? '' : content, location });
  cells.push({ column: 'content_format', text: 'markdown', location });
  return cells;
}

/** The id with which the name of a file begins. What looks like a date, such as 2026-13-45, is none. */
function idIn(name: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}(?!\d)/.test(name)) return undefined;
  return /^0*(\d+)/.exec(name)?.[1];
}

/** The text with these lines empty, so that the others keep their numbers. */
function withoutLines(text: string, [first, end]: [number, number]): string {
  const lines = text.split(/\r\n?|\n/);
  return lines.map((line, index) => (index >= first && index < end ? '' : line)).join('\n');
}
