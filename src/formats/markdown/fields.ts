import { imageIn, MARKDOWN_FILES } from '../../contract/catalog-files.ts';
import { EXTRA } from '../../contract/columns.ts';
import type { Reporter, SourceLocation } from '../../contract/problems.ts';
import { excerpt } from '../../messages.ts';
import type { SourceText } from '../decode.ts';
import { columnName, foreignColumn, guardWordOf, readAs, unknownColumn } from '../table.ts';
import type { Field } from './front-matter.ts';

/** A cell of a news item, and where it is. */
export interface ItemCell {
  column: string;
  text: string;
  location: SourceLocation;
}

/**
 * The words of other programs in front matter, and the columns that each fills in if they have no value: those of the words
 * above it go before. The last one is checked with the row.
 */
export const aliases = {
  date: ['create_time', 'publish_time'],
  pubDate: ['create_time', 'publish_time'],
  lastmod: ['update_time'],
  updated: ['update_time'],
  updatedDate: ['update_time'],
  expiryDate: ['unpublish_time'],
  tags: ['keywords'],
  image: ['img'],
  cover: ['img'],
  heroImage: ['img'],
  category: ['category'],
} as const;

const wordNames = Object.keys(aliases) as (keyof typeof aliases)[];
/** These are ignored, with a warning, where they are not understood: other programs nest values below them. */
const OPTIONAL: readonly string[] = ['image', 'cover', 'heroImage', 'tags', 'category'];
/** Texts that a comment may cut off. */
const BEFORE_COMMENTS: readonly string[] = ['title', 'keywords', 'tags'];
/** The beginning of a date, or Unix seconds. Such a value of a word like `published` goes before the time of `date`. */
const IS_TIME = /^\d{4}(?:\D|\d{5})/;
/** The columns that a file has without naming them. */
const TEXT_COLUMNS: readonly string[] = ['content', 'content_format'];

/**
 * The cells of front matter that are not empty: those of columns, then those of words for other columns. Reports the names
 * that it ignores. Undefined, and reported, if a value is not one value.
 */
export function cellsOf(
  fields: readonly Field[],
  columns: readonly string[],
  { locate }: SourceText,
  report: Reporter,
): ItemCell[] | undefined {
  const known = columns.filter(column => !TEXT_COLUMNS.includes(column));
  const cells: ItemCell[] = [];
  const foreign: (Omit<ItemCell, 'column'> & { columns: readonly string[]; rank: number })[] = [];
  let isWhole = true;
  for (const field of fields) {
    const { name, text = '', fault, isList, isCut, nameAt, valueAt } = field;
    const column = columnName(name, [...columns, ...wordNames]);
    const word = wordNames.find(word => word === column);
    const guard = known.includes(column) ? undefined : guardWordOf(name);
    const replaced = readAs(guard, known);
    const namePlace = () => ({ ...locate(nameAt), heading: name });
    const ignore = (message: string) =>
      report({ file: MARKDOWN_FILES, heading: name, locate: namePlace }, 'UNKNOWN_COLUMN', message);
    if (name === EXTRA) {
      cells.push({ column: EXTRA, text, location: locate(valueAt) });
    } else if (TEXT_COLUMNS.includes(column)) {
      ignore(`${column} is not read here, since the content is the Markdown text below: delete this line`);
    } else if (!known.includes(column) && !word && !guard) {
      ignore(unknownColumn(name, known, 'markdown'));
    } else if (fault && (OPTIONAL.includes(column) || (guard && replaced.length === 0))) {
      ignore(`${column} is not a single value, and is ignored: write one value, or delete the line`);
    } else {
      // A set that was served before the rule came has what the sign left of the text.
      if (fault) report(locate(nameAt), 'BAD_FRONT_MATTER', fault);
      isWhole &&= field.text !== undefined;
      const location = locate(valueAt);
      const isText = BEFORE_COMMENTS.includes(column);
      if (isText && (isCut || (isList && column === 'title'))) {
        const end = text === '' ? 'is empty' : `ends behind "${excerpt(text)}"`;
        const fate = isCut ? `${end}, since # begins a comment` : `is a list, and read as "${excerpt(text)}"`;
        const message = `${column} ${fate}: write the whole text in "double quotes"`;
        report({ ...location, heading: column }, 'DAMAGED_TEXT', message);
      }
      if (text.trim() === '') continue;
      const time = replaced.find(name => name !== 'hidden');
      if (time && IS_TIME.test(text.trim())) {
        foreign.push({ columns: [time], rank: -1, text, location });
        report({ ...location, heading: name }, 'FOREIGN_COLUMN', foreignColumn(name, [time]));
      } else if (!word) {
        cells.push({ column: guard ? name : column, text, location });
      } else {
        const value = aliases[word][0] === 'img' ? imageIn(text) : text;
        if (value === undefined)
          ignore(
            `${column} "${excerpt(text)}" is not the name of an image, and is ignored: write the name of a file in the images directory, or delete the line`,
          );
        else foreign.push({ columns: aliases[word], rank: wordNames.indexOf(word), text: value, location });
      }
    }
  }
  foreign.sort((a, b) => a.rank - b.rank);
  for (const { columns, rank, ...cell } of foreign)
    for (const column of columns)
      if (!cells.some(other => other.column === column)) cells.push({ column, ...cell });
  return isWhole ? cells : undefined;
}
