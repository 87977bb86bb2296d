import type { Pagination } from '../contract/envelope.ts';
import { type NewsInclude, newsIncludes } from '../contract/queries.ts';
import type { NewsListItem } from '../contract/records.ts';
import { type NewsTable, READ_KEY } from '../snapshot/news-table.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { success } from './envelope.ts';

/** UTF-8 text in pieces, or as a latin1 string with one character per byte. */
export type Body = readonly Uint8Array[] | string;

/** The maximum size of a body that is copied, in bytes. */
const MAX_COPIED = 2 ** 18;

export function byteLength(body: Body): number {
  if (typeof body === 'string') return body.length;
  let length = 0;
  for (const piece of body) length += piece.length;
  return length;
}

/** Whether a body is sent in shared pieces, so that clients that do not read it hold no copies in memory. */
export function isLarge(body: Body): body is readonly Uint8Array[] {
  return typeof body !== 'string' && byteLength(body) > MAX_COPIED;
}

/** Copies a body. */
export function bytesOf(body: Body): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'latin1');
  const target = Buffer.allocUnsafeSlow(byteLength(body));
  let end = 0;
  for (const piece of body) {
    target.set(piece, end);
    end += piece.length;
  }
  return target;
}

export function digitsOf(value: number): Uint8Array {
  return Buffer.from(String(value));
}

const EMPTY = new Uint8Array();

const HOLE = '?';
const [opening = EMPTY, closing = EMPTY] = aroundHoles(success(HOLE));
const [pageOpening = EMPTY, ...pageEnd] = aroundHoles(
  success({ list: [HOLE], pagination: { current_page: HOLE, total: HOLE } }),
);
const [listEnd = EMPTY, beforeTotal = EMPTY, pageClosing = EMPTY] = pageEnd;

/** Wraps a record's JSON in the envelope. The result is a string, which is faster to send, unless it is large. */
export function recordBody(...json: readonly Uint8Array[]): Body {
  const pieces = [opening, ...json, closing];
  return isLarge(pieces) ? pieces : bytesOf(pieces).toString('latin1');
}

/** The own fields of a news item as a field with a comma behind it. */
export function extraPieces(extra: Snapshot['extra'], id: number): Uint8Array[] {
  const fields = extra.get(`news ${id}`);
  return fields ? [Buffer.from(`"extra":${JSON.stringify(fields)},`)] : [];
}

/** Wraps a page of records in the envelope. The pieces include the commas between records. */
export function pageBody(records: readonly Uint8Array[], { current_page, total }: Pagination): Uint8Array[] {
  const numbers = [digitsOf(current_page), beforeTotal, digitsOf(total)];
  return [pageOpening, ...records, listEnd, ...numbers, pageClosing];
}

function aroundHoles(example: object): Uint8Array[] {
  const parts = JSON.stringify(example).split(JSON.stringify(HOLE));
  return parts.map(text => Buffer.from(text));
}

const TYPE = Buffer.from('"type_id":');
const COMMA = Buffer.from(',');

/** The JSON of news rows, separated by commas. `include` adds fields before the read count, `extra` those of rows with any. */
export function listPieces(
  { id, json, itemOffsets, readOffsets, detailOffsets, type_id }: NewsTable,
  rows: readonly number[],
  reads: readonly number[],
  include: readonly NewsInclude[] = [],
  extra: Snapshot['extra'] = new Map(),
): Uint8Array[] {
  const [hasImage, hasType, hasExtra] = newsIncludes.map(name => include.includes(name));
  return rows.flatMap((row, index) => {
    const count = readOffsets[row] ?? 0;
    const key = count - READ_KEY.length;
    const end = (itemOffsets[row + 1] ?? 0) - (index === rows.length - 1 ? COMMA.length : 0);
    const image = json.subarray(detailOffsets[2 * row], (detailOffsets[2 * row + 1] ?? 0) - READ_KEY.length);
    const type = type_id[row];
    return [
      json.subarray(itemOffsets[row], key),
      ...(hasImage ? [image] : []),
      ...(hasType && type ? [TYPE, digitsOf(type), COMMA] : []),
      ...(hasExtra ? extraPieces(extra, id[row] ?? 0) : []),
      json.subarray(key, count),
      digitsOf(reads[index] ?? 0),
      json.subarray(count, end),
    ];
  });
}

/** Returns news rows as objects in which `read` is 0. */
export function listItems(news: NewsTable, rows: readonly number[]): NewsListItem[] {
  return JSON.parse(`[${bytesOf(listPieces(news, rows, []))}]`);
}
