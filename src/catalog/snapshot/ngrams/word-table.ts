import { NONE } from './keys.ts';

/** Words, numbered from 0 in the order in which they are first seen. */
export interface WordTable {
  count: number;
  /** At each place the number of a word plus one, or 0. At most half of the places are taken. */
  places: Uint32Array;
  /** The length of each word; */
  lengths: Uint8Array;
  /** and its UTF-16 units, from {@link MAX_LENGTH} times its number on. */
  units: Uint16Array;
}

/** Nearly all words that are in many texts are among the first ones, and are short. */
const MAX_WORDS = 2 ** 15;
const MAX_LENGTH = 32;
/** 2^32 divided by the golden ratio. */
const MULTIPLIER = 0x9e3779b1;

/** Opens a hash table with linear probing: a Map would need a string for each word of each text. */
export function openWordTable(): WordTable {
  return {
    count: 0,
    places: new Uint32Array(2 * MAX_WORDS),
    lengths: new Uint8Array(MAX_WORDS),
    units: new Uint16Array(MAX_WORDS * MAX_LENGTH),
  };
}

/** The number of a word in a text. {@link NONE} for a long one, and for a new one if the table is full. */
export function wordOf(table: WordTable, text: Uint16Array, start: number, end: number): number {
  const { places, lengths, units, count } = table;
  const length = end - start;
  if (length > MAX_LENGTH) return NONE;
  let place = hashOf(text, start, end) & (places.length - 1);
  for (let taken = places[place] ?? 0; taken > 0; taken = places[place] ?? 0) {
    const word = taken - 1;
    if (lengths[word] === length && isEqual(units, word * MAX_LENGTH, text, start, end)) return word;
    place = (place + 1) & (places.length - 1);
  }
  if (count === MAX_WORDS) return NONE;
  table.count += 1;
  places[place] = table.count;
  lengths[count] = length;
  units.set(text.subarray(start, end), count * MAX_LENGTH);
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
