import { createInflateRaw } from 'node:zlib';

/** The bytes of a DEFLATE stream (RFC 1951) in pieces. @throws Error of zlib if it is damaged or cut off. */
export async function* inflate(packed: Buffer): AsyncGenerator<Buffer> {
  const stream = createInflateRaw();
  stream.end(packed);
  yield* stream;
}
