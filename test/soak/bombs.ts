import { MAX_TEXT_LENGTH } from '../../src/contract/columns.ts';
import type { ProblemCode } from '../../src/contract/problems.ts';

/**
 * A catalog file that costs its reader far more than its size, of about so many bytes; and the error that names its
 * fault, or none where it is a set like any other, for as long as there is memory for it.
 */
type Bomb = [
  what: string,
  file: string,
  code: ProblemCode | undefined,
  content: (bytes: number) => string | Buffer,
];

const filled = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / Buffer.byteLength(text)));
const rows = (bytes: number, row: (index: number) => string, separator: string) => {
  const length = Buffer.byteLength(row(9_999_999)) + separator.length;
  return Array.from({ length: Math.ceil(bytes / length) }, (_, index) => row(index)).join(separator);
};
const jsonRows = (row: (index: number) => string) => (bytes: number) => `[${rows(bytes, row, ',')}]`;
const all =
  (text: string, before = '', after = '') =>
  (bytes: number) =>
    before + filled(text, bytes) + after;
const newsItem = (index: number, content: string, more = '') =>
  `{"id":${index + 1},"title":"t","content":"${content}","create_time":1700000002${more}}`;
/** News whose texts are as long as they may be. */
const newsOf = (text: string) => {
  const content = filled(text, MAX_TEXT_LENGTH / 2).slice(0, MAX_TEXT_LENGTH);
  return jsonRows(index => newsItem(index, content));
};
const NEWS = 'id,title,content,create_time\n';
const PRICES = 'id,product_id,rel_id,duration_id,price\n';

export const bombs: readonly Bomb[] = [
  ['a file of line breaks', 'news.json', 'EMPTY_FILE', all('\n')],
  ['line breaks around a fault', 'news.json', 'BAD_JSON', all('\n', '[', 'x]')],
  ['opening brackets', 'news.json', 'TOO_DEEP', all('[')],
  ['rows without a value', 'news.json', 'TOO_MANY_ROWS', jsonRows(() => '{}')],
  ['numbers in place of rows', 'products.json', 'NOT_AN_OBJECT', jsonRows(() => '1')],
  ['a long text', 'products.json', 'BAD_TEXT', all('x', '[{"id":1,"name":"', '"}]')],
  ['combining marks', 'news.json', undefined, newsOf('\u0301\u0323')],
  ['a character that becomes 18', 'news.json', 'LOAD_FAILED', newsOf('\ufdfa')],
  ['tags that never end', 'news.json', undefined, newsOf('<a ')],
  [
    'a mistake a row',
    'news.json',
    'BAD_ID',
    jsonRows(index => newsItem(-2 - index, 'some text of a length')),
  ],
  [
    'one id in every row',
    'products.json',
    'DUPLICATE_ID',
    jsonRows(() => '{"id":1,"name":"one of many products that have the same name and the same id"}'),
  ],
  ['a quoted cell of line breaks', 'news.csv', 'BAD_TEXT', all('\n', `${NEWS}1,t,"`, '",2024-01-05\n')],
  ['a line of commas', 'news.csv', 'TOO_MANY_COLUMNS', all(',', NEWS)],
  ['a quote that never closes', 'news.csv', 'UNCLOSED_QUOTE', all('x,\n', `${NEWS}1,"`)],
  [
    'references that lead nowhere',
    'prices.json',
    'UNKNOWN_REFERENCE',
    jsonRows(index => `{"id":${index + 1},"product_id":1,"rel_id":${9e8 + index},"duration_id":4,"price":1}`),
  ],
  [
    'as many prices as fit',
    'prices.csv',
    'TOO_MANY_ROWS',
    bytes => PRICES + rows(bytes, index => `${index + 1},1,${index + 1},4,1`, '\n'),
  ],
  [
    'a wrong byte after many U+FFFD',
    'news.csv',
    'BAD_ENCODING',
    bytes => Buffer.concat([Buffer.from(NEWS + filled('\ufffd', bytes)), Buffer.from([0xff])]),
  ],
];
