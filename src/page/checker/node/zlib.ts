import { Inflate, Z_BUF_ERROR } from 'pako';

/** In bytes: what zlib of Node makes at a time, so that damage is met after the same bytes. */
const CHUNK = 2 ** 14;

/** As `createInflateRaw` of node:zlib, for bytes that come at once. Its errors are those of zlib. */
export function createInflateRaw() {
  let packed: Uint8Array = new Uint8Array();
  return {
    end(bytes: Uint8Array) {
      packed = bytes;
    },
    async *[Symbol.asyncIterator]() {
      const inflate = new Inflate({ raw: true, chunkSize: CHUNK });
      let pieces: Uint8Array<ArrayBuffer>[] = [];
      inflate.onData = piece => pieces.push(piece);
      inflate.onEnd = () => {};
      for (let start = 0; ; start += CHUNK) {
        const isLast = start + CHUNK >= packed.length;
        const isGood = inflate.push(packed.subarray(start, start + CHUNK), isLast);
        for (const { buffer, byteOffset, length } of pieces) yield Buffer.from(buffer, byteOffset, length);
        pieces = [];
        if (!isGood) throw new Error(inflate.err === Z_BUF_ERROR ? 'unexpected end of file' : inflate.msg);
        if (isLast) return;
      }
    },
  };
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});

/** As `crc32` of node:zlib. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let sum = ~before;
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] ?? 0);
  return ~sum >>> 0;
}
