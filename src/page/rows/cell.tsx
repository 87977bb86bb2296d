import type { CatalogRow } from '../../contract/page.ts';
import { formatNumber } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';

type Value = CatalogRow['row'][string];

/** The value of a column, the name that it stands for, and what it was before the last version if that changed it. */
export function Cell({ column, item: { row, names, was } }: { column: string; item: CatalogRow }) {
  const name = names?.[column];
  const before = was?.[column];
  return (
    <span class={before === undefined ? undefined : 'changed'}>
      <span dir="auto">{textOf(column, row[column])}</span>
      {name !== undefined && <small dir="auto">{name}</small>}
      {before !== undefined && <small>{texts.changedFrom(textOf(column, before) || texts.noValue)}</small>}
    </span>
  );
}

/** As the file has it, but for numbers that people count with. */
function textOf(column: string, value: Value | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  return typeof value === 'number' && !/id$|_time$/.test(column) ? formatNumber(value) : String(value);
}
