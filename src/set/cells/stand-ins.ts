import { guardWords, notPublic } from '../../contract/columns.ts';
import type { ProblemCode, Reporter } from '../../contract/problems.ts';
import {
  cellOf,
  columnsIn,
  foreignColumn,
  guardWordOf,
  lettersOf,
  placeIn,
  type RawRow,
  readAs,
  type Table,
  unknownColumn,
} from '../../formats/table.ts';
import { excerpt } from '../../messages.ts';
import type { TimeZone } from '../../time-zone.ts';
import { type CellFormat, cellText, parseCell } from './cells.ts';
import { idOf, type NamesOf, nameIn } from './references.ts';

/** The words of other programs are read as in CSV, also in JSON. */
const AS_TEXT: CellFormat = { format: 'csv', decimal: '.', isProven: true };

/** Interprets a column of another program, in a catalog in which it is read in place of the columns `replaced`. */
function openGuard(column: string, word: string, replaced: readonly string[], zone: TimeZone) {
  const { yes, time, isRead } = guardWords[word] ?? {};
  const [hides, hasTime] = [replaced.includes('hidden'), replaced.some(name => name === time)];
  return {
    ...{ column, word, replaced, yes, time, hides, hasTime },
    /** Whether an unclear text is an error. Any other column with such a text is about something else. */
    isStrict: isRead && (yes !== undefined || hasTime),
    /** Whether visitors see the row, or from or until when they do. Undefined if unclear. */
    meaningOf(text: string): boolean | number | undefined {
      // Programs write these for a row that is not published, or not deleted.
      if (/^(?:null|\\N)$/i.test(text) && (!yes || time === 'yes')) return time !== 'publish_time';
      if (!yes && !time) return !notPublic.has(lettersOf(text.normalize('NFKC')));
      const isDraft = text === '-1' && time === 'publish_time';
      const flag = isDraft ? false : parseCell(text, AS_TEXT, 'flag', zone);
      if (yes && typeof flag === 'boolean') return flag === (yes === 'shown');
      const moment = time && parseCell(text, AS_TEXT, 'time', zone);
      if (typeof moment !== 'number') return undefined;
      if (hasTime) return moment;
      // In a price list, `published` is often its date.
      if (yes === 'shown') return undefined;
      return moment * 1000 <= Date.now() === (time === 'publish_time') && time !== 'yes';
    },
  };
}

/**
 * Fills in what the columns of other programs ({@link guardWords}) say of a row, where its own columns are empty. Reports a row
 * that may not be public, unless it has a `hidden`. Adds the columns in which a row has a value to `filled`.
 */
export function openStandIns(
  columns: readonly { name: string }[],
  table: Table,
  { zone, namesOf, report }: { zone: TimeZone; namesOf: NamesOf; report: Reporter },
  filled: Set<string>,
): (row: Record<string, unknown>, raw: RawRow) => void {
  const known = columns.map(({ name }) => name);
  /** Returns undefined for an empty cell. JSON has null for a publication time that is not known yet. */
  const textIn = (raw: RawRow, column: string) => {
    const cell = cellOf(raw, column);
    const isNull = cell === 'null' && table.format === 'json' && guardWordOf(column) !== 'published_at';
    return (cell && !isNull && cellText(cell, table).trim()) || undefined;
  };
  const isSettled = (raw: RawRow, column: string) =>
    column !== 'hidden' && textIn(raw, 'hidden') !== undefined;
  const guards = [...columnsIn(table)].flatMap(column => {
    const word = known.includes(column) ? undefined : guardWordOf(column);
    if (word === undefined) return [];
    const guard = openGuard(column, word, readAs(word, known), zone);
    const { replaced, isStrict, yes, time, hides, hasTime, meaningOf } = guard;
    const rows = table.rows.filter(raw => textIn(raw, column) !== undefined);
    const meaningIn = (raw: RawRow) => meaningOf(textIn(raw, column) ?? '');
    const clear = rows.filter(raw => meaningIn(raw) !== undefined);
    const isOrdinary = isStrict ? yes && time && !hasTime && !clear[0] : clear.length < rows.length;
    const isAsked = !hides && clear.some(raw => meaningIn(raw) === false && !isSettled(raw, column));
    if (rows[0] && (isOrdinary || (replaced.length === 0 && !isAsked)))
      report(placeIn(table, rows[0], column), 'UNKNOWN_COLUMN', unknownColumn(column, known, table.format));
    else if (clear[0] && replaced.length > 0 && !isAsked)
      report(placeIn(table, clear[0], column), 'FOREIGN_COLUMN', foreignColumn(column, replaced));
    return isOrdinary ? [] : [guard];
  });
  const remedy = known.includes('hidden') ? 'write true or false in the column hidden' : 'delete the row';

  const fill = (row: Record<string, unknown>, raw: RawRow, guard: ReturnType<typeof openGuard>) => {
    const { column, word, yes, time, hides, hasTime, meaningOf } = guard;
    const text = textIn(raw, column);
    if (text === undefined) return;
    filled.add(word);
    const ask = (code: ProblemCode, what: string) => {
      const message = `${column} "${excerpt(text)}" ${what}, or rename this column if it is about something else`;
      report(placeIn(table, raw, column), code, message);
    };
    const meaning = meaningOf(text);
    const expected = [...(yes ? ['true or false'] : []), ...(hasTime ? ['a time'] : [])].join(', or ');
    if (typeof meaning === 'number' && time) row[time] ||= meaning;
    else if (meaning === true || isSettled(raw, column)) return;
    else if (meaning === undefined) ask(yes ? 'BAD_BOOLEAN' : 'BAD_TIME', `is not clear: write ${expected}`);
    else if (hides) row.hidden = true;
    else ask('NOT_PUBLIC', `may mean that this row is not public: ${remedy}`);
  };
  const fillCategory = (row: Record<string, unknown>, raw: RawRow) => {
    const text = textIn(raw, 'category');
    if (text === undefined || row.type_id !== undefined) return;
    const name = nameIn(text, table);
    row.type_id = name === undefined ? undefined : idOf(name, namesOf('news_types'));
    const message = `category "${excerpt(text)}" is not the name of a news type, and is ignored: write the name of one, or delete the line`;
    if (row.type_id === undefined) report(placeIn(table, raw, 'category'), 'UNKNOWN_COLUMN', message);
  };
  return (row, raw) => {
    for (const guard of guards) fill(row, raw, guard);
    if (table.format === 'markdown') fillCategory(row, raw);
  };
}
