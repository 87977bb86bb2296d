/** A list of texts. */
export interface Texts {
  length: number;
  /** The text of a number from 0. */
  at(index: number): string;
  /** About how many characters it has. */
  lengthOf(index: number): number;
  /** Whether it contains a term. */
  has(index: number, term: string): boolean;
}

/** Texts in memory that threads share: as UTF-8, one after the other. */
export interface SharedTexts {
  bytes: Uint8Array;
  /** Byte offset where each text begins; and, as one more, where the last one ends. */
  offsets: Uint32Array;
}

/** The texts of an array. */
export function textsOf(texts: readonly string[]): Texts {
  return {
    length: texts.length,
    at: index => texts[index] ?? '',
    lengthOf: index => texts[index]?.length ?? 0,
    has: (index, term) => texts[index]?.includes(term) ?? false,
  };
}

/** The most bytes of texts. The system provides memory only for those that there are. */
const MAX_BYTES = 2 ** 31;
/** Texts as UTF-8, one after the other. */
export interface EncodedTexts {
  bytes: Uint8Array;
  /** How many bytes each text has. */
  lengths: number[];
}

export function encodeTexts(texts: readonly string[]): EncodedTexts {
  const encoded = texts.map(text => Buffer.from(text));
  return { bytes: Buffer.concat(encoded), lengths: encoded.map(({ length }) => length) };
}

/** Collects texts in memory that threads share. Each is copied once, to where it stays. */
export function collectTexts() {
  const memory = new SharedArrayBuffer(0, { maxByteLength: MAX_BYTES });
  const offsets = [0];
  return {
    add({ bytes, lengths }: EncodedTexts): void {
      const start = memory.byteLength;
      memory.grow(start + bytes.length);
      new Uint8Array(memory, start).set(bytes);
      let end = start;
      for (const length of lengths) {
        end += length;
        offsets.push(end);
      }
    },
    share(): SharedTexts {
      const size = offsets.length * Uint32Array.BYTES_PER_ELEMENT;
      const starts = new Uint32Array(new SharedArrayBuffer(size));
      starts.set(offsets);
      return { bytes: new Uint8Array(memory, 0, memory.byteLength), offsets: starts };
    },
  };
}

/**
 * The texts in shared memory. Each thread keeps the strings that searches have looked into: to search bytes, or to decode
 * them again, takes up to twice the time.
 */
export function openSharedTexts({ bytes, offsets }: SharedTexts): Texts {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = offsets.subarray(1);
  const known = new Array<string | undefined>(length);
  const at = (index: number) => {
    const text = known[index] ?? all.toString('utf8', offsets[index], offsets[index + 1]);
    known[index] = text;
    return text;
  };
  return {
    length,
    at,
    lengthOf: index => (offsets[index + 1] ?? 0) - (offsets[index] ?? 0),
    has: (index, term) => at(index).includes(term),
  };
}
