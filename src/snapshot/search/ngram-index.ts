import { frequentNgrams, keysOf, numberOf } from './frequent-ngrams.ts';
import { openScanner, scan } from './scanner.ts';

/**
 * An inverted index of n-grams. It has every n-gram of one UTF-16 unit, and a longer one if both of its parts that are one
 * unit shorter are frequent. So it has a term itself, or a part of it that is in few texts.
 */
export interface NgramIndex {
  /** The keys of the frequent n-grams, ascending; see {@link keyOf}. */
  frequent: Uint32Array;
  /** The texts of each of them, as a row of {@link rowLength} words with a bit for each text, the lowest first. */
  rows: Uint32Array;
  /** The keys of the others, ascending. */
  rare: Uint32Array;
  /** Where the texts of each of these begin in `gaps`; and, as one more, where the last ones end. */
  starts: Uint32Array;
  /**
   * The texts, ascending, each as its distance from the one before; that of the first one counts from -1. Seven bits of it
   * are in each byte, the highest first. The highest bit of a byte says that another one follows.
   */
  gaps: Uint8Array;
}

/** How many words of 32 bits have a bit for each text. */
export function rowLength(texts: number): number {
  return Math.ceil(texts / 32);
}

/** Numbers the texts from 0, in their order. */
export function indexNgrams(texts: readonly string[]): NgramIndex {
  const frequent = frequentNgrams(texts);
  const scanner = openScanner(
    frequent,
    texts.reduce((most, { length }) => Math.max(most, length), 0),
  );
  const { numbers, found } = scanner;
  const length = rowLength(texts.length);
  const rows = new Uint32Array(frequent.length * length);
  /** The column of the rows that has the present text. */
  const column = new Int32Array(frequent.length);
  const others = openRareNgrams();
  for (const [number, text] of texts.entries()) {
    const count = scan(scanner, text);
    const bit = 1 << (number % 32);
    for (let at = 0; at < count; at += 1) {
      const ngram = found[at] ?? 0;
      if (ngram < column.length) column[ngram] = (column[ngram] ?? 0) | bit;
      else others.add(ngram - column.length, number);
    }
    if (number % 32 < 31 && number < texts.length - 1) continue;
    for (let at = 0; at < column.length; at += 1) rows[at * length + (number >>> 5)] = column[at] ?? 0;
    column.fill(0);
  }
  const rare = keysOf(numbers).subarray(frequent.length).sort();
  const order = rare.map(key => numberOf(numbers, key) - frequent.length);
  return { frequent, rows, rare: rare.slice(), ...others.lists(order) };
}

/** Collects the texts of n-grams that are in few of them. Both are numbered from 0. */
interface RareNgrams {
  /** A text has an n-gram. It may do so again; texts come in their order. */
  add(ngram: number, text: number): void;
  /** The lists of the n-grams, in this order. */
  lists(order: Uint32Array): Pick<NgramIndex, 'starts' | 'gaps'>;
}

/** How many n-grams take memory at once: one array that grows would be copied, and half of it would be empty. */
const BLOCK = 2 ** 16;

function openRareNgrams(): RareNgrams {
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
