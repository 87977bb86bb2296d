import { findNodeAtLocation, type JSONVisitor, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { excerpt, type ProblemCode, type Report } from './problems.ts';
import type { Column } from './schemas.ts';
import { unknownColumn } from './suggest.ts';
import type { RawRow, Table } from './table.ts';
import type { SourceText } from './text.ts';

/** A row is at depth 2 and an unknown column may hold values of its own; more than this is an accident or an attack. */
const MAX_DEPTH = 32;

/** What a fault of the notation means to somebody who edits the file by hand. */
const faults: Partial<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol:
    'this is neither a key nor a value: write texts and keys in "double quotes", numbers, true, false or null',
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
export function parseJson(source: SourceText, columns: Column[], report: Report): Table {
  const table: Table = {
    file: source.file,
    notation: 'json',
    encoding: source.encoding,
    delimiter: undefined,
    decimal: '.',
    header: undefined,
    rows: [],
    lastRow: undefined,
    complete: false,
    place: (row, column) =>
      source.place(row.start + (column ? valueOffset(source.text.slice(row.start, row.end), column) : 0)),
  };
  if (source.text.trim() === '') {
    report(source.place(0), 'EMPTY_FILE', 'the file is empty: write an array of rows, such as []');
    return table;
  }
  try {
    visit(source.text, rowVisitor(source, table, columns, report), { disallowComments: true });
    table.complete = true;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
  }
  return table;
}

/** Puts the rows into the table. The depth is 0 outside of all, 1 in the array, 2 in a row, more inside a value. */
function rowVisitor(
  { text, place }: SourceText,
  table: Table,
  columns: Column[],
  report: Report,
): JSONVisitor {
  const known = columns.map(column => column.name);
  const unknown = new Set<string>();
  let depth = 0;
  let row: RawRow | undefined;
  let keys = new Map<string, number>();
  let key = '';
  let valueStart = 0;

  const breakOff = (offset: number, code: ProblemCode, message: string) => {
    report(place(offset), code, message);
    throw new Broken();
  };
  const beginValue = (offset: number, form: 'object' | 'array' | 'literal') => {
    if (depth === 0 && form !== 'array') {
      breakOff(
        offset,
        'NOT_AN_ARRAY',
        'the file is to hold an array of rows and nothing else: write [ ... ]',
      );
    } else if (depth === 1) {
      if (form !== 'object') report(place(offset), 'NOT_AN_OBJECT', 'a row is an object: write { ... }');
      row = form === 'object' ? { start: offset, end: offset, whole: true, cells: new Map() } : undefined;
      keys = new Map();
    } else if (depth === 2) {
      valueStart = offset;
    } else if (depth === MAX_DEPTH) {
      breakOff(offset, 'TOO_DEEP', `values are nested more than ${MAX_DEPTH} deep`);
    }
  };
  const endValue = (end: number) => {
    if (depth === 2) row?.cells.set(key, text.slice(valueStart, end));
    if (depth !== 1 || !row) return;
    row.end = end;
    table.rows.push(row);
  };
  const open = (form: 'object' | 'array') => (offset: number) => {
    beginValue(offset, form);
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
    onObjectProperty(name, offset) {
      if (depth !== 2) return;
      key = name;
      const first = keys.get(key);
      if (first !== undefined) {
        const message = `the key ${excerpt(key) || '""'} stands twice in this row: delete one of the two`;
        report(place(offset), 'DUPLICATE_COLUMN', message, place(first));
      } else if (key === '__proto__') {
        report(place(offset), 'FORBIDDEN_COLUMN', 'the name __proto__ is no name for a column: delete it');
      } else if (!known.includes(key) && !unknown.has(key)) {
        unknown.add(key);
        report(place(offset), 'UNKNOWN_COLUMN', unknownColumn(key, known));
      }
      keys.set(key, first ?? offset);
    },
    onError: (fault, offset) =>
      breakOff(offset, 'BAD_JSON', faults[printParseErrorCode(fault)] ?? 'this is no JSON'),
  };
}

/** Where in a row's source text the value of a column begins; 0, its first character, where it has no such column. */
function valueOffset(rowText: string, column: string): number {
  const tree = parseTree(rowText);
  return (tree && findNodeAtLocation(tree, [column])?.offset) ?? 0;
}
