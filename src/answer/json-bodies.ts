import type { Pagination } from '../contract/envelope.ts';
import { assemble, type Body, digitsOf, isLarge } from './body.ts';
import { success } from './envelope.ts';

const EMPTY = new Uint8Array();

/** Placeholder in the examples below. */
const HOLE = '?';
const [opening = EMPTY, closing = EMPTY] = aroundHoles(success(HOLE));
const [pageOpening = EMPTY, ...pageEnd] = aroundHoles(
  success({ list: [HOLE], pagination: { current_page: HOLE, total: HOLE } }),
);
const [listEnd = EMPTY, beforeTotal = EMPTY, pageClosing = EMPTY] = pageEnd;

/** The envelope around a record, given as pieces of JSON: a string, which is faster to send, unless it is large. */
export function recordBody(...json: readonly Uint8Array[]): Body {
  const pieces = [opening, ...json, closing];
  return isLarge(pieces) ? pieces : assemble(pieces).toString('latin1');
}

/** The envelope around a page of records, given in pieces that include the commas between records. */
export function pageBody(records: readonly Uint8Array[], { current_page, total }: Pagination): Uint8Array[] {
  const numbers = [digitsOf(current_page), beforeTotal, digitsOf(total)];
  return [pageOpening, ...records, listEnd, ...numbers, pageClosing];
}

/** The JSON of a value, split at its placeholders. */
function aroundHoles(example: object): Uint8Array[] {
  return JSON.stringify(example)
    .split(JSON.stringify(HOLE))
    .map(text => Buffer.from(text));
}
