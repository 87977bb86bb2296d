import type { NgramIndex } from './ngram-index.ts';

/** Collects the texts of n-grams that are in few of them. Both are numbered from 0. */
export interface RareNgrams {
  /** A text has an n-gram. It may do so again; texts come in their order. */
  add(ngram: number, text: number): void;
  /** The lists of the n-grams, in this order. */
  lists(order: Uint32Array): Pick<NgramIndex, 'starts' | 'gaps'>;
}

/** How many n-grams take memory at once: one array that grows would be copied, and half of it would be empty. */
const BLOCK = 2 ** 16;

export function openRareNgrams(): RareNgrams {
  /** The n-grams of all texts, once for each of them; */
  const log: Uint32Array[] = [];
  let block = new Uint32Array();
  let length = 0;
  /** and where those of each text end. */
  const ends: number[] = [];
  /** The last text of each n-gram, from 1; */
  const last: number[] = [];
  /** and how many bytes its list takes. */
  const sizes: number[] = [];
  return {
    add(ngram, text) {
      const gap = text + 1 - (last[ngram] ?? 0);
      if (gap === 0) return;
      last[ngram] = text + 1;
      sizes[ngram] = (sizes[ngram] ?? 0) + bytesOf(gap);
      if (length % BLOCK === 0) {
        block = new Uint32Array(BLOCK);
        log.push(block);
      }
      block[length % BLOCK] = ngram;
      length += 1;
      ends[text] = length;
    },
    lists(order) {
      const starts = new Uint32Array(order.length + 1);
      const next = new Uint32Array(order.length);
      for (const [place, ngram] of order.entries()) {
        next[ngram] = starts[place] ?? 0;
        starts[place + 1] = (starts[place] ?? 0) + (sizes[ngram] ?? 0);
      }
      const gaps = new Uint8Array(starts[order.length] ?? 0);
      last.fill(0);
      let at = 0;
      for (const [text, end = at] of ends.entries()) {
        for (; at < end; at += 1) {
          const ngram = log[Math.floor(at / BLOCK)]?.[at % BLOCK] ?? 0;
          next[ngram] = writeGap(gaps, next[ngram] ?? 0, text + 1 - (last[ngram] ?? 0));
          last[ngram] = text + 1;
        }
      }
      return { starts, gaps };
    },
  };
}

/** How many bytes a gap takes. */
function bytesOf(gap: number): number {
  return gap < 2 ** 7 ? 1 : 1 + bytesOf(gap >>> 7);
}

/** Writes a gap to a place; returns the place after it. */
function writeGap(gaps: Uint8Array, place: number, gap: number): number {
  const end = place + bytesOf(gap);
  gaps[end - 1] = gap & 0x7f;
  let rest = gap >>> 7;
  for (let at = end - 2; at >= place; at -= 1, rest >>>= 7) gaps[at] = 0x80 | (rest & 0x7f);
  return end;
}
