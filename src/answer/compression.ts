import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** A content coding (RFC 9110, section 8.4.1). */
export type Coding = 'br' | 'zstd' | 'gzip';

/** Compressing less, in bytes, saves next to nothing. */
export const MIN_COMPRESSED = 1024;

const { brotliCompress, gzip, constants } = zlib;
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
/** Node.js has it from 22.15, but not the types of an older one. */
const zstdCompress: typeof zlib.gzip | undefined = Reflect.get(zlib, 'zstdCompress');

/** The codings that this Node.js has, smallest output first. */
const codings = new Map<Coding, (content: Uint8Array) => Promise<Buffer>>([
  ['br', content => promisify(brotliCompress)(content, brotliOptions)],
  ...(zstdCompress ? [['zstd', promisify<Uint8Array, Buffer>(zstdCompress)] as const] : []),
  ['gzip', promisify<Uint8Array, Buffer>(gzip)],
]);

/** Compresses content, in a coding that this Node.js has. */
export async function compress(content: Uint8Array, coding: Coding): Promise<Buffer> {
  const compressIn = codings.get(coding);
  if (!compressIn) throw new Error(`this Node.js has no ${coding}`);
  return compressIn(content);
}

/** Of the last values of `Accept-Encoding`. Browsers have a few. */
const preferred = new LRUCache<string, { coding: Coding | undefined }>({
  max: 100,
  memoMethod: header => ({ coding: preferredCoding(header) }),
});

/**
 * The coding that an `Accept-Encoding` prefers (RFC 9110, section 12.5.3); undefined for none, also if it forbids that,
 * since an answer is better than an error.
 */
export function codingFor(header: string | undefined): Coding | undefined {
  return header === undefined ? undefined : preferred.memo(header).coding;
}

function preferredCoding(header: string): Coding | undefined {
  const qualities = new Map(header.toLowerCase().split(',').map(qualityOf));
  const quality = (coding: string, unnamed: number) => qualities.get(coding) ?? qualities.get('*') ?? unnamed;
  // A coding that is not named is not acceptable; no coding is.
  const least = quality('identity', Number.MIN_VALUE);
  const accepted = [...codings.keys()].filter(
    coding => quality(coding, 0) >= least && quality(coding, 0) > 0,
  );
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
