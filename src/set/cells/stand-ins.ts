import type { ProblemCode, Reporter } from '../../contract/problems.ts';
import { cellOf, columnsIn, placeIn, type RawRow, standInOf, type Table } from '../../formats/table.ts';
import { excerpt } from '../../messages.ts';
import type { TimeZone } from '../../time-zone.ts';
import { type CellFormat, cellText, parseCell } from './cells.ts';
import { idOf, type NamesOf, nameIn } from './references.ts';

/** What a `status` or a `visibility` says of a row that everybody may see, in lower case. */
const PUBLIC: ReadonlySet<string> = new Set([
  ...['published', 'publish', 'public', 'live', 'active', 'visible', 'online', 'enabled', 'released'],
  ...['available', 'everyone', 'open', 'on', 'yes', 'true', '1'],
]);

/**
 * Fills in what the columns of other systems say of a row ({@link standInOf}), where its own columns say nothing. Reports a
 * `status` or a `visibility` that may mean that the row is not public. Adds the columns in which a row has a value to `filled`.
 */
export function openStandIns(
  columns: readonly { name: string }[],
  table: Table,
  { zone, namesOf, report }: { zone: TimeZone; namesOf: NamesOf; report: Reporter },
  filled: Set<string>,
): (row: Record<string, unknown>, raw: RawRow) => void {
  const isKnown = (name: string) => columns.some(column => column.name === name);
  const guards = isKnown('publish_time') ? 'hidden or publish_time' : 'hidden';
  const format: CellFormat = { format: table.format, decimal: table.decimal, isProven: true };
  const isEmpty = (cell = '') =>
    parseCell(cell, format, 'text', zone) === undefined || cellText(cell, format).trim() === '';

  const fill = (word: string, column: string, cell: string, row: Record<string, unknown>, raw: RawRow) => {
    const fail = (code: ProblemCode, remedy: string) =>
      report(placeIn(table, raw, column), code, `${column} "${excerpt(cellText(cell, format))}" ${remedy}`);
    const hide = () => {
      if (isEmpty(cellOf(raw, 'hidden'))) row.hidden = true;
    };
    const flag = parseCell(cell, format, 'flag', zone);
    if (word === 'draft') {
      if (flag === null) fail('BAD_BOOLEAN', 'is neither true nor false: write one of them');
      if (flag === true) hide();
    } else if (word === 'published') {
      const time = isKnown('publish_time') && parseCell(cell, format, 'time', zone);
      if (flag === false) hide();
      else if (flag === null && typeof time === 'number') row.publish_time ||= time;
      else if (flag === null) fail('BAD_BOOLEAN', 'is neither true nor false, nor a time: write one of them');
    } else if (word === 'category') {
      if (row.type_id !== undefined) return;
      const name = nameIn(cell, table);
      row.type_id = name === undefined ? undefined : idOf(name, namesOf('news_types'));
      const remedy =
        'is not the name of a news type, and is ignored: write the name of one, or delete the line';
      if (row.type_id === undefined) fail('UNKNOWN_COLUMN', remedy);
    } else {
      const isPublic = PUBLIC.has(cellText(cell, format).trim().toLowerCase());
      if (isPublic || row.publish_time || !isEmpty(cellOf(raw, 'hidden')))
        fail('UNKNOWN_COLUMN', `is ignored: write what keeps a row from visitors in ${guards}`);
      else fail('NOT_PUBLIC', `may mean that this row is not public: write so in ${guards}`);
    }
  };

  const found = (isKnown('hidden') ? [...columnsIn(table)] : []).flatMap(column => {
    const isCategory = table.format === 'markdown' && column === 'category';
    const word = isCategory ? column : standInOf(column);
    return word ? [{ word, column }] : [];
  });
  return (row, raw) => {
    for (const { word, column } of found) {
      const cell = cellOf(raw, column);
      if (cell === undefined || isEmpty(cell)) continue;
      filled.add(word);
      fill(word, column, cell, row, raw);
    }
  };
}
