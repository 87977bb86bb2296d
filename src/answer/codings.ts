import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { type Body, startingWith, startOf } from './body.ts';

/** Content that is compressed up to a point at which more can follow. All strings have one character per byte (latin1). */
export interface Compressed {
  /** What was compressed, without an end. */
  start: Body;
  /** All of it with a tail, at most 65,535 bytes, which is stored as it is. */
  followedBy(tail: string): Body;
}

/** Contents that change are compressed `fast`. `small` takes several times as long for a few per cent less. */
type Effort = 'fast' | 'small';

type Compress = (content: Buffer, effort: Effort) => Promise<Compressed>;

const { constants } = zlib;
const brotliCompress = promisify(zlib.brotliCompress);
const gzipCompress = promisify(zlib.gzip);

/** RFC 7932, section 9.2: a metablock of stored bytes, and an empty one that ends the stream. */
const STORED_METABLOCK = 1 << 19;
const LAST_METABLOCK = littleEndian(0b11, 1);

const br: Compress = async (content, effort) => {
  const compressed = await brotliCompress(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: effort === 'fast' ? 5 : 9 },
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
  });
  const start = startOf([compressed]);
  const headOf = ({ length }: string) =>
    length > 0 ? littleEndian(STORED_METABLOCK | ((length - 1) << 3), 3) : '';
  return { start, followedBy: tail => startingWith(start, headOf(tail) + tail + LAST_METABLOCK) };
};

/** RFC 1951, section 3.2.4: the last block, stored. */
const LAST_BLOCK = littleEndian(0b001, 1);

const gzip: Compress = async (content, effort) => {
  const compressed = await gzipCompress(content, {
    level: effort === 'fast' ? 6 : 9,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  const start = startOf([compressed]);
  const sum = zlib.crc32(content);
  const headOf = ({ length }: string) => LAST_BLOCK + littleEndian(length, 2) + littleEndian(~length, 2);
  const sumWith = (tail: string) => (tail === '' ? sum : zlib.crc32(Buffer.from(tail, 'latin1'), sum)); // Node.js takes no bytes for a new start.
  const trailerOf = (tail: string) =>
    littleEndian(sumWith(tail), 4) + littleEndian(content.length + tail.length, 4);
  return { start, followedBy: tail => startingWith(start, headOf(tail) + tail + trailerOf(tail)) };
};

/** Node.js has it from 22.15, but not the types of an older one. */
const zstdOfNode: typeof zlib.brotliCompress | undefined = Reflect.get(zlib, 'zstdCompress');
const ZSTD_C_COMPRESSION_LEVEL = 100;
const ZSTD_E_FLUSH = 1;

/** RFC 8878, section 3.1.1.2: the last block, stored. */
const LAST_ZSTD_BLOCK = 0b001;

function zstdWith(zstdCompress: typeof zlib.brotliCompress): Compress {
  return async (content, effort) => {
    const compressed = await promisify(zstdCompress)(content, {
      params: { [ZSTD_C_COMPRESSION_LEVEL]: effort === 'fast' ? 6 : 12 },
      finishFlush: ZSTD_E_FLUSH,
    });
    const start = startOf([compressed]);
    const headOf = ({ length }: string) => littleEndian(LAST_ZSTD_BLOCK | (length << 3), 3);
    return { start, followedBy: tail => startingWith(start, headOf(tail) + tail) };
  };
}

const codings = { br, ...(zstdOfNode && { zstd: zstdWith(zstdOfNode) }), gzip };

/** A content coding (RFC 9110, section 8.4.1). */
export type Coding = 'br' | 'zstd' | 'gzip';

/** Those that this Node.js has, the smallest first. */
const availableCodings = Object.keys(codings) as Coding[];

/** Compresses content, at least one byte, in an available coding. A thread of libuv's pool does it. */
export async function compress(content: Buffer, coding: Coding, effort: Effort): Promise<Compressed> {
  const { [coding]: compressed } = codings;
  if (!compressed) throw new Error(`this Node.js has no ${coding}`);
  return compressed(content, effort);
}

/** The lowest bytes of a number. */
function littleEndian(value: number, bytes: number): string {
  let text = '';
  for (let byte = 0; byte < bytes; byte += 1) text += String.fromCharCode((value >>> (8 * byte)) & 0xff);
  return text;
}

/** Compressing less, in bytes, saves next to nothing. */
export const MIN_COMPRESSED = 1024;

/**
 * The coding that an `Accept-Encoding` prefers (RFC 9110, section 12.5.3); undefined for none, also if it forbids that,
 * since an answer is better than an error.
 */
export function preferredCoding(header: string): Coding | undefined {
  const qualities = new Map(header.toLowerCase().split(',').map(qualityOf));
  const quality = (coding: string, unnamed: number) => qualities.get(coding) ?? qualities.get('*') ?? unnamed;
  // What is not named is acceptable without a coding only.
  const least = quality('identity', Number.MIN_VALUE);
  const accepted = availableCodings.filter(coding => quality(coding, 0) >= least && quality(coding, 0) > 0);
  return accepted.toSorted((one, other) => quality(other, 0) - quality(one, 0))[0];
}

/** `gzip;q=0.5` is 0.5 of gzip. */
function qualityOf(item: string): [coding: string, quality: number] {
  const [coding = '', parameter = ''] = item.split(';', 2).map(text => text.trim());
  return [coding, parameter === '' ? 1 : Number(/^q=([\d.]+)$/.exec(parameter)?.[1] ?? 0)];
}

/** The value of `Vary` for content that may be compressed, given the value for other reasons. */
export function varyWith(others: string | number | string[] | undefined): string {
  return [others ?? [], 'Accept-Encoding'].flat().join(', ');
}
