import type { ProblemCode, Reporter } from '../../contract/problems.ts';
import { placeIn, type RawRow, standInOf, type Table } from '../../formats/table.ts';
import { excerpt } from '../../messages.ts';
import type { TimeZone } from '../../time-zone.ts';
import { type CellFormat, cellText, parseCell } from './cells.ts';

/** What a `status` or a `visibility` says of a row that everybody may see, in lower case. */
const PUBLIC: ReadonlySet<string> = new Set([
  ...['published', 'publish', 'public', 'live', 'active', 'visible', 'online', 'enabled', 'released'],
  ...['available', 'everyone', 'open', 'on', 'yes', 'true', '1'],
]);

/** A word for what a row is; the last one only in front matter. */
type StandIn = NonNullable<ReturnType<typeof standInOf>> | 'category';

/** A row of a catalog before it is checked. */
type UncheckedRow = Record<string, unknown>;

/** A cell in a column of another system. */
interface ForeignCell {
  /** Its heading. */
  column: string;
  cell: string;
}

/**
 * Fills in what the columns of other systems say of a row ({@link standInOf}), where its own columns say nothing. Reports a
 * `status` or a `visibility` that may mean that the row is not public. `typeOf` finds the news type with a name. `filled` are
 * the columns in which a row has a value.
 */
export function openStandIns(
  columns: readonly { name: string }[],
  table: Table,
  zone: TimeZone,
  typeOf: (cell: string) => number | undefined,
  report: Reporter,
): { fillIn(row: UncheckedRow, raw: RawRow): void; filled: ReadonlySet<string> } {
  const filled = new Set<string>();
  const known = columns.map(({ name }) => name);
  const format: CellFormat = { format: table.format, decimal: table.decimal, isProven: true };
  let names: RawRow['names'] | undefined;
  let found: { word: StandIn; column: string }[] = [];

  const textIn = ({ names, cells }: RawRow, column: string) => {
    const cell = cells[names.lastIndexOf(column)];
    return cell === undefined || parseCell(cell, format, 'text', zone) === undefined
      ? ''
      : cellText(cell, format).trim();
  };
  const fail = (raw: RawRow, { column, cell }: ForeignCell, code: ProblemCode, remedy: string) => {
    const message = `${column} "${excerpt(cellText(cell, format))}" ${remedy}`;
    report(placeIn(table, raw, column), code, message);
  };
  const checkStatus = (row: UncheckedRow, raw: RawRow, foreign: ForeignCell) => {
    const isPublic = PUBLIC.has(cellText(foreign.cell, format).trim().toLowerCase());
    const guards = known.includes('publish_time') ? 'hidden or publish_time' : 'hidden';
    if (isPublic || row.publish_time || textIn(raw, 'hidden') !== '')
      fail(raw, foreign, 'UNKNOWN_COLUMN', `is ignored: write what keeps a row from visitors in ${guards}`);
    else fail(raw, foreign, 'NOT_PUBLIC', `may mean that this row is not public: write so in ${guards}`);
  };
  const meanings: Readonly<Record<StandIn, (row: UncheckedRow, raw: RawRow, foreign: ForeignCell) => void>> =
    {
      draft(row, raw, foreign) {
        const isDraft = parseCell(foreign.cell, format, 'flag', zone);
        if (isDraft === null)
          fail(raw, foreign, 'BAD_BOOLEAN', 'is neither true nor false: write one of them');
        if (isDraft === true && textIn(raw, 'hidden') === '') row.hidden = true;
      },
      published(row, raw, foreign) {
        const isPublished = parseCell(foreign.cell, format, 'flag', zone);
        if (isPublished === false && textIn(raw, 'hidden') === '') row.hidden = true;
        if (isPublished !== null) return;
        const time = known.includes('publish_time') && parseCell(foreign.cell, format, 'time', zone);
        if (typeof time === 'number') row.publish_time ||= time;
        else fail(raw, foreign, 'BAD_BOOLEAN', 'is neither true nor false, nor a time: write one of them');
      },
      status: checkStatus,
      visibility: checkStatus,
      category(row, raw, foreign) {
        if (row.type_id !== undefined) return;
        row.type_id = typeOf(foreign.cell);
        if (row.type_id === undefined)
          fail(raw, foreign, 'UNKNOWN_COLUMN', 'is not the name of a news type, and is ignored');
      },
    };

  const wordOf = (column: string): StandIn | undefined =>
    standInOf(column) ?? (table.format === 'markdown' && column === 'category' ? column : undefined);
  return {
    filled,
    fillIn(row, raw) {
      if (raw.names !== names) {
        names = raw.names;
        found = names.flatMap(column => {
          const word = known.includes('hidden') ? wordOf(column) : undefined;
          return word ? [{ word, column }] : [];
        });
      }
      for (const { word, column } of found) {
        if (textIn(raw, column) === '') continue;
        filled.add(word);
        meanings[word](row, raw, { column, cell: raw.cells[raw.names.lastIndexOf(column)] ?? '' });
      }
    },
  };
}
