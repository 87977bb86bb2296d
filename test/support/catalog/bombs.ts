import { MAX_TEXT_LENGTH } from '../../../src/contract/columns.ts';
import type { ProblemCode } from '../../../src/contract/problems.ts';

/** A catalog file that costs its reader far more than its size, of about so many bytes; and how it is refused. */
interface Bomb {
  file: string;
  /** The error that names its fault; none where it is a set like any other, for as long as there is memory for it. */
  code?: ProblemCode;
  content(bytes: number): string | Buffer;
}

const filled = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / Buffer.byteLength(text)));
const rows = (bytes: number, row: (index: number) => string, separator: string) => {
  const length = Buffer.byteLength(row(9_999_999)) + separator.length;
  return Array.from({ length: Math.ceil(bytes / length) }, (_, index) => row(index)).join(separator);
};
const jsonRows = (bytes: number, row: (index: number) => string) => `[${rows(bytes, row, ',')}]`;
/** News whose texts are as long as they may be. */
const newsOf = (text: string, bytes: number) => {
  const content = filled(text, MAX_TEXT_LENGTH / 2).slice(0, MAX_TEXT_LENGTH);
  return jsonRows(
    bytes,
    index => `{"id":${index + 1},"title":"t","content":"${content}","create_time":1700000002}`,
  );
};
const NEWS = 'id,title,content,create_time\n';
const PRICES = 'id,product_id,rel_id,duration_id,price\n';

