/**
 * Which texts may hold a term. For every three bytes in a row of UTF-8 (a gram; a Chinese character is one) it keeps the
 * texts in which these occur, by their numbers: those of gram `g` lie in `gaps` from `starts[g]` on to `starts[g + 1]`,
 * each as its distance from the one before, in a byte; a zero stands for 255 that belong to the next. It takes about
 * as much memory as the texts. Grams of the same hash share an entry, so a text that is found has yet to be verified.
 */
export interface GramIndex {
  starts: Uint32Array;
  gaps: Uint8Array;
}

/** How many bytes of UTF-8 a UTF-16 unit may take. */
const MAX_UTF8_BYTES = 3;
const GRAM_BYTES = 3;
const HASH_BITS = 16;
const GRAMS = 2 ** HASH_BITS;
/** How many texts are decoded and thrown away for less than it costs to verify one. */
const DECODED_PER_VERIFIED = 4;

/** Numbers the texts from 0, in their order. */
export function indexGrams(texts: readonly string[]): GramIndex {
  const starts = new Uint32Array(GRAMS + 1);
  eachOccurrence(texts, (gram, gap) => {
    starts[gram + 1] = (starts[gram + 1] ?? 0) + Math.ceil(gap / 255);
  });
  for (let gram = 0; gram < GRAMS; gram += 1) {
    starts[gram + 1] = (starts[gram + 1] ?? 0) + (starts[gram] ?? 0);
  }
  const gaps = new Uint8Array(starts[GRAMS] ?? 0);
  const ends = starts.slice(0, GRAMS);
  eachOccurrence(texts, (gram, gap) => {
    const end = (ends[gram] ?? 0) + Math.ceil(gap / 255);
    gaps[end - 1] = ((gap - 1) % 255) + 1;
    ends[gram] = end;
  });
  return { starts, gaps };
}

/** Tells each gram of each text, once a text, together with how many texts it is after the last that has it. */
function eachOccurrence(texts: readonly string[], tell: (gram: number, gap: number) => void): void {
  const last = new Int32Array(GRAMS).fill(-1);
  // One for all of them, since the system does not get back what many small ones have taken.
  const bytes = Buffer.alloc(MAX_UTF8_BYTES * texts.reduce((most, { length }) => Math.max(most, length), 0));
  for (const [number, text] of texts.entries()) {
    const end = bytes.write(text) - GRAM_BYTES;
    for (let at = 0; at <= end; at += 1) {
      const gram = gramAt(bytes, at);
      const gap = number - (last[gram] ?? -1);
      if (gap === 0) continue;
      last[gram] = number;
      tell(gram, gap);
    }
  }
}

/** A multiplication spreads the three bytes over the hash. */
function gramAt(bytes: Uint8Array, at: number): number {
  const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  return Math.imul(three, 0x9e3779b1) >>> (32 - HASH_BITS);
}

/**
 * The numbers of the texts that may hold all the terms, in their order, and surely of all that do; undefined where the
 * index does not help: terms of less than three bytes, or that may be in more than half of the `count` texts.
 */
export function candidates(index: GramIndex, terms: readonly string[], count: number): number[] | undefined {
  const grams = gramsOf(terms);
  const sizeOf = (gram: number) => (index.starts[gram + 1] ?? 0) - (index.starts[gram] ?? 0);
  grams.sort((one, other) => sizeOf(one) - sizeOf(other));
  const [rarest, ...others] = grams;
  if (rarest === undefined || sizeOf(rarest) > count / 2) return undefined;
  let found = decode(index, rarest);
  for (const gram of others) {
    if (sizeOf(gram) > found.length * DECODED_PER_VERIFIED) break;
    found = intersect(found, decode(index, gram));
  }
  return found;
}

function gramsOf(terms: readonly string[]): number[] {
  const grams: number[] = [];
  for (const term of terms) {
    const bytes = Buffer.from(term);
    for (let at = 0; at <= bytes.length - GRAM_BYTES; at += 1) grams.push(gramAt(bytes, at));
  }
  return grams;
}

function decode({ starts, gaps }: GramIndex, gram: number): number[] {
  const numbers: number[] = [];
  let number = -1;
  for (let at = starts[gram] ?? 0; at < (starts[gram + 1] ?? 0); at += 1) {
    const gap = gaps[at] ?? 0;
    number += gap || 255;
    if (gap > 0) numbers.push(number);
  }
  return numbers;
}

/** What two ascending lists have in common. */
function intersect(one: readonly number[], other: readonly number[]): number[] {
  let at = 0;
  return one.filter(number => {
    while (at < other.length && (other[at] ?? 0) < number) at += 1;
    return other[at] === number;
  });
}
