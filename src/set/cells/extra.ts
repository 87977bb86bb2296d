import { type JSONPath, visit } from 'jsonc-parser';
import { EXTRA, isExtra } from '../../contract/columns.ts';
import type { Place, ProblemCode, Reporter } from '../../contract/problems.ts';
import { cellOf, placeIn, type RawRow, type Table } from '../../formats/table.ts';
import { excerpt } from '../../messages.ts';
import { damageIn } from './warnings.ts';

/** Per catalog. */
const MAX_NAMES = 50;
/** Per row, as JSON in UTF-8. */
const MAX_BYTES = 16 * 1024;
/** Of lists and objects in each other. */
const MAX_LEVELS = 4;

/**
 * Returns a function that reads the own fields of a row as canonical JSON; undefined if it has none. It removes those that are
 * columns of a table from the values of the row, and adds the columns of all to `filled` and to those `known` of the catalog.
 */
export function openExtra(table: Table, known: Set<string>, filled: Set<string>, report: Reporter) {
  const columns = [...(table.header ?? [])].filter(isExtra);
  const readTexts = (row: Record<string, unknown>) => {
    const texts = columns.filter(column => typeof row[column] === 'string');
    const fields = texts.map(column => [column.slice(EXTRA.length + 1), row[column]]);
    for (const column of columns) row[column] = undefined;
    return Object.fromEntries(fields);
  };
  return (row: Record<string, unknown>, raw: RawRow): string | undefined => {
    const fields = table.header ? readTexts(row) : readJson(table, raw, report);
    const names = Object.keys(fields);
    for (const column of names.map(name => `${EXTRA}.${name}`)) {
      if (!known.has(column)) checkOwnColumn(column, placeIn(table, raw, column), known, report);
      known.add(column);
      filled.add(column);
    }
    const json = canonicalJson(fields);
    const message = `${EXTRA} has more than ${MAX_BYTES} bytes in this row: shorten it`;
    if (Buffer.byteLength(json) > MAX_BYTES) report(placeIn(table, raw), 'BAD_TEXT', message);
    return names.length > 0 ? json : undefined;
  };
}

/** Reports an invalid name, one that differs from another only in letter case, and the first one too many. */
function checkOwnColumn(column: string, at: Place, known: ReadonlySet<string>, report: Reporter): void {
  const letters = (name: string) => name.normalize('NFC').toLowerCase();
  const other = [...known].find(name => letters(name) === letters(column));
  const invalid = `${excerpt(column)}: write 1 to 64 letters, digits, _ or - behind ${EXTRA}`;
  if (!isExtra(column)) report(at, 'FORBIDDEN_COLUMN', invalid);
  else if (other !== undefined)
    report(at, 'DUPLICATE_COLUMN', `${column} and ${other} differ in letter case alone: write both alike`);
  else if (known.size === MAX_NAMES)
    report(at, 'TOO_MANY_COLUMNS', `${column} is one too many: a catalog may have ${MAX_NAMES} own fields`);
}

/** The own fields of a row in JSON or front matter. Reports what would not be served as it is written. */
function readJson(table: Table, raw: RawRow, report: Reporter): object {
  const json = cellOf(raw, EXTRA) ?? 'null';
  const fault = (code: ProblemCode, message: string, offset?: number) => {
    const place = { ...placeIn(table, raw, EXTRA), locate: () => table.locate(raw, EXTRA, offset) };
    report(place, code, `${EXTRA} ${message}`);
  };
  const checkText = (text: string, offset: number) => {
    if (!text.isWellFormed()) fault('BAD_TEXT', 'contains half of a character: type it again', offset);
  };
  const open = (offset: number, _length: number, _line: number, _character: number, path: () => JSONPath) => {
    const message = `is nested more than ${MAX_LEVELS} levels deep: write it with fewer`;
    if (path().length > MAX_LEVELS) fault('TOO_DEEP', message, offset);
  };
  const keys = new Set<string>();
  let isValid = true;
  visit(json, {
    onObjectBegin: open,
    onArrayBegin: open,
    onObjectProperty(key, offset, _length, _line, _character, path) {
      const place = JSON.stringify([...path(), key]);
      const shown = `has the key ${excerpt(key) || '""'}`;
      if (key === '__proto__') fault('FORBIDDEN_COLUMN', `${shown}: delete it`, offset);
      if (keys.has(place)) fault('DUPLICATE_COLUMN', `${shown} twice: delete one of the two`, offset);
      keys.add(place);
      checkText(key, offset);
    },
    onLiteralValue(value, offset, length) {
      const written = json.slice(offset, offset + length);
      if (typeof value === 'string') checkText(value, offset);
      else if (typeof value === 'number' && significantDigits(written) !== significantDigits(String(value)))
        fault('BAD_NUMBER', `${excerpt(written)} cannot be kept exactly: put it in "quotes"`, offset);
    },
    onError: () => {
      isValid = false;
    },
  });
  const damage = damageIn(json);
  if (damage) fault('DAMAGED_TEXT', damage);
  if (!isValid)
    fault(
      'BAD_FRONT_MATTER',
      'has a sign such as & or *, or a number such as 007: write it in "double quotes"',
    );
  else if (json.startsWith('{')) return JSON.parse(json);
  else if (json !== 'null')
    fault('UNKNOWN_COLUMN', 'has no names, and is ignored: write them, as in {"badge": "New"}');
  return {};
}

/** The digits of a number that JSON keeps exactly, if they are those of what is read. */
const significantDigits = (number: string) => number.replace(/e.*|\D/gi, '').replace(/^0+|0+$/g, '');

/** The JSON of a value, with the keys of objects in order, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`)}}`;
}
