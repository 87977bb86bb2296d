import { frequentNgrams } from './frequent-ngrams.ts';
import { keysOf, numberOf } from './key-table.ts';
import { openRareNgrams } from './rare-ngrams.ts';
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
