/**
 * Signatures of texts, by which a search finds those that may contain a term: a table of bits with a row for each hash of
 * an n-gram of one to three UTF-16 units, and a column for each text. Each row takes whole words, the lowest bit first. No
 * n-gram contains white space, since no term does.
 */
export type Signatures = Uint32Array;

/** How many rows there are for each unit of an average text; and how many if the table would be larger than these bytes. */
const ROWS_PER_UNIT = 4;
const LARGE_BYTES = 2 ** 25;
const ROWS_PER_UNIT_IF_LARGE = 2;
/** The binary logarithms of the fewest and the most rows. A Chinese text has more n-grams than units. */
const MIN_BITS = 12;
const MAX_BITS = 15;

export function signaturesOf(texts: readonly string[]): Signatures {
  const bits = rowBits(texts);
  const count = 2 ** bits;
  const words = Math.ceil(texts.length / 32);
  const table = new Uint32Array(count * words);
  for (const [number, text] of texts.entries()) {
    const [word, bit] = [number >>> 5, 1 << (number % 32)];
    eachRow(text, bits, row => {
      table[row * words + word] = (table[row * words + word] ?? 0) | bit;
    });
  }
  return table;
}

/** The binary logarithm of the number of rows. */
function rowBits(texts: readonly string[]): number {
  const units = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const bitsFor = (rows: number) => Math.max(MIN_BITS, Math.min(MAX_BITS, Math.round(Math.log2(rows))));
  const bits = bitsFor(ROWS_PER_UNIT * units);
  return 2 ** bits * (texts.length / 8) > LARGE_BYTES ? bitsFor(ROWS_PER_UNIT_IF_LARGE * units) : bits;
}

/** The numbers, ascending, of those of `count` texts that may contain all terms; the ones that do are among them. */
export function candidates(table: Signatures, terms: readonly string[], count: number): number[] {
  const words = Math.ceil(count / 32);
  const bits = Math.log2(table.length / words);
  const starts = new Set<number>();
  for (const term of terms) eachRow(term, bits, row => starts.add(row * words));
  const numbers: number[] = [];
  for (let word = 0; word < words; word += 1) {
    let common = -1;
    for (const start of starts) {
      common &= table[start + word] ?? 0;
      if (common === 0) break;
    }
    for (; common !== 0; common &= common - 1) numbers.push(32 * word + 31 - Math.clz32(common & -common));
  }
  return numbers;
}

/** In place of a unit that an n-gram does not have; no unit is as large. */
const NONE = 2 ** 16;

/** Calls `onRow` with the rows of all n-grams of a text, some of them more than once. */
function eachRow(text: string, bits: number, onRow: (row: number) => void): void {
  let [first, second] = [NONE, NONE];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x20 || (unit >= 9 && unit <= 13)) {
      [first, second] = [NONE, NONE];
      continue;
    }
    // Few n-grams are short, and short terms have no others: with two rows each, few other texts have both.
    onRow(rowOf(NONE, NONE, unit, bits));
    onRow(rowOf(NONE, NONE + 1, unit, bits));
    if (second !== NONE) {
      onRow(rowOf(NONE, second, unit, bits));
      onRow(rowOf(NONE + 1, second, unit, bits));
      if (first !== NONE) onRow(rowOf(first, second, unit, bits));
    }
    first = second;
    second = unit;
  }
}

/** Hashes an n-gram, by odd constants whose bits are spread evenly. */
function rowOf(first: number, second: number, third: number, bits: number): number {
  const key = Math.imul(Math.imul(first, 0x85ebca6b) ^ second, 0xc2b2ae35) ^ third;
  return Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> (32 - bits);
}
