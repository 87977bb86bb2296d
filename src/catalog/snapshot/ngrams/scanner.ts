import { MAX_LENGTH } from './frequent-ngrams.ts';
import { type KeyTable, numberOf, openKeyTable } from './key-table.ts';
import { isSpace, keyOf, lastUnit, NONE, SPACE } from './keys.ts';
import { openWordTable, type WordTable, wordOf } from './word-table.ts';

/** Finds the n-grams of texts. It looks for those of a word once, because most words of a text are in others as well. */
export interface NgramScanner {
  /** The numbers of the n-grams: first the frequent ones. */
  numbers: KeyTable;
  /** How many are frequent. */
  frequent: number;
  words: WordTable;
  /** The n-grams of all words, */
  known: number[];
  /** where those of each word end, */
  ends: number[];
  /** and the last text that has it. */
  last: number[];
  /** The number of the text, from 0. */
  text: number;
  units: Uint16Array;
  /** The n-grams of the text. */
  found: Int32Array;
  /** The keys of the n-grams of one length in a word, in their order; {@link NONE} between those that do not overlap. */
  sequence: Int32Array;
}

/** `frequent` are the keys of the frequent n-grams, and `longest` is the length of the longest text. */
export function openScanner(frequent: Uint32Array, longest: number): NgramScanner {
  const numbers = openKeyTable();
  for (const key of frequent) numberOf(numbers, key);
  return {
    ...{
      numbers,
      frequent: frequent.length,
      words: openWordTable(),
      known: [],
      ends: [],
      last: [],
      text: NONE,
    },
    units: new Uint16Array(longest + 1),
    found: new Int32Array(longest * (MAX_LENGTH + 1)),
    sequence: new Int32Array(longest),
  };
}

/** Puts the n-grams of the next text into `found`, some of them more than once. Returns how many it puts there. */
export function scan(scanner: NgramScanner, text: string): number {
  const { units } = scanner;
  scanner.text += 1;
  let [count, start] = [0, 0];
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at < text.length ? text.charCodeAt(at) : SPACE;
    units[at] = unit;
    if (!isSpace(unit)) continue;
    if (at > start) count = addWord(scanner, start, at, count);
    start = at + 1;
  }
  return count;
}

/** Adds the n-grams of a word after the first `count`, unless the text has the word before; returns how many there are. */
function addWord(scanner: NgramScanner, start: number, end: number, count: number): number {
  const { words, known, ends, last, text, units, found } = scanner;
  const word = wordOf(words, units, start, end);
  if (word === NONE) return addNgrams(scanner, start, end, count);
  if (last[word] === text) return count;
  last[word] = text;
  if (word === ends.length) {
    const length = addNgrams(scanner, start, end, count);
    for (let at = count; at < length; at += 1) known.push(found[at] ?? 0);
    ends.push(known.length);
    return length;
  }
  let length = count;
  const after = ends[word] ?? 0;
  for (let at = ends[word - 1] ?? 0; at < after; at += 1) {
    found[length] = known[at] ?? 0;
    length += 1;
  }
  return length;
}

function addNgrams(
  { numbers, frequent, units, found, sequence }: NgramScanner,
  start: number,
  end: number,
  before: number,
): number {
  let count = before;
  let length = end - start;
  for (let at = 0; at < length; at += 1) sequence[at] = keyOf(NONE, units[start + at] ?? 0);
  while (length > 0) {
    // The n-grams that are one unit longer take the place of these.
    let longer = 0;
    let prefix = NONE;
    for (let at = 0; at < length; at += 1) {
      const key = sequence[at] ?? NONE;
      let place = NONE;
      if (key !== NONE) {
        const ngram = numberOf(numbers, key);
        found[count] = ngram;
        count += 1;
        if (ngram < frequent) place = ngram;
      }
      if (prefix !== NONE) {
        sequence[longer] = place === NONE ? NONE : keyOf(prefix, lastUnit(key));
        longer += 1;
      }
      prefix = place;
    }
    length = longer;
  }
  return count;
}
