/**
 * A trigram is up to three bytes of UTF-8 without white space: a Chinese character is one, and so are three Latin
 * letters. Shorter ones, of one or two bytes, exist for terms that have no more.
 */
export const TRIGRAM_BYTES = 3;

/** How many numbers trigrams have. */
export const TRIGRAM_COUNT = 2 ** 24 + 2 ** 16 + 2 ** 8;

const SPACE = 0x20;

/** The number of a trigram: first those of three bytes, then those of two, then those of one. */
export function trigramOf(one: number, two?: number, three?: number): number {
  if (two === undefined) return 2 ** 24 + 2 ** 16 + one;
  if (three === undefined) return 2 ** 24 + ((one << 8) | two);
  return (one << 16) | (two << 8) | three;
}

/** The trigram that a term is, or else all that it contains. */
export function trigramsOf(term: string): number[] {
  const bytes = Buffer.from(term);
  const length = Math.min(bytes.length, TRIGRAM_BYTES);
  return Array.from({ length: bytes.length - length + 1 }, (_, at) =>
    trigramOf(bytes[at] ?? 0, bytes[at + 1], bytes[at + 2]),
  );
}

/**
 * Calls `visit` for every trigram of the text in `bytes` that a term can have, in order and as often as it occurs. The
 * text ends at `end`; `bytes` has room for {@link TRIGRAM_BYTES} more, which are overwritten.
 */
export function eachTrigram(bytes: Buffer, end: number, visit: (trigram: number) => void): void {
  bytes.fill(SPACE, end, end + TRIGRAM_BYTES);
  for (let at = 0; at < end; at += 1) {
    const one = bytes[at] ?? 0;
    if (isSpace(one)) continue;
    if (one < 0x80) visit(trigramOf(one));
    const two = bytes[at + 1] ?? 0;
    if (isSpace(two)) continue;
    // A term of two bytes is two ASCII characters, or one character of two bytes.
    if (one < 0x80 || (one >= 0xc0 && one < 0xe0)) visit(trigramOf(one, two));
    const three = bytes[at + 2] ?? 0;
    if (!isSpace(three)) visit(trigramOf(one, two, three));
  }
}

/** Whether a byte is white space, which no term contains. */
function isSpace(byte: number): boolean {
  return byte === SPACE || (byte >= 9 && byte <= 13);
}
