import { findNodeAtLocation, type JSONVisitor, parseTree, visit } from 'jsonc-parser';
import { type Column, EXTRA, isExtra } from '../contract/columns.ts';
import type { ProblemCode, Reporter } from '../contract/problems.ts';
import { excerpt } from '../messages.ts';
import type { SourceText } from './decode.ts';
import { jsonFault, notAnArray } from './json-faults.ts';
import {
  isUnknown,
  MAX_COLUMNS,
  MAX_ROWS,
  type Table,
  tooManyColumns,
  tooManyRows,
  unknownColumn,
} from './table.ts';

/** Rows are at depth 2, and values may be nested. Deeper nesting is an accident or an attack. */
const MAX_DEPTH = 32;

/** Thrown to stop parsing, since nothing after a syntax error can be trusted. */
class Stopped extends Error {}

/** Parses a JSON file (RFC 8259), which must be an array of objects. Each cell is the source text of its value. */
export function parseJson(source: SourceText, columns: Column[], report: Reporter): Table {
  const { file, encoding, text, locate } = source;
  const table: Table = {
    file,
    format: 'json',
    encoding,
    decimal: '.',
    rows: [],
    complete: false,
    lines: () => Uint32Array.from(table.rows, ({ start }) => locate(start).line ?? 1),
    locate: ({ start, end }, column, offset = 0) =>
      column === undefined
        ? locate(start)
        : { ...locate(start + valueOffset(text.slice(start, end), column) + offset), heading: column },
  };
  if (text.trim() === '') {
    report(locate(0), 'EMPTY_FILE', 'the file is empty: write an array of rows, such as []');
    return table;
  }
  try {
    visit(text, rowVisitor(source, table, columns, report), { disallowComments: true });
    table.complete = true;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return table;
}

/** Adds rows to the table. The depth is 0 outside the array, 1 in it, 2 in a row, and more inside a value. */
function rowVisitor(source: SourceText, table: Table, columns: Column[], report: Reporter): JSONVisitor {
  const { text, locate } = source;
  const checkKey = keyCheck(source, columns, report);
  let depth = 0;
  /** Where the row begins; undefined if the value is not an object. */
  let rowStart: number | undefined;
  let names: string[] = [];
  let cells: string[] = [];
  let namesOfLastRow: readonly string[] = [];
  /** The keys of the row, each with the offset of its first occurrence. */
  let keys = new Map<string, number>();
  let valueStart = 0;

  const stop = (offset: number, code: ProblemCode, message: string) => {
    report(locate(offset), code, message);
    throw new Stopped();
  };
  /** Drops the rows as well, whose own problems would hide this one. */
  const dropAll = (offset: number, code: ProblemCode, message: string) => {
    table.rows = [];
    stop(offset, code, message);
  };
  const beginValue = (offset: number, type: 'object' | 'array' | 'literal') => {
    if (depth === 0 && type !== 'array') {
      stop(offset, 'NOT_AN_ARRAY', notAnArray(text, offset));
    } else if (depth === 1) {
      if (table.rows.length === MAX_ROWS) dropAll(offset, 'TOO_MANY_ROWS', tooManyRows);
      rowStart = type === 'object' ? offset : undefined;
      if (rowStart === undefined)
        report(locate(offset), 'NOT_AN_OBJECT', 'this is not a row: write each row as { ... }');
      names = [];
      cells = [];
      keys = new Map();
    } else if (depth === 2) {
      valueStart = offset;
    } else if (depth === MAX_DEPTH) {
      stop(offset, 'TOO_DEEP', `this value is nested more than ${MAX_DEPTH} levels deep: delete it`);
    }
  };
  const endValue = (end: number) => {
    if (depth === 2) cells.push(text.slice(valueStart, end));
    if (depth !== 1 || rowStart === undefined) return;
    const isSame =
      names.length === namesOfLastRow.length && names.every((name, index) => name === namesOfLastRow[index]);
    if (!isSame) namesOfLastRow = names;
    table.rows.push({ start: rowStart, end, matchesHeader: true, names: namesOfLastRow, cells });
  };
  const open = (type: 'object' | 'array') => (offset: number) => {
    beginValue(offset, type);
    depth += 1;
  };
  const close = (offset: number) => {
    depth -= 1;
    endValue(offset + 1);
  };
  return {
    onObjectBegin: open('object'),
    onArrayBegin: open('array'),
    onObjectEnd: close,
    onArrayEnd: close,
    onLiteralValue(_value, offset, length) {
      beginValue(offset, 'literal');
      endValue(offset + length);
    },
    onObjectProperty(key, offset) {
      if (depth !== 2) return;
      if (names.length >= MAX_COLUMNS) dropAll(offset, 'TOO_MANY_COLUMNS', tooManyColumns);
      const first = keys.get(key);
      checkKey(key, offset, first);
      keys.set(key, first ?? offset);
      names.push(key);
    },
    onError(code, at, length) {
      const { offset, message } = jsonFault(code, text, at, length);
      stop(offset, 'BAD_JSON', message);
    },
  };
}

/** Reports keys that a row has twice, `first` at another offset, and each unknown key once. */
function keyCheck({ locate }: SourceText, columns: readonly Column[], report: Reporter) {
  const known = columns.map(column => column.name);
  const unknown = new Set<string>();
  return (key: string, offset: number, first: number | undefined): void => {
    if (first !== undefined) {
      const message = `this row has the key ${excerpt(key) || '""'} twice: delete one of the two`;
      report({ ...locate(offset), heading: key }, 'DUPLICATE_COLUMN', message, locate(first));
    } else if (key === '__proto__') {
      report(locate(offset), 'FORBIDDEN_COLUMN', 'a column cannot be named __proto__: delete it');
    } else if (!unknown.has(key) && key !== EXTRA && (isExtra(key) || isUnknown(key, known))) {
      unknown.add(key);
      report({ ...locate(offset), heading: key }, 'UNKNOWN_COLUMN', unknownColumn(key, known, 'json'));
    }
  };
}

/** Returns the offset of a column's value in the source text of a row; 0 if the row has no such column. */
function valueOffset(rowText: string, column: string): number {
  const row = parseTree(rowText);
  const path = column.startsWith(`${EXTRA}.`) ? [EXTRA, column.slice(EXTRA.length + 1)] : [column];
  return (row && findNodeAtLocation(row, path)?.offset) ?? 0;
}
