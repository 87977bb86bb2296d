import { EXTRA, isExtra } from '../../contract/columns.ts';
import type { Place, Reporter } from '../../contract/problems.ts';
import { canonicalJson, readFields } from '../../formats/json-value.ts';
import { cellOf, placeIn, type RawRow, type Table } from '../../formats/table.ts';
import { excerpt } from '../../messages.ts';
import { damageIn } from './warnings.ts';

/** Per catalog. */
const MAX_NAMES = 50;
/** Per row, as JSON in UTF-8. */
const MAX_BYTES = 16 * 1024;

/**
 * Returns a function that reads the own fields of a row as canonical JSON; undefined if it has none. It removes those in the
 * `columns` of a table from the values of the row, and adds all names to `filled`. `known` has the columns of the catalog so
 * far, by lower-case name.
 */
export function openExtra(
  table: Table,
  columns: readonly string[],
  known: Map<string, string>,
  report: Reporter,
  filled: Set<string>,
): (row: Record<string, unknown>, raw: RawRow) => string | undefined {
  const checked = new Set<string>();
  const readJson = (raw: RawRow, cell = 'null') => {
    const place = placeIn(table, raw, EXTRA);
    const message = `${EXTRA} has no names, and is ignored: write them, as in {"badge": "New"}`;
    if (!/^[{n]/.test(cell)) report(place, 'UNKNOWN_COLUMN', message);
    return readFields(cell, (code, message, offset) =>
      report({ ...place, locate: () => table.locate(raw, EXTRA, offset) }, code, `${EXTRA} ${message}`),
    );
  };
  return (row, raw) => {
    const fields = table.header ? new Map<string, string>() : readJson(raw, cellOf(raw, EXTRA));
    for (const column of columns) {
      const name = column.slice(EXTRA.length + 1);
      if (typeof row[column] === 'string') fields.set(name, JSON.stringify(row[column]));
      row[column] = undefined;
    }
    if (fields.size === 0) return undefined;
    for (const name of fields.keys()) {
      const column = `${EXTRA}.${name}`;
      if (!checked.has(column)) checkOwnColumn(column, placeIn(table, raw, column), known, report);
      checked.add(column);
      filled.add(column);
    }
    const json = canonicalJson(fields);
    const message = `${EXTRA} has more than ${MAX_BYTES} bytes in this row: shorten it`;
    if (Buffer.byteLength(json) > MAX_BYTES) report(placeIn(table, raw), 'BAD_TEXT', message);
    const damage = table.header ? undefined : damageIn(json);
    if (damage) report(placeIn(table, raw, EXTRA), 'DAMAGED_TEXT', `${EXTRA} ${damage}`);
    return json;
  };
}

/** Reports an invalid name, one that differs from another only in letter case, and the first one too many. */
function checkOwnColumn(column: string, place: Place, known: Map<string, string>, report: Reporter): void {
  const key = column.normalize('NFC').toLowerCase();
  const first = known.get(key) ?? column;
  if (!isExtra(column)) {
    const message = `${excerpt(column)}: write 1 to 64 letters, digits, _ or - behind ${EXTRA}`;
    report(place, 'FORBIDDEN_COLUMN', message);
  } else if (first !== column) {
    const message = `${column} and ${first} differ in letter case alone: write both alike`;
    report(place, 'DUPLICATE_COLUMN', message);
  } else if (!known.has(key) && known.set(key, column).size === MAX_NAMES + 1) {
    const message = `${column} is one too many: a catalog may have ${MAX_NAMES} own fields`;
    report(place, 'TOO_MANY_COLUMNS', message);
  }
}
