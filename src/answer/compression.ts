import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { LRUCache } from 'lru-cache';

export type Coding = 'br' | 'zstd' | 'gzip';

/** In bytes. Compressing shorter content saves next to nothing. */
export const MIN_COMPRESSED = 1024;

const { brotliCompress, gzip } = zlib;
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } };
/** Available from Node.js 22.15; the types are those of an older version. */
const zstdCompress: typeof zlib.gzip | undefined = Reflect.get(zlib, 'zstdCompress');

/** The codings that this version of Node.js supports, smallest output first. */
const codings = new Map<Coding, (content: Uint8Array) => Promise<Buffer>>([
  ['br', content => promisify(brotliCompress)(content, brotliOptions)],
  ...(zstdCompress ? [['zstd', promisify<Uint8Array, Buffer>(zstdCompress)] as const] : []),
  ['gzip', promisify<Uint8Array, Buffer>(gzip)],
]);

/** @throws Error if this version of Node.js does not support the coding. */
export async function compress(content: Uint8Array, coding: Coding): Promise<Buffer> {
  const compressIn = codings.get(coding);
  if (!compressIn) throw new Error(`this Node.js has no ${coding}`);
  return compressIn(content);
}

/** The results for recent `Accept-Encoding` headers. Browsers send only a few different ones. */
const preferred = new LRUCache<string, { coding: Coding | undefined }>({
  max: 100,
  memoMethod: header => ({ coding: preferredCoding(header) }),
});

/** The coding that an `Accept-Encoding` prefers (RFC 9110, section 12.5.3); undefined for none, even if that is forbidden. */
export function codingFor(header: string | undefined): Coding | undefined {
  return header === undefined ? undefined : preferred.memo(header).coding;
}

function preferredCoding(header: string): Coding | undefined {
  const qualities = new Map(header.toLowerCase().split(',').map(qualityOf));
  const quality = (coding: string, unnamed: number) => qualities.get(coding) ?? qualities.get('*') ?? unnamed;
  // A coding that is not listed is unacceptable, but uncompressed content is acceptable.
  const least = Math.max(quality('identity', 0), Number.MIN_VALUE);
  const accepted = [...codings.keys()].filter(coding => quality(coding, 0) >= least);
  return accepted.toSorted((one, other) => quality(other, 0) - quality(one, 0))[0];
}

/** Parses an item such as `gzip;q=0.5`. */
function qualityOf(item: string): [coding: string, quality: number] {
  const [coding = '', parameter = ''] = item.split(';', 2).map(text => text.trim());
  return [coding, parameter === '' ? 1 : Number(/^q=([\d.]+)$/.exec(parameter)?.[1] ?? 0)];
}

/** Adds Accept-Encoding to the value of `Vary`. */
export function varyWith(others: string | number | string[] | undefined): string {
  return [others ?? [], 'Accept-Encoding'].flat().join(', ');
}
