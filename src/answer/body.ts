/** Text as UTF-8: as pieces, or as a string with one character per byte (latin1). */
export type Body = readonly Uint8Array[] | string;

/** A body of more bytes is not copied. */
const MAX_COPIED = 2 ** 18;

export function byteLength(body: Body): number {
  if (typeof body === 'string') return body.length;
  let length = 0;
  for (const piece of body) length += piece.length;
  return length;
}

/** Whether a body is sent in pieces that all answers share, so that clients that do not read it hold no memory. */
export function isLarge(body: Body): body is readonly Uint8Array[] {
  return typeof body !== 'string' && byteLength(body) > MAX_COPIED;
}

export function bytesOf(body: Body): Buffer {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : assemble(body);
}

/** Joins pieces in memory of their own. */
export function assemble(pieces: readonly Uint8Array[]): Buffer {
  const target = Buffer.allocUnsafeSlow(byteLength(pieces));
  let end = 0;
  for (const piece of pieces) {
    target.set(piece, end);
    end += piece.length;
  }
  return target;
}

export function digitsOf(value: number): Uint8Array {
  return Buffer.from(String(value));
}
