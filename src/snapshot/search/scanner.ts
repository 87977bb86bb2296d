import {
  isSpace,
  type KeyTable,
  keyOf,
  lastUnit,
  MAX_LENGTH,
  NONE,
  numberOf,
  openKeyTable,
  SPACE,
} from './frequent-ngrams.ts';

/** Finds the n-grams of texts. It looks for those of a word once, because most words of a text are in others as well. */
interface NgramScanner {
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

/** Words, numbered from 0 in the order in which they are first seen. */
interface WordTable {
  count: number;
  /** At each place the number of a word plus one, or 0. At most half of the places are taken. */
  places: Uint32Array;
  /** The length of each word; */
  lengths: Uint8Array;
  /** and its UTF-16 units, from {@link MAX_WORD_LENGTH} times its number on. */
  units: Uint16Array;
}

/** Nearly all words that are in many texts are among the first ones, and are short. */
const MAX_WORDS = 2 ** 15;
const MAX_WORD_LENGTH = 32;
/** 2^32 divided by the golden ratio. */
const MULTIPLIER = 0x9e3779b1;

/** Opens a hash table with linear probing: a Map would need a string for each word of each text. */
function openWordTable(): WordTable {
  return {
    count: 0,
    places: new Uint32Array(2 * MAX_WORDS),
    lengths: new Uint8Array(MAX_WORDS),
    units: new Uint16Array(MAX_WORDS * MAX_WORD_LENGTH),
  };
}

/** The number of a word in a text. {@link NONE} for a long one, and for a new one if the table is full. */
function wordOf(table: WordTable, text: Uint16Array, start: number, end: number): number {
  const { places, lengths, units, count } = table;
  const length = end - start;
  if (length > MAX_WORD_LENGTH) return NONE;
  let place = hashOf(text, start, end) & (places.length - 1);
  for (let taken = places[place] ?? 0; taken > 0; taken = places[place] ?? 0) {
    const word = taken - 1;
    if (lengths[word] === length && isEqual(units, word * MAX_WORD_LENGTH, text, start, end)) return word;
    place = (place + 1) & (places.length - 1);
  }
  if (count === MAX_WORDS) return NONE;
  table.count += 1;
  places[place] = table.count;
  lengths[count] = length;
  units.set(text.subarray(start, end), count * MAX_WORD_LENGTH);
  return count;
}

function hashOf(text: Uint16Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (text[at] ?? 0), MULTIPLIER);
  return hash ^ (hash >>> 15);
}

function isEqual(units: Uint16Array, first: number, text: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (units[first + at - start] !== text[at]) return false;
  return true;
}
