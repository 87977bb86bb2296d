import type { Pagination } from '../contract/envelope.ts';
import { assemble, type Body, digitsOf, startOf } from './body.ts';
import { success } from './envelope.ts';

const EMPTY = new Uint8Array();

/** Placeholder in the examples below. */
const HOLE = '?';
const [opening = EMPTY, closing = EMPTY] = aroundHoles(success(HOLE));
const [pageOpening = EMPTY, ...pageEnd] = aroundHoles(
  success({ list: [HOLE], pagination: { current_page: HOLE, total: HOLE } }),
);
const [listEnd = EMPTY, beforeTotal = EMPTY, pageClosing = EMPTY] = pageEnd;

/** The envelope around a record in JSON, with one character per byte of UTF-8. */
export function recordBody(json: string): string {
  return latin1([opening, Buffer.from(json), closing]);
}

/** The same before and after a value inside the record, little of which is after it. */
export function recordHalves(before: readonly Uint8Array[], after: Uint8Array): [Body, string] {
  return [startOf([opening, ...before]), latin1([after, closing])];
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

function latin1(pieces: readonly Uint8Array[]): string {
  return assemble(pieces).toString('latin1');
}
