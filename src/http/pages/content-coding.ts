import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Close to the best; that takes twenty times as long. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };

/** How content may be compressed, the smallest first. A thread of libuv's pool does it. */
const codings = {
  br: (content: Buffer) => promisify(brotliCompress)(content, { params }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
};
export type Coding = keyof typeof codings;

export function compress(content: Buffer, coding: Coding): Promise<Buffer> {
  return codings[coding](content);
}

/**
 * The coding that an `Accept-Encoding` prefers (RFC 9110, section 12.5.3); undefined for none, also if it forbids that,
 * since an answer is better than an error.
 */
export function preferredCoding(header = ''): Coding | undefined {
  const qualities = new Map(header.toLowerCase().split(',').map(qualityOf));
  const quality = (coding: string, unnamed: number) => qualities.get(coding) ?? qualities.get('*') ?? unnamed;
  // What is not named is acceptable without a coding only.
  const least = quality('identity', Number.MIN_VALUE);
  const accepted = (['br', 'gzip'] as const).filter(
    coding => quality(coding, 0) >= least && quality(coding, 0) > 0,
  );
  return accepted.toSorted((one, other) => quality(other, 0) - quality(one, 0))[0];
}

/** `gzip;q=0.5` is 0.5 of gzip. */
function qualityOf(item: string): [coding: string, quality: number] {
  const [coding = '', parameter = ''] = item.split(';', 2).map(text => text.trim());
  return [coding, parameter === '' ? 1 : Number(/^q=([\d.]+)$/.exec(parameter)?.[1] ?? 0)];
}
