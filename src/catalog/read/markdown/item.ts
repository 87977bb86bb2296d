import { MARKDOWN_FILES } from '../../../contract/catalog-files.ts';
import type { Column } from '../../../contract/columns.ts';
import type { Reporter, SourceLocation } from '../../../contract/problems.ts';
import { firstHeading } from '../../markdown/first-heading.ts';
import { columnName } from '../column-names.ts';
import type { SourceText } from '../decode.ts';
import { isPlainText } from '../file-type.ts';
import { unknownColumn } from '../table.ts';
import { type Field, parseFrontMatter } from './front-matter.ts';

/** A cell of a news item, and where it is. */
export interface ItemCell {
  column: string;
  text: string;
  location: SourceLocation;
}

/** The columns that a file has without naming them. */
const TEXT_COLUMNS: readonly string[] = ['content', 'content_format'];

/**
 * The cells of the news item in a file: those of its front matter; the id also from the number with which its name begins,
 * the title also from its first heading, which the content then lacks. Undefined, and reported, if it cannot be read.
 */
export function parseItem(
  name: string,
  source: SourceText,
  columns: readonly Column[],
  report: Reporter,
): ItemCell[] | undefined {
  const { file, text, locate } = source;
  if (!isPlainText(source, report)) return undefined;
  if (text.trim() === '') {
    report({ file }, 'EMPTY_FILE', 'the file is empty: write a news item into it, or delete it');
    return undefined;
  }
  const front = parseFrontMatter(source, report);
  if (!front) return undefined;
  const known = columns.map(column => column.name).filter(column => !TEXT_COLUMNS.includes(column));
  const cells = front.fields.flatMap(field => {
    const cell = cellOf(field, known, source, report);
    return cell && cell.text.trim() !== '' ? [cell] : [];
  });
  const id = idIn(name);
  const written = cells.find(({ column }) => column === 'id');
  if (id !== undefined && !written) cells.push({ column: 'id', text: id, location: { file } });
  if (id !== undefined && written && written.text.trim() !== id) {
    const message = `id ${written.text.trim()} is not that of the file name, which begins with ${id}: delete this line, or rename the file`;
    report({ ...written.location, heading: 'id' }, 'TWO_IDS', message);
  }
  const hasTitle = cells.some(({ column }) => column === 'title');
  const body = text.slice(front.end);
  const heading = hasTitle ? undefined : firstHeading(body);
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

/** The id with which the name of a file begins. A date such as 2026-03-31 is none. */
function idIn(name: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}(?!\d)/.test(name)) return undefined;
  return /^0*(\d+)/.exec(name)?.[1];
}

/** The cell of a field; undefined, and reported, for a name that is no column. */
function cellOf(
  { name, text, nameAt, valueAt }: Field,
  known: readonly string[],
  { locate }: SourceText,
  report: Reporter,
): ItemCell | undefined {
  const column = columnName(name, [...known, ...TEXT_COLUMNS]);
  if (known.includes(column)) return { column, text, location: locate(valueAt) };
  const place = { file: MARKDOWN_FILES, heading: name, locate: () => ({ ...locate(nameAt), heading: name }) };
  const message = TEXT_COLUMNS.includes(column)
    ? `${column} is not read here, since the content is the Markdown text below: delete this line`
    : unknownColumn(name, known);
  report(place, 'UNKNOWN_COLUMN', message);
  return undefined;
}

/** The text with these lines empty, so that the others keep their numbers. */
function withoutLines(text: string, [first, end]: [number, number]): string {
  return text
    .split(/\r\n?|\n/)
    .map((line, index) => (index >= first && index < end ? '' : line))
    .join('\n');
}
