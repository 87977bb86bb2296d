import { findNodeAtLocation, type ParseErrorCode, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import type { Report } from './problems.ts';
import { unknownColumn } from './suggest.ts';
import type { RawRow, Table } from './table.ts';
import type { SourceText } from './text.ts';

/** A row is at depth 2 and an unknown column may hold values of its own; more than this is an accident or an attack. */
const MAX_DEPTH = 32;

/** What a fault of the notation means to somebody who edits the file by hand. */
const faults: Partial<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'this is no JSON value: write a number, a text in "double quotes", true, false or null',
  InvalidNumberFormat: 'this is no JSON number: write digits such as 4096 or 19.90',
  UnexpectedEndOfNumber: 'this is no JSON number: write digits such as 4096 or 19.90',
  PropertyNameExpected: 'a key in "double quotes" is missing here, or the comma before is one too many',
  ValueExpected: 'a value is missing here, or the comma before is one too many',
  ColonExpected: 'a colon is missing here',
  CommaExpected: 'a comma is missing here',
  CloseBraceExpected: 'the closing } of this row is missing',
  CloseBracketExpected: 'the closing ] is missing: was the file cut off?',
  EndOfFileExpected: 'the array has ended before this: delete what follows it',
  InvalidCommentToken: 'JSON has no comments: delete this one',
  UnexpectedEndOfComment: 'JSON has no comments: delete this one',
  UnexpectedEndOfString:
    'this text has no closing quote on its line: write a line break inside a text as \\n',
  InvalidUnicode: '\\u wants four hexadecimal digits, such as \\u00e9',
  InvalidEscapeCharacter: 'unknown escape: write a backslash as \\\\',
  InvalidCharacter: 'a control character stands in this text: write a tab as \\t, a line break as \\n',
};

/** Thrown to leave the visit: what follows a fault of the notation cannot be trusted. */
class Broken extends Error {}

/** Takes a JSON file apart: one array of objects, strictly by RFC 8259, with each value's source text. */
export function parseJson(source: SourceText, known: readonly string[], report: Report): Table {
  const table: Table = {
    file: source.file,
    notation: 'json',
    header: undefined,
    rows: [],
    complete: false,
    place: (row, column) =>
      source.place(row.start + valueOffset(source.text.slice(row.start, row.end), column)),
  };
  if (source.text.trim() === '') {
    report({
      file: source.file,
      line: 1,
      column: 1,
      code: 'EMPTY_FILE',
      message: 'the file is empty: write an array of rows, such as []',
    });
    return table;
  }
  try {
    visit(source.text, rowVisitor(source, table, known, report), { disallowComments: true });
    table.complete = true;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
  }
  return table;
}

/** Follows the visit with a depth: 0 outside, 1 in the array, 2 in a row, more inside a value. */
function rowVisitor(
  source: SourceText,
  table: Table,
  known: readonly string[],
  report: Report,
): Parameters<typeof visit>[1] {
  let depth = 0;
  let row: RawRow | undefined;
  let key = '';
  let valueStart = 0;
  let keyOffsets = new Map<string, number>();
  const unknown = new Set<string>();

  const fail = (offset: number, code: 'BAD_JSON' | 'NOT_AN_ARRAY' | 'TOO_DEEP', message: string): never => {
    report({ ...source.place(offset), code, message });
    throw new Broken();
  };
  const begin = (offset: number, isObject: boolean) => {
    if (depth === 0 && isObject)
      fail(offset, 'NOT_AN_ARRAY', 'the file begins with an object: write an array of rows, [ ... ], alone');
    if (depth === MAX_DEPTH) fail(offset, 'TOO_DEEP', `values are nested more than ${MAX_DEPTH} deep`);
    if (depth === 1) {
      if (!isObject)
        report({
          ...source.place(offset),
          code: 'NOT_AN_OBJECT',
          message: 'a row is an object: write { ... }',
        });
      row = isObject ? { start: offset, end: offset, whole: true, cells: new Map() } : undefined;
      keyOffsets = new Map();
    }
    if (depth === 2) valueStart = offset;
    depth += 1;
  };
  const end = (offset: number) => {
    depth -= 1;
    if (depth === 2) row?.cells.set(key, source.text.slice(valueStart, offset + 1));
    if (depth === 1 && row) {
      row.end = offset + 1;
      table.rows.push(row);
    }
  };
  return {
    onObjectBegin: offset => begin(offset, true),
    onArrayBegin: offset => begin(offset, false),
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty(name, offset) {
      if (depth !== 2) return;
      key = name;
      const first = keyOffsets.get(key);
      if (first !== undefined) {
        const also = source.place(first);
        report({
          ...source.place(offset),
          code: 'DUPLICATE_COLUMN',
          message: `the key ${key} stands twice in this row: delete one of the two`,
          also,
        });
      } else if (!known.includes(key) && !unknown.has(key)) {
        unknown.add(key);
        report({ ...source.place(offset), code: 'UNKNOWN_COLUMN', message: unknownColumn(key, known) });
      }
      keyOffsets.set(key, first ?? offset);
    },
    onLiteralValue(_value, offset, length) {
      if (depth === 0)
        fail(offset, 'NOT_AN_ARRAY', 'the file holds a single value: write an array of rows, [ ... ]');
      if (depth === 1)
        report({
          ...source.place(offset),
          code: 'NOT_AN_OBJECT',
          message: 'a row is an object: write { ... }',
        });
      if (depth === 2) row?.cells.set(key, source.text.slice(offset, offset + length));
    },
    onError(fault: ParseErrorCode, offset) {
      fail(offset, 'BAD_JSON', faults[printParseErrorCode(fault)] ?? 'this is no JSON');
    },
  };
}

/** Where in a row's source text the value of a column begins; 0, its first character, where it has no such column. */
function valueOffset(rowText: string, column: string | undefined): number {
  const tree = column === undefined ? undefined : parseTree(rowText);
  return (tree && column !== undefined && findNodeAtLocation(tree, [column])?.offset) || 0;
}
