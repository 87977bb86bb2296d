import { between, type Random } from '../../../scripts/bench/catalog/random.ts';

/** What mutations draw from. Every text stands for bytes, one per character (latin1). */
export interface Material {
  /** Other seeds, to splice with. */
  others: readonly string[];
  /** Words of the format. */
  tokens: readonly string[];
  /** No mutated text is longer. */
  maxLength: number;
}

type Mutation = (text: string, random: Random, material: Material) => string;

/** Numbers at the bounds of what parsers, doubles and the service accept. */
const numbers = words(String.raw`
  0 -0 -1 1 01 1.0 .5 1e3 1e999 0x10 1\u0020000 1,5 NaN 101 65536 2147483648 4294967296 253402300800
  9007199254740991 9007199254740992 1000000000000001 ${'1'.repeat(400)}
`);

/** Words that are divided by white space, and escaped as in JSON. */
export function words(text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .map(word => JSON.parse(`"${word}"`));
}

/** One item of a list. */
export function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('cannot pick from an empty list');
  return item;
}

/** A range of a text: two offsets, at most `most` apart. */
function rangeIn(text: string, random: Random, most: number): [start: number, end: number] {
  const start = between(random, 0, text.length);
  return [start, Math.min(text.length, start + between(random, 1, most))];
}

const insert = (text: string, at: number, part: string) => text.slice(0, at) + part + text.slice(at);

/** Rearranges the pieces between separators (lines of a head, cells of a row, members of an object). */
const rearrange =
  (
    separators: RegExp,
    change: (pieces: string[], at: number, random: Random, material: Material) => void,
  ): Mutation =>
  (text, random, material) => {
    const [start] = rangeIn(text, random, 1);
    // A window, since a long text has millions of pieces.
    const from = Math.max(0, start - 1000);
    const pieces = text.slice(from, from + 2000).split(separators);
    change(pieces, 2 * between(random, 0, pieces.length >> 1), random, material);
    return text.slice(0, from) + pieces.join('') + text.slice(from + 2000);
  };

const LINES = /(\r\n|\n|\r)/;
const WORDS = /([\s,;&=?:"'/{}[\]]+)/;

const offsetIn = (text: string, random: Random) => between(random, 0, text.length);

/** Flips a bit; cuts, removes, copies and repeats ranges; inserts tokens; splices with others; and rearranges pieces. */
const mutations: Mutation[] = [
  (text, random) => {
    const at = offsetIn(text, random);
    const flipped = (text.charCodeAt(at) || 0) ^ (1 << between(random, 0, 7));
    return text.slice(0, at) + String.fromCharCode(flipped) + text.slice(at + 1);
  },
  (text, random) => text.slice(0, offsetIn(text, random)),
  (text, random) => {
    const [start, end] = rangeIn(text, random, 40);
    return text.slice(0, start) + text.slice(end);
  },
  (text, random) => insert(text, offsetIn(text, random), text.slice(...rangeIn(text, random, 200))),
  (text, random, { maxLength }) => {
    const [start, end] = rangeIn(text, random, 8);
    return insert(text, start, repeated(text.slice(start, end), random, maxLength));
  },
  (text, random, { tokens, maxLength }) =>
    insert(text, offsetIn(text, random), repeated(pick(tokens, random), random, maxLength)),
  (text, random, { tokens }) => insert(text, offsetIn(text, random), pick(tokens, random)),
  (text, random, { others }) => {
    const other = pick(others, random);
    return text.slice(0, offsetIn(text, random)) + other.slice(offsetIn(other, random));
  },
  (text, random, { others }) => text + pick(others, random),
  rearrange(WORDS, (pieces, at, random) => pieces.splice(at, 1, pick(numbers, random))),
  rearrange(WORDS, (pieces, at, random, { tokens }) => pieces.splice(at, 1, pick(tokens, random))),
  rearrange(WORDS, (pieces, at) => pieces.splice(at, 2, ...pieces.slice(at, at + 3).reverse())),
  rearrange(LINES, (pieces, at) => pieces.splice(at, 2)),
  rearrange(LINES, (pieces, at) => pieces.splice(at, 0, ...pieces.slice(at, at + 2))),
  rearrange(LINES, (pieces, at, random) => {
    const to = 2 * between(random, 0, pieces.length >> 1);
    pieces.splice(to, 0, ...pieces.splice(at, 2));
  }),
];

/** A text many times over: mostly a few, now and then up to the longest that is allowed. */
function repeated(text: string, random: Random, maxLength: number): string {
  const length = Math.min(maxLength, 2 ** between(random, 1, Math.log2(maxLength)));
  return text.repeat(Math.ceil(length / Math.max(1, text.length)));
}

/** Changes a text in one to four ways; the same ones for the same random numbers. */
export function mutate(text: string, random: Random, material: Material): string {
  let mutated = text;
  for (let left = between(random, 1, 4); left > 0; left -= 1)
    mutated = pick(mutations, random)(mutated, random, material).slice(0, material.maxLength);
  return mutated;
}
