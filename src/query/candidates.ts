import { type NgramIndex, rowLength } from '../snapshot/search/ngram-index.ts';
import { ngramsOf } from './term-ngrams.ts';

/** How many bytes of gaps are decoded in less time than one text of about a kilobyte is verified. */
const DECODED_PER_VERIFIED = 64;

/** Texts that may contain all of some terms. */
interface Candidates {
  /** Their numbers, ascending. Every text that contains all terms is among them. */
  numbers: Uint32Array;
  /** The terms that the caller has to look for in each of them. */
  unverified: string[];
}

/** Where a rare n-gram of a term occurs, as in {@link NgramIndex}. */
interface Occurrences {
  gaps: Uint8Array;
  term: string;
}

/** Which of `count` texts may contain all of `terms`, which are not empty. */
export function candidates(index: NgramIndex, terms: readonly string[], count: number): Candidates {
  const { rows: bits, gaps, starts } = index;
  const length = rowLength(count);
  const rows: Uint32Array[] = [];
  const lists: Occurrences[] = [];
  const verified = new Set<string>();
  for (const term of terms) {
    const ngrams = ngramsOf(index, term);
    if (!ngrams) return { numbers: new Uint32Array(), unverified: [] };
    for (const place of ngrams.frequent) rows.push(bits.subarray(place * length, (place + 1) * length));
    for (const place of ngrams.rare)
      lists.push({ gaps: gaps.subarray(starts[place], starts[place + 1]), term });
    if (ngrams.isWhole) verified.add(term);
  }
  const [rarest, ...others] = lists.sort((one, other) => one.gaps.length - other.gaps.length);
  let numbers = rarest ? among(decode(rarest.gaps), rows) : numbersIn(rows);
  for (const { gaps, term } of others) {
    if (gaps.length > numbers.length * DECODED_PER_VERIFIED) verified.delete(term);
    else numbers = intersect(numbers, gaps);
  }
  return { numbers, unverified: terms.filter(term => !verified.has(term)) };
}

/** The numbers of the bits that all rows have. */
function numbersIn([first = new Uint32Array(), ...others]: readonly Uint32Array[]): Uint32Array {
  const numbers = new Uint32Array(32 * first.length);
  let length = 0;
  for (let word = 0; word < first.length; word += 1) {
    let bits = first[word] ?? 0;
    for (const row of others) bits &= row[word] ?? 0;
    for (; bits !== 0; bits &= bits - 1) {
      numbers[length] = 32 * word + 31 - Math.clz32(bits & -bits);
      length += 1;
    }
  }
  return numbers.subarray(0, length);
}

/** Those of the numbers that are bits of all rows, in the same memory. */
function among(numbers: Uint32Array, rows: readonly Uint32Array[]): Uint32Array {
  let kept = numbers;
  for (const row of rows) {
    let length = 0;
    for (let at = 0; at < kept.length; at += 1) {
      const number = kept[at] ?? 0;
      if (((row[number >>> 5] ?? 0) & (1 << number)) === 0) continue;
      kept[length] = number;
      length += 1;
    }
    kept = kept.subarray(0, length);
  }
  return kept;
}

/** The numbers of a list; see {@link NgramIndex}. */
function decode(gaps: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(gaps.length);
  let [length, number, gap] = [0, -1, 0];
  for (let at = 0; at < gaps.length; at += 1) {
    const byte = gaps[at] ?? 0;
    gap = (gap << 7) | (byte & 0x7f);
    if (byte >= 0x80) continue;
    number += gap;
    gap = 0;
    numbers[length] = number;
    length += 1;
  }
  return numbers.subarray(0, length);
}

/** Those of the numbers, which ascend, that are also in a list, in the same memory. */
function intersect(numbers: Uint32Array, gaps: Uint8Array): Uint32Array {
  let [length, next, number, gap] = [0, 0, -1, 0];
  for (let at = 0; at < gaps.length && next < numbers.length; at += 1) {
    const byte = gaps[at] ?? 0;
    gap = (gap << 7) | (byte & 0x7f);
    if (byte >= 0x80) continue;
    number += gap;
    gap = 0;
    while (next < numbers.length && (numbers[next] ?? 0) < number) next += 1;
    if (numbers[next] !== number) continue;
    numbers[length] = number;
    length += 1;
  }
  return numbers.subarray(0, length);
}
