import { keyOf, NONE } from '../snapshot/search/frequent-ngrams.ts';
import type { NgramIndex } from '../snapshot/search/ngram-index.ts';
import { firstIndex } from './first-index.ts';

/** The n-grams by which an index finds a term. */
export interface TermNgrams {
  /** Their places among the frequent n-grams, */
  frequent: number[];
  /** and among the rare ones. */
  rare: number[];
  /** Whether the only one is the term itself. Otherwise there is a rare one. */
  isWhole: boolean;
}

/** The longest n-grams that an index has of a term, which is not empty; undefined if no text contains the term. */
export function ngramsOf(index: NgramIndex, term: string): TermNgrams | undefined {
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
