/**
 * Signatures of texts, by which a search finds those that may contain a term. A signature is a Bloom filter of the n-grams of
 * one to three UTF-16 units that the text has; no n-gram contains white space, since no term does. Texts of about one
 * length share a block of 32: the number of its rows, the numbers of its texts, then the rows, each a word with a bit for
 * each text. A block has as many rows as its longest text needs, so the signatures take half a byte for each unit of the
 * texts (a byte for a Chinese one), at least 128 bytes for each text, and 0.5 MB at most for what is left over.
 */
export type Signatures = Uint32Array;

/** The texts of a block. */
const BLOCK_TEXTS = 32;
/** What a block has before its rows. */
const HEAD = 1 + BLOCK_TEXTS;
/** The fewest and the most rows of a block. */
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

/** The numbers, ascending, of those of `count` texts that may contain all terms; the ones that do are among them. */
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

/** With so many rows, at most a third of the bits are set. Ideographs make more distinct n-grams than letters. */
function rowsNeeded(text: string): number {
  let rows = 0;
  for (let at = 0; at < text.length; at += 1) rows += text.charCodeAt(at) < FIRST_IDEOGRAPH ? 4 : 8;
  return Math.min(MOST, Math.max(FEWEST, rows));
}

/** Ideographs, kana, Hangul, and the surrogates of rarer ideographs and of emoji begin here. */
const FIRST_IDEOGRAPH = 0x2e80;

/** In place of a unit that an n-gram does not have; no unit is as large. */
const NONE = 2 ** 16;

/** Calls `onNgram` with the hashes of all n-grams of a text, some of them more than once. */
function eachNgram(text: string, onNgram: (hash: number) => void): void {
  let [first, second] = [NONE, NONE];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x20 || (unit >= 9 && unit <= 13)) {
      [first, second] = [NONE, NONE];
      continue;
    }
    // Few n-grams are short, and short terms have no others: with two hashes each, few other texts have both.
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

/** Hashes an n-gram to 32 bits, by odd constants whose bits are spread evenly. */
function hashOf(first: number, second: number, third: number): number {
  const key = Math.imul(Math.imul(first, 0x85ebca6b) ^ second, 0xc2b2ae35) ^ third;
  return Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> 0;
}

/** The row of a hash among so many. */
function rowOf(hash: number, rows: number): number {
  return Math.floor((hash / 2 ** 32) * rows);
}
