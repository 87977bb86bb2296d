import type { Column } from '../../../contract/columns.ts';
import { expectedValue } from './cell-hints.ts';
import type { CellFormat } from './cell-types.ts';

/** What to write in place of a missing value. */
export function missingValueHint(column: Column, format: CellFormat): string {
  const value = `write ${expectedValue(column, format)}`;
  if (format.format === 'markdown') return inMarkdown[column.name] ?? `${value}, ${FRONT_MATTER}`;
  const mayBeMerged = format.format === 'csv' && column.schema.cellType === 'id';
  return mayBeMerged ? `${value}; if cells are merged, unmerge them and fill in every row` : value;
}

const FRONT_MATTER = 'in the front matter, which stands between two lines --- at the top';

/** The columns that a Markdown file has in another place than its front matter. */
const inMarkdown: Readonly<Record<string, string>> = {
  id: 'begin the file name with a whole number, as in 12-new-prices.md; or with _ if it is not a news item',
  title: 'begin the text with a heading, such as # New prices',
  content: 'write a text below the front matter',
};
