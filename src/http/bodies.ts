import type { Pagination } from '../query/paging.ts';
import { success } from './envelope.ts';

/** Bytes of JSON in UTF-8, or a count: a whole number that is not negative. */
export type Piece = Uint8Array | number;

/** How many bytes a whole number can have, up to Number.MAX_SAFE_INTEGER. */
const MAX_DIGITS = 16;
const ZERO = 48;
const EMPTY = new Uint8Array();

/** Stands in an example for what differs from answer to answer. */
const HOLE = '?';
const [opening = EMPTY, closing = EMPTY] = aroundHoles(success(HOLE));
const [pageOpening = EMPTY, ...pageEnd] = aroundHoles(
  success({ list: [HOLE], pagination: { current_page: HOLE, total: HOLE } }),
);
const [listEnd = EMPTY, beforeTotal = EMPTY, pageClosing = EMPTY] = pageEnd;

/** The envelope around a record that is given as JSON: a character for each byte of its UTF-8. */
export function recordBody(json: string): string {
  return latin1([opening, Buffer.from(json), closing]);
}

/** The same around a record with a hole in it, of which the pieces before and after the hole are given. */
export function recordHalves(before: readonly Uint8Array[], after: Uint8Array): [string, string] {
  return [latin1([opening, ...before]), latin1([after, closing])];
}

/** The envelope around a page of records, which are given in pieces together with the commas between them. */
export function pageBody(records: readonly Piece[], { current_page, total }: Pagination): Buffer {
  return assemble([pageOpening, ...records, listEnd, current_page, beforeTotal, total, pageClosing]);
}

/** The JSON of a value before, between and after the holes in it. */
function aroundHoles(example: object): Uint8Array[] {
  return JSON.stringify(example)
    .split(JSON.stringify(HOLE))
    .map(text => Buffer.from(text));
}

function latin1(pieces: readonly Uint8Array[]): string {
  return assemble(pieces).toString('latin1');
}

function assemble(pieces: readonly Piece[]): Buffer {
  let size = 0;
  for (const piece of pieces) size += typeof piece === 'number' ? MAX_DIGITS : piece.length;
  const target = Buffer.allocUnsafe(size);
  let end = 0;
  for (const piece of pieces) {
    if (typeof piece === 'number') {
      end = writeDigits(target, end, piece);
    } else {
      target.set(piece, end);
      end += piece.length;
    }
  }
  return target.subarray(0, end);
}

/** Returns where the digits end. */
function writeDigits(target: Uint8Array, start: number, value: number): number {
  let end = start + 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) end += 1;
  let rest = value;
  for (let at = end - 1; at >= start; at -= 1) {
    target[at] = ZERO + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return end;
}
