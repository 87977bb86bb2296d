import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Content that is compressed up to a point at which more can follow. */
export interface Compressed {
  /** What was compressed, without an end. */
  start: Buffer;
  /** Ends it with a tail of at most 65,535 bytes, which is stored as it is. */
  end(tail: Buffer): Buffer;
}

/** Contents that change are compressed `fast`. `small` takes several times as long for a few per cent less. */
export type Effort = 'fast' | 'small';

type Compress = (content: Buffer, effort: Effort) => Promise<Compressed>;

const { constants } = zlib;
const brotliCompress = promisify(zlib.brotliCompress);
const gzipCompress = promisify(zlib.gzip);

const EMPTY = Buffer.alloc(0);

/** Node.js leaves a few compressed bytes in a buffer of 16 kB. */
async function ownBytes(bytes: Promise<Buffer>): Promise<Buffer> {
  return Buffer.from(new Uint8Array(await bytes).buffer);
}

/** RFC 7932, section 9.2: a metablock of stored bytes, and an empty one that ends the stream. */
const STORED_METABLOCK = 1 << 19;
const LAST_METABLOCK = Buffer.of(0b11);

const br: Compress = async (content, effort) => {
  const start = await ownBytes(
    brotliCompress(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: effort === 'fast' ? 5 : 9 },
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
  );
  const headOf = ({ length }: Buffer) =>
    length > 0 ? littleEndian(STORED_METABLOCK | ((length - 1) << 3), 3) : EMPTY;
  return { start, end: tail => Buffer.concat([start, headOf(tail), tail, LAST_METABLOCK]) };
};

/** RFC 1951, section 3.2.4: the last block, stored. */
const LAST_BLOCK = Buffer.of(0b001);

const gzip: Compress = async (content, effort) => {
  const start = await ownBytes(
    gzipCompress(content, {
      level: effort === 'fast' ? 6 : 9,
      finishFlush: constants.Z_SYNC_FLUSH,
    }),
  );
  const checksum = zlib.crc32(content);
  const end = (tail: Buffer) => {
    const { length } = tail;
    const head = [LAST_BLOCK, littleEndian(length, 2), littleEndian(length ^ 0xffff, 2)];
    const whole = length > 0 ? zlib.crc32(tail, checksum) : checksum; // Node.js takes no bytes for a new start.
    const trailer = [littleEndian(whole, 4), littleEndian(content.length + length, 4)];
    return Buffer.concat([start, ...head, tail, ...trailer]);
  };
  return { start, end };
};

/** Node.js has it from 22.15, but not the types of an older one. */
const zstdOfNode: typeof zlib.brotliCompress | undefined = Reflect.get(zlib, 'zstdCompress');
const ZSTD_C_COMPRESSION_LEVEL = 100;
const ZSTD_E_FLUSH = 1;

/** RFC 8878, section 3.1.1.2: the last block, stored. */
const LAST_ZSTD_BLOCK = 0b001;

function zstdWith(zstdCompress: typeof zlib.brotliCompress): Compress {
  return async (content, effort) => {
    const start = await ownBytes(
      promisify(zstdCompress)(content, {
        params: { [ZSTD_C_COMPRESSION_LEVEL]: effort === 'fast' ? 6 : 12 },
        finishFlush: ZSTD_E_FLUSH,
      }),
    );
    const headOf = ({ length }: Buffer) => littleEndian(LAST_ZSTD_BLOCK | (length << 3), 3);
    return { start, end: tail => Buffer.concat([start, headOf(tail), tail]) };
  };
}

const codings = { br, ...(zstdOfNode && { zstd: zstdWith(zstdOfNode) }), gzip };

/** A content coding (RFC 9110, section 8.4.1). */
export type Coding = 'br' | 'zstd' | 'gzip';

/** Those that this Node.js has, the smallest first. */
export const availableCodings = Object.keys(codings) as Coding[];

/** Compresses content in an available coding. A thread of libuv's pool does it. */
export async function compress(content: Buffer, coding: Coding, effort: Effort): Promise<Compressed> {
  const { [coding]: compressed } = codings;
  if (!compressed) throw new Error(`this Node.js has no ${coding}`);
  return compressed(content, effort);
}

function littleEndian(value: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  buffer.writeUIntLE(value >>> 0, 0, bytes);
  return buffer;
}
