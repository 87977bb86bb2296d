/** How many texts are looked at, and how many UTF-16 units of each. */
const SAMPLE = 256;
const SAMPLE_LENGTH = 4096;
/** An n-gram is frequent if it is in more of these texts. */
const FEW = 16;
/** The length of the longest n-grams that can be frequent, in units. */
export const MAX_LENGTH = 16;

/**
 * The keys of the frequent n-grams, ascending: each follows its parts. They are estimated from a sample of the texts. A search
 * finds the same with any others, only not as fast.
 */
export function frequentNgrams(texts: readonly string[]): Uint32Array {
  const size = Math.min(SAMPLE, texts.length);
  const sample = Array.from({ length: size }, (_, at) => texts[Math.floor((at * texts.length) / size)] ?? '');
  /** The keys of the n-grams of one length in each text, in their order; {@link NONE} between those that do not overlap. */
  let sequences = sample.map(unitsOf);
  const frequent: number[] = [];
  for (let length = 1; length <= MAX_LENGTH; length += 1) {
    const table = openKeyTable();
    const counts = countTexts(sequences, table);
    const keys = keysOf(table)
      .filter((_, number) => (counts[number] ?? 0) > FEW)
      .sort();
    if (keys.length === 0 || frequent.length + keys.length > MAX_FREQUENT) break;
    const places = new Int32Array(table.count).fill(NONE);
    for (const key of keys) places[numberOf(table, key)] = frequent.push(key) - 1;
    sequences = sequences.map(sequence => lengthen(sequence, table, places));
  }
  return Uint32Array.from(frequent);
}

function unitsOf(text: string): Int32Array {
  return Int32Array.from({ length: Math.min(text.length, SAMPLE_LENGTH) }, (_, at) => {
    const unit = text.charCodeAt(at);
    return isSpace(unit) ? NONE : keyOf(NONE, unit);
  });
}

/** Numbers the keys; returns in how many sequences each of them is. */
function countTexts(sequences: readonly Int32Array[], table: KeyTable): number[] {
  const [counts, last]: [number[], number[]] = [[], []];
  for (const [index, sequence] of sequences.entries()) {
    for (const key of sequence) {
      if (key === NONE) continue;
      const number = numberOf(table, key);
      if (last[number] === index) continue;
      last[number] = index;
      counts[number] = (counts[number] ?? 0) + 1;
    }
  }
  return counts;
}

/** The n-grams that are one unit longer and of which both parts have a place, in place of the shorter ones. */
function lengthen(sequence: Int32Array, table: KeyTable, places: Int32Array): Int32Array {
  let length = 0;
  let prefix = NONE;
  for (const key of sequence) {
    const place = key === NONE ? NONE : (places[numberOf(table, key)] ?? NONE);
    if (prefix !== NONE) {
      sequence[length] = place === NONE ? NONE : keyOf(prefix, lastUnit(key));
      length += 1;
    }
    prefix = place;
  }
  return sequence.subarray(0, length);
}

/** Numbers keys, which are positive integers of 32 bits, from 0 in the order in which they are first seen. */
export interface KeyTable {
  count: number;
  /** The bits of a hash that are not used. */
  shift: number;
  /** At each even place a key or 0, and after it its number plus one or 0. At most half of the places are taken. */
  places: Int32Array;
}

const FIRST_BITS = 12;
/** 2^32 divided by the golden ratio: spreads keys that follow each other. */
const MULTIPLIER = 0x9e3779b1;

/** Opens a hash table with linear probing, which takes a part of the time of a Map. */
export function openKeyTable(): KeyTable {
  return { count: 0, shift: 32 - FIRST_BITS, places: new Int32Array(2 * 2 ** FIRST_BITS) };
}

export function numberOf(table: KeyTable, key: number): number {
  const { places } = table;
  const place = placeOf(table, key);
  const known = places[place + 1] ?? 0;
  if (known > 0) return known - 1;
  table.count += 1;
  places[place] = key;
  places[place + 1] = table.count;
  if (4 * table.count >= places.length) grow(table);
  return table.count - 1;
}

/** The keys in the order of their numbers. */
export function keysOf({ places, count }: KeyTable): Uint32Array {
  const keys = new Uint32Array(count);
  for (let place = 0; place < places.length; place += 2) {
    const number = places[place + 1] ?? 0;
    if (number > 0) keys[number - 1] = places[place] ?? 0;
  }
  return keys;
}

/** The place of a key, or where it belongs. */
function placeOf({ places, shift }: KeyTable, key: number): number {
  let place = 2 * (Math.imul(key, MULTIPLIER) >>> shift);
  while (places[place + 1] !== 0 && places[place] !== key) place = (place + 2) & (places.length - 1);
  return place;
}

function grow(table: KeyTable): void {
  const keys = keysOf(table);
  table.shift -= 1;
  table.places = new Int32Array(2 * table.places.length);
  for (const [number, key] of keys.entries()) table.places.set([key, number + 1], placeOf(table, key));
}

/**
 * The key of an n-gram, which is a UTF-16 unit or several without white space: its last unit, and the place of what precedes
 * it among the frequent n-grams, or {@link NONE}.
 */
export function keyOf(prefix: number, unit: number): number {
  return ((prefix + 1) << 16) | unit;
}

/** In place of an n-gram that there is not. */
export const NONE = -1;

/** How many n-grams can be frequent: V8 is fastest with positive integers of 32 bits. */
const MAX_FREQUENT = 2 ** 15 - 1;

/** The last unit of an n-gram. */
export function lastUnit(key: number): number {
  return key & 0xffff;
}

export const SPACE = 0x20;

/** Whether a unit is white space, which no term contains. */
export function isSpace(unit: number): boolean {
  return unit === SPACE || (unit >= 9 && unit <= 13);
}
