import { type NgramIndex, rowLength } from '../catalog/snapshot/ngrams/ngram-index.ts';
import { ngramsOf } from './term-ngrams.ts';

/** How many bytes of gaps are decoded and thrown away for less than it costs to verify one text. */
const DECODED_PER_VERIFIED = 4;

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
    else numbers = intersect(numbers, decode(gaps));
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

/** Those of the numbers that are bits of all rows. */
function among(numbers: Uint32Array, rows: readonly Uint32Array[]): Uint32Array {
  return numbers.filter(number => rows.every(row => (row[number >>> 5] ?? 0) & (1 << number)));
}

/** The numbers of a list; see {@link NgramIndex}. */
function decode(gaps: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(gaps.length);
  let [length, number, gap] = [0, -1, 0];
  for (const byte of gaps) {
    gap = (gap << 7) | (byte & 0x7f);
    if (byte >= 0x80) continue;
    number += gap;
    gap = 0;
    numbers[length] = number;
    length += 1;
  }
  return numbers.subarray(0, length);
}

/** Those of the numbers that are also among others. Both ascend. */
function intersect(numbers: Uint32Array, others: Uint32Array): Uint32Array {
  let next = 0;
  return numbers.filter(number => {
    while ((others[next] ?? number) < number) next += 1;
    return others[next] === number;
  });
}
