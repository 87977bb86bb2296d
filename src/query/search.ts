import { termsOf } from '../snapshot/fold.ts';
import type { NewsTable } from '../snapshot/news-table.ts';
import { keyOf, NONE } from '../snapshot/search/frequent-ngrams.ts';
import { type NgramIndex, rowLength } from '../snapshot/search/ngram-index.ts';
import { firstIndex } from './paging.ts';

/** How many characters are searched between two yields: about two milliseconds' work. */
const STEP_CHARACTERS = 2 ** 21;
/** The fixed cost of a text, in characters that could be searched in its place. */
const CHARACTERS_PER_TEXT = 100;

/**
 * The `rows` that match a keyword: each of its terms occurs in the title, the keywords or the text of the content, all of
 * them folded (see {@link fold}). `isAmong` tests whether a row is one of `rows`; the index covers all rows of the table.
 * Yields every two milliseconds or so, so that the caller can let other requests go first.
 */
export function* search(
  { ngrams, texts }: Pick<NewsTable, 'ngrams' | 'texts'>,
  keyword: string,
  rows: readonly number[],
  isAmong: (row: number) => boolean,
): Generator<undefined, readonly number[]> {
  const terms = termsOf(keyword);
  if (terms.length === 0) return rows;
  const { numbers, unverified } = candidates(ngrams, terms, texts.length);
  const found: number[] = [];
  if (unverified.length === 0) {
    for (const row of numbers) if (isAmong(row)) found.push(row);
    return found;
  }
  let characters = 0;
  for (const row of numbers) {
    if (isAmong(row) && holdsAll(texts[row] ?? '', unverified)) found.push(row);
    characters += CHARACTERS_PER_TEXT + (texts[row]?.length ?? 0) * unverified.length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    yield;
  }
  return found;
}

/** Moves a missing term to the front of `terms`, so that most of the next texts are searched for one term only. */
function holdsAll(text: string, terms: string[]): boolean {
  const missing = terms.findIndex(term => !text.includes(term));
  if (missing > 0) terms.unshift(...terms.splice(missing, 1));
  return missing < 0;
}

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
function candidates(index: NgramIndex, terms: readonly string[], count: number): Candidates {
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

/** The n-grams by which an index finds a term. */
interface TermNgrams {
  /** Their places among the frequent n-grams, */
  frequent: number[];
  /** and among the rare ones. */
  rare: number[];
  /** Whether the only one is the term itself. Otherwise there is a rare one. */
  isWhole: boolean;
}

/** The longest n-grams that an index has of a term, which is not empty; undefined if no text contains the term. */
function ngramsOf(index: NgramIndex, term: string): TermNgrams | undefined {
  const { length: count } = index.frequent;
  const [frequent, rare]: [number[], number[]] = [[], []];
  /** Those of one length at each place of the term: the places of the frequent ones, and after these of the rare ones. */
  let ngrams: (number | undefined)[] = Array.from({ length: term.length }, (_, at) =>
    placeOf(index, keyOf(NONE, term.charCodeAt(at))),
  );
  let length = 1;
  for (; ngrams.some(ngram => ngram !== undefined); length += 1) {
    if (ngrams.includes(NONE)) return undefined;
    const longer = ngrams.slice(1).map((next = count, at) => {
      const { [at]: prefix = count } = ngrams;
      const hasBoth = prefix < count && next < count;
      return hasBoth ? placeOf(index, keyOf(prefix, term.charCodeAt(at + length))) : undefined;
    });
    for (const [at, ngram] of ngrams.entries()) {
      if (ngram === undefined || longer[at - 1] !== undefined || longer[at] !== undefined) continue;
      if (ngram < count) frequent.push(ngram);
      else rare.push(ngram - count);
    }
    ngrams = longer;
  }
  return { frequent, rare, isWhole: length > term.length };
}

/** The place of a key among the frequent ones; or, after these, among the rare ones; {@link NONE} if the index does not have it. */
function placeOf({ frequent, rare }: NgramIndex, key: number): number {
  const place = firstIndex(frequent.length, at => (frequent[at] ?? 0) >= key);
  if (frequent[place] === key) return place;
  const other = firstIndex(rare.length, at => (rare[at] ?? 0) >= key);
  return rare[other] === key ? frequent.length + other : NONE;
}
