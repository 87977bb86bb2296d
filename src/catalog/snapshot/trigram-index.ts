import { eachTrigram, TRIGRAM_BYTES, TRIGRAM_COUNT } from './trigrams.ts';

/**
 * Which texts contain a trigram, as an inverted index. The numbers of the texts that contain `trigrams[i]` lie in `gaps`
 * from `starts[i]` to `starts[i + 1]`, ascending, each as its distance from the one before. A distance takes one byte; a
 * zero byte adds 255 to the next. The index takes about as much memory as the texts.
 */
export interface TrigramIndex {
  /** Ascending; see {@link trigramOf}. */
  trigrams: Uint32Array;
  starts: Uint32Array;
  gaps: Uint8Array;
}

/** How many bytes of UTF-8 a UTF-16 unit may take. */
const MAX_UTF8_BYTES = 3;

/** Numbers the texts from 0, in their order. */
export function indexTrigrams(texts: readonly string[]): TrigramIndex {
  // The system provides memory for these tables only where they are used.
  const last = new Uint32Array(TRIGRAM_COUNT);
  const ends = new Uint32Array(TRIGRAM_COUNT);
  const seen: number[] = [];
  eachOccurrence(texts, last, (trigram, gap) => {
    if (ends[trigram] === 0) seen.push(trigram);
    ends[trigram] = (ends[trigram] ?? 0) + bytesOf(gap);
  });
  const trigrams = Uint32Array.from(seen).sort();
  const starts = new Uint32Array(trigrams.length + 1);
  for (const [index, trigram] of trigrams.entries()) {
    const start = starts[index] ?? 0;
    starts[index + 1] = start + (ends[trigram] ?? 0);
    ends[trigram] = start;
    last[trigram] = 0;
  }
  const gaps = new Uint8Array(starts[trigrams.length] ?? 0);
  eachOccurrence(texts, last, (trigram, gap) => {
    const end = (ends[trigram] ?? 0) + bytesOf(gap);
    gaps[end - 1] = ((gap - 1) % 255) + 1;
    ends[trigram] = end;
  });
  return { trigrams, starts, gaps };
}

/** How many bytes a gap takes. */
function bytesOf(gap: number): number {
  return gap <= 255 ? 1 : Math.ceil(gap / 255);
}

/**
 * Calls `visit` once for each trigram of each text, with the distance from the last text that has it. `last` starts as
 * zeros and takes the numbers of those texts, counted from 1.
 */
function eachOccurrence(
  texts: readonly string[],
  last: Uint32Array,
  visit: (trigram: number, gap: number) => void,
): void {
  let number = 0;
  const visitOnce = (trigram: number) => {
    const gap = number - (last[trigram] ?? 0);
    if (gap === 0) return;
    last[trigram] = number;
    visit(trigram, gap);
  };
  // One buffer for all texts: the system does not get back the memory of many small ones.
  const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  const bytes = Buffer.alloc(MAX_UTF8_BYTES * longest + TRIGRAM_BYTES);
  for (const text of texts) {
    number += 1;
    eachTrigram(bytes, bytes.write(text), visitOnce);
  }
}