export const bombs: Record<string, Bomb> = {
  'a file of line breaks': { file: 'news.json', code: 'EMPTY_FILE', content: bytes => filled('\n', bytes) },
  'line breaks around a fault': {
    file: 'news.json',
    code: 'BAD_JSON',
    content: bytes => `[${filled('\n', bytes)}x]`,
  },
  'opening brackets': { file: 'news.json', code: 'TOO_DEEP', content: bytes => filled('[', bytes) },
  'objects in objects': {
    file: 'news.json',
    code: 'TOO_DEEP',
    content: bytes => `[${filled('{"a":', bytes)}`,
  },
  'rows without a value': {
    file: 'news.json',
    code: 'TOO_MANY_ROWS',
    content: bytes => jsonRows(bytes, () => '{}'),
  },
  'numbers in place of rows': {
    file: 'products.json',
    code: 'NOT_AN_OBJECT',
    content: bytes => jsonRows(bytes, () => '1'),
  },
  'a row of different keys': {
    file: 'news.json',
    code: 'TOO_MANY_COLUMNS',
    content: bytes => `[{${rows(bytes, index => `"k${index}":1`, ',')}}]`,
  },
  'a row of one key': {
    file: 'news.json',
    code: 'DUPLICATE_COLUMN',
    content: bytes => `[{${rows(bytes, () => '"id":1', ',')}}]`,
  },
  'a long key': {
    file: 'news.json',
    code: 'MISSING_VALUE',
    content: bytes => `[{"${filled('k', bytes)}":1}]`,
  },
  'a long text': {
    file: 'products.json',
    code: 'BAD_TEXT',
    content: bytes => `[{"id":1,"name":"${filled('x', bytes)}"}]`,
  },
  'a text of escapes': {
    file: 'products.json',
    code: 'BAD_TEXT',
    content: bytes => `[{"id":1,"name":"${filled('\\u0001', bytes)}"}]`,
  },
  'a long number': {
    file: 'products.json',
    code: 'BAD_ID',
    content: bytes => `[{"id":${filled('1', bytes)},"name":"x"}]`,
  },
  'a text that never ends': {
    file: 'news.json',
    code: 'BAD_JSON',
    content: bytes => `[{"id":"${filled('x', bytes)}`,
  },
  'a huge value of an unknown column': {
    file: 'products.json',
    code: 'MISSING_VALUE',
    content: bytes => `[{"id":1,"what":[${rows(bytes, () => '[]', ',')}]}]`,
  },
  'combining marks': {
    file: 'news.json',
    content: bytes => newsOf('\u0301\u0323', bytes),
  },
  'a character that becomes 18': {
    file: 'news.json',
    code: 'LOAD_FAILED',
    content: bytes => newsOf('\ufdfa', bytes),
  },
  'a mistake a row': {
    file: 'news.json',
    code: 'BAD_ID',
    content: bytes =>
      jsonRows(
        bytes,
        index => `{"id":-${index},"title":"a title of some length","content":"c","create_time":1700000002}`,
      ),
  },
  'a warning a row': {
    file: 'news.json',
    content: bytes =>
      jsonRows(
        bytes,
        index =>
          `{"id":${index + 1},"title":"t","content":"c","create_time":1700000002,"img":"${index}.png"}`,
      ),
  },
  'one id in every row': {
    file: 'products.json',
    code: 'DUPLICATE_ID',
    content: bytes =>
      jsonRows(bytes, () => '{"id":1,"name":"one of many products that have the same name and the same id"}'),
  },
  'a CSV file of line breaks': {
    file: 'news.csv',
    code: 'EMPTY_FILE',
    content: bytes => filled('\n', bytes),
  },
  'carriage returns before a fault': {
    file: 'news.csv',
    code: 'RAGGED_ROW',
    content: bytes => `${NEWS}${filled('\r', bytes)}x\r`,
  },
  'a quoted cell of line breaks': {
    file: 'news.csv',
    code: 'BAD_TEXT',
    content: bytes => `${NEWS}1,t,"${filled('\n', bytes)}",2024-01-05\n`,
  },
  'a line of commas': {
    file: 'news.csv',
    code: 'LINE_TOO_LONG',
    content: bytes => NEWS + filled(',', bytes),
  },
  'lines of commas': {
    file: 'news.csv',
    code: 'TOO_MANY_COLUMNS',
    content: bytes => NEWS + filled(`${','.repeat(1_000_000)}\n`, bytes),
  },
  'a header of many names': {
    file: 'news.csv',
    code: 'DUPLICATE_COLUMN',
    content: bytes =>
      `${NEWS.trim()},${'what,'.repeat(10_000)}\n${filled(`1,${'t'.repeat(80)},c,2\n`, bytes)}`,
  },
  'lines of quotes': {
    file: 'news.csv',
    code: 'RAGGED_ROW',
    content: bytes => `${NEWS}${filled(`${'"'.repeat(998)}\n`, bytes)}"`,
  },
  'a quote that never closes': {
    file: 'news.csv',
    code: 'UNCLOSED_QUOTE',
    content: bytes => `${NEWS}1,"${filled('x,\n', bytes)}`,
  },
  'rows that are too short': {
    file: 'news.csv',
    code: 'RAGGED_ROW',
    content: bytes => NEWS + filled(`the beginning of a row that is ${'very '.repeat(10)}long,2\n`, bytes),
  },
  'references that lead nowhere': {
    file: 'prices.json',
    code: 'UNKNOWN_REFERENCE',
    content: bytes =>
      jsonRows(
        bytes,
        index => `{"id":${index + 1},"product_id":1,"rel_id":${9e8 + index},"duration_id":4,"price":1}`,
      ),
  },
  'as many prices as fit': {
    file: 'prices.csv',
    code: 'TOO_MANY_ROWS',
    content: bytes => PRICES + rows(bytes, index => `${index + 1},1,${index + 1},4,1`, '\n'),
  },
  'a wrong byte after many U+FFFD': {
    file: 'news.csv',
    code: 'BAD_ENCODING',
    content: bytes => Buffer.concat([Buffer.from(NEWS + filled('\ufffd', bytes)), Buffer.from([0xff])]),
  },
  'UTF-16 of NULs': {
    file: 'news.csv',
    code: 'NUL_BYTE',
    content: bytes => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(bytes)]),
  },
};
