/** Bytes of text in UTF-8, or a whole number from 0. */
export type Piece = Uint8Array | number;

/** Text as UTF-8: as pieces, or as a string with one character per byte (latin1). */
export type Body = readonly Piece[] | string;

/** A body of more bytes is not copied. */
const MAX_COPIED = 2 ** 18;
const ZERO = 48;

/** How many bytes it has. */
export function byteLength(body: Body): number {
  if (typeof body === 'string') return body.length;
  let length = 0;
  for (const piece of body) length += typeof piece === 'number' ? digitsOf(piece) : piece.length;
  return length;
}

/**
 * Whether a body is so large that it is sent in its pieces, which all answers share, so that clients that do not read theirs
 * hold no memory. To copy a smaller one into one piece is faster.
 */
export function isLarge(body: Body): body is readonly Piece[] {
  return typeof body !== 'string' && byteLength(body) > MAX_COPIED;
}

/** Its pieces, which are not copied. */
export function bytesOfEach(body: readonly Piece[]): Uint8Array[] {
  return body.map(piece => (typeof piece === 'number' ? Buffer.from(String(piece)) : piece));
}

/** All of it in one piece. */
export function bytesOf(body: Body): Buffer {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : assemble(body);
}

/** The start of many bodies: a string, which is faster, unless it is large. */
export function startOf(pieces: readonly Piece[]): Body {
  return isLarge(pieces) ? pieces : assemble(pieces).toString('latin1');
}

/** A body with that start, and an end of one character per byte (latin1). */
export function startingWith(start: Body, end: string): Body {
  return typeof start === 'string' ? start + end : [...start, Buffer.from(end, 'latin1')];
}

/** Joins pieces in memory of their own, after a head of one byte a character. */
export function assemble(pieces: readonly Piece[], head = ''): Buffer {
  const target = Buffer.allocUnsafeSlow(head.length + byteLength(pieces));
  target.write(head, 'latin1');
  let end = head.length;
  for (const piece of pieces) {
    if (typeof piece === 'number') {
      end = writeDigits(target, end, piece);
    } else {
      target.set(piece, end);
      end += piece.length;
    }
  }
  return target;
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
  return digits;
}

/** Returns the offset after the digits. */
function writeDigits(target: Uint8Array, start: number, value: number): number {
  const end = start + digitsOf(value);
  let rest = value;
  for (let at = end - 1; at >= start; at -= 1) {
    target[at] = ZERO + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return end;
}
