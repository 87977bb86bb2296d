import { type KeyTable, keysOf, numberOf, openKeyTable } from './key-table.ts';
import { isSpace, keyOf, lastUnit, MAX_FREQUENT, NONE } from './keys.ts';

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
