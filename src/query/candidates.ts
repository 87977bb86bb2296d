import type { TrigramIndex } from '../catalog/snapshot/trigram-index.ts';
import { trigramsOf } from '../catalog/snapshot/trigrams.ts';
import { firstIndex } from './first-index.ts';

/** How many texts are decoded and thrown away for less than it costs to verify one. */
const DECODED_PER_VERIFIED = 4;
/** A part of a term that more than this share of all texts contain rules out too few of them. */
const SELECTIVE_SHARE = 0.9;
/** Decoding a list of 50,000 texts takes a tenth of a millisecond. From this length on, other requests go first. */
const LONG_LIST = 5_000;

/** Texts that may contain all of some terms. */
interface Candidates {
  /** Their numbers, ascending. Every text that contains all terms is among them. */
  numbers: Uint32Array;
  /** The terms that the caller has to look for in each of them. */
  unverified: string[];
}

/** Which of `count` texts may contain all of `terms`, which are not empty. Yields before each long list. */
export function* candidates(
  index: TrigramIndex,
  terms: readonly string[],
  count: number,
): Generator<undefined, Candidates> {
  const unverified = new Set(terms);
  let numbers: Uint32Array | undefined;
  for (const { term, isWhole, gaps } of occurrencesOf(index, terms)) {
    if (numbers && gaps.length > numbers.length * DECODED_PER_VERIFIED) break;
    if (numbers && !isWhole && gaps.length > count * SELECTIVE_SHARE) continue;
    if (gaps.length > LONG_LIST) yield;
    numbers = numbers ? intersect(numbers, gaps) : decode(gaps);
    if (isWhole) unverified.delete(term);
  }
  return { numbers: numbers ?? new Uint32Array(), unverified: [...unverified] };
}

/** The texts that contain one trigram of a term. */
interface Occurrences {
  term: string;
  /** Whether the trigram is the whole term. */
  isWhole: boolean;
  /** The texts, as in {@link TrigramIndex}: at least as many bytes as texts. */
  gaps: Uint8Array;
}

/** Where each trigram of the terms occurs; the rarest first. */
function occurrencesOf({ trigrams, starts, gaps }: TrigramIndex, terms: readonly string[]): Occurrences[] {
  const lists = terms.flatMap(term => {
    const ofTerm = trigramsOf(term);
    return ofTerm.map(trigram => {
      const index = firstIndex(trigrams.length, at => (trigrams[at] ?? 0) >= trigram);
      const isKnown = trigrams[index] === trigram;
      const list = isKnown ? gaps.subarray(starts[index], starts[index + 1]) : new Uint8Array();
      return { term, isWhole: ofTerm.length === 1, gaps: list };
    });
  });
  return lists.sort((one, other) => one.gaps.length - other.gaps.length);
}

function decode(gaps: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(gaps.length);
  let [length, number] = [0, -1];
  for (let at = 0; at < gaps.length; at += 1) {
    const gap = gaps[at] ?? 0;
    number += gap || 255;
    if (gap === 0) continue;
    numbers[length] = number;
    length += 1;
  }
  return numbers.subarray(0, length);
}

/** The numbers that are also in the decoded gaps, in place of the given ones. */
function intersect(numbers: Uint32Array, gaps: Uint8Array): Uint32Array {
  let [length, next, number] = [0, 0, -1];
  for (let at = 0; at < gaps.length && next < numbers.length; at += 1) {
    const gap = gaps[at] ?? 0;
    number += gap || 255;
    if (gap === 0) continue;
    while ((numbers[next] ?? number) < number) next += 1;
    if (numbers[next] !== number) continue;
    numbers[length] = number;
    length += 1;
  }
  return numbers.subarray(0, length);
}
