/**
 * Signatures of texts, which find those that may contain a term. A signature is a Bloom filter of the n-grams of one to three
 * UTF-16 units in the text, except with white space, which no term has. 32 texts of similar length share a block: its number of
 * rows, the numbers of its texts, then the rows, each a word with a bit per text. A block has as many rows as its longest text
 * needs. Signatures take half a byte per unit (a byte for Chinese), at least 128 bytes per text, and up to 0.5 MB unused.
 */
export type Signatures = Uint32Array;

const BLOCK_TEXTS = 32;
/** The words before the rows of a block. */
const HEAD = 1 + BLOCK_TEXTS;
const [FEWEST, MOST] = [2 ** 10, 2 ** 17];

export function signaturesOf(texts: readonly string[]): Signatures {
  const rowsOfText = texts.map(rowsNeeded);
  const order = [...texts.keys()].sort((one, other) => (rowsOfText[one] ?? 0) - (rowsOfText[other] ?? 0));
  const blocks = Array.from({ length: Math.ceil(texts.length / BLOCK_TEXTS) }, (_, index) =>
    order.slice(index * BLOCK_TEXTS, (index + 1) * BLOCK_TEXTS),
  );
  const sizes = blocks.map(block => rowsOfText[block.at(-1) ?? 0] ?? 0);
  const signatures = new Uint32Array(sizes.reduce((sum, rows) => sum + HEAD + rows, 0));
  let start = 0;
  for (const [index, block] of blocks.entries()) {
    const rows = sizes[index] ?? 0;
    signatures.set([rows, ...block], start);
    const first = start + HEAD;
    for (const [bit, number] of block.entries()) {
      eachNgram(texts[number] ?? '', hash => {
        const at = first + rowOf(hash, rows);
        signatures[at] = (signatures[at] ?? 0) | (1 << bit);
      });
    }
    start = first + rows;
  }
  return signatures;
}

/** Returns the ascending numbers of the texts that may contain all terms, including all that do. */
export function candidates(signatures: Signatures, terms: readonly string[], count: number): number[] {
  const hashes = new Set<number>();
  for (const term of terms) eachNgram(term, hash => hashes.add(hash));
  const isCandidate = new Uint8Array(count);
  let start = 0;
  while (start < signatures.length) {
    const rows = signatures[start] ?? 0;
    let common = -1;
    for (const hash of hashes) {
      common &= signatures[start + HEAD + rowOf(hash, rows)] ?? 0;
      if (common === 0) break;
    }
    for (; common !== 0; common &= common - 1)
      isCandidate[signatures[start + BLOCK_TEXTS - Math.clz32(common & -common)] ?? 0] = 1;
    start += HEAD + rows;
  }
  const numbers: number[] = [];
  for (let number = isCandidate.indexOf(1); number !== -1; number = isCandidate.indexOf(1, number + 1))
    numbers.push(number);
  return numbers;
}

/** Returns how many rows keep at most a third of the bits set. Ideographs make more distinct n-grams than letters. */
function rowsNeeded(text: string): number {
  let rows = 0;
  for (let at = 0; at < text.length; at += 1) rows += text.charCodeAt(at) < FIRST_IDEOGRAPH ? 4 : 8;
  return Math.min(MOST, Math.max(FEWEST, rows));
}

/** Ideographs, kana, Hangul, and surrogates begin here. */
const FIRST_IDEOGRAPH = 0x2e80;

/** Stands for a missing unit of an n-gram; no unit is as large. */
const NONE = 2 ** 16;

/** Calls `onNgram` with the hash of each n-gram, some more than once. */
function eachNgram(text: string, onNgram: (hash: number) => void): void {
  let [first, second] = [NONE, NONE];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x20 || (unit >= 9 && unit <= 13)) {
      [first, second] = [NONE, NONE];
      continue;
    }
    // Single units are few, and short terms have no other n-grams: two hashes each keep false matches rare.
    onNgram(hashOf(NONE, NONE, unit));
    onNgram(hashOf(NONE, NONE + 1, unit));
    if (second !== NONE) {
      onNgram(hashOf(NONE, second, unit));
      onNgram(hashOf(NONE + 1, second, unit));
      if (first !== NONE) onNgram(hashOf(first, second, unit));
    }
    first = second;
    second = unit;
  }
}

/** Hashes to 32 bits, by odd constants with evenly spread bits. */
function hashOf(first: number, second: number, third: number): number {
  const key = Math.imul(Math.imul(first, 0x85ebca6b) ^ second, 0xc2b2ae35) ^ third;
  return Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> 0;
}

function rowOf(hash: number, rows: number): number {
  return Math.floor((hash / 2 ** 32) * rows);
}
