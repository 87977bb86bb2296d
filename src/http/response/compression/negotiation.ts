import { availableCodings, type Coding } from './codings.ts';

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
