/**
 * Signatures of texts, by which a search finds those that may contain a term: a table of bits with a row for each hash of
 * an n-gram of one to three UTF-16 units, and a column for each text. Each row takes whole words, the lowest bit first. No
 * n-gram contains white space, since no term does.
 */
export type Signatures = Uint32Array;

/** The binary logarithm of the number of rows: a kilobyte for each text. */
const BITS = 13;

export function signaturesOf(texts: readonly string[]): Signatures {
  const words = Math.ceil(texts.length / 32);
  const table = new Uint32Array(2 ** BITS * words);
  for (const [number, text] of texts.entries()) {
    const [word, bit] = [number >>> 5, 1 << (number % 32)];
    eachRow(text, row => {
      table[row * words + word] = (table[row * words + word] ?? 0) | bit;
    });
  }
  return table;
}

/** The numbers, ascending, of those of `count` texts that may contain all terms; the ones that do are among them. */
export function candidates(table: Signatures, terms: readonly string[], count: number): number[] {
  const words = Math.ceil(count / 32);
  const starts = new Set<number>();
  for (const term of terms) eachRow(term, row => starts.add(row * words));
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
function eachRow(text: string, onRow: (row: number) => void): void {
  let [first, second] = [NONE, NONE];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x20 || (unit >= 9 && unit <= 13)) {
      [first, second] = [NONE, NONE];
      continue;
    }
    // Few n-grams are short, and short terms have no others: with two rows each, few other texts have both.
    onRow(rowOf(NONE, NONE, unit));
    onRow(rowOf(NONE, NONE + 1, unit));
    if (second !== NONE) {
      onRow(rowOf(NONE, second, unit));
      onRow(rowOf(NONE + 1, second, unit));
      if (first !== NONE) onRow(rowOf(first, second, unit));
    }
    first = second;
    second = unit;
  }
}

/** Hashes an n-gram, by odd constants whose bits are spread evenly. */
function rowOf(first: number, second: number, third: number): number {
  const key = Math.imul(Math.imul(first, 0x85ebca6b) ^ second, 0xc2b2ae35) ^ third;
  return Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> (32 - BITS);
}
