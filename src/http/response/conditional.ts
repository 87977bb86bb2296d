import { createHash, hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A strong tag (RFC 9110, section 8.8.3): the same for the same content, and for no other. */
export function strongTag(content: string | Buffer): string {
  return `"${hash('sha1', content, 'base64url')}"`;
}

/** Odd constants of MurmurHash3, by which bits spread. */
const [SPREAD, SPREAD_MORE] = [0xcc9e2d51, 0x1b873593];

/**
 * A weak tag: the same for the same whole numbers, and by 64 bits of a hash another one for others. It is made for each
 * answer, and only has to tell it from those that its address had before; that takes a tenth of what SHA-1 would.
 */
export function weakTag(numbers: readonly number[]): string {
  let one = numbers.length;
  let other = ~numbers.length;
  for (const number of numbers) {
    const high = (number / 2 ** 32) | 0;
    one = mix(mix(one, number), high);
    other = mix(mix(other, high), ~number);
  }
  return `W/"${(mix(one, other) >>> 0).toString(36)}-${(mix(other, one) >>> 0).toString(36)}"`;
}

/** 64 bits of a text's hash in two words, to make tags of. */
export function digestOf(text: string): [number, number] {
  const digest = createHash('sha1').update(text).digest();
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
}

/** As MurmurHash3 takes up the low 32 bits of a number. */
function mix(hash: number, number: number): number {
  const word = Math.imul(rotate(Math.imul(number, SPREAD), 15), SPREAD_MORE);
  return (Math.imul(rotate(hash ^ word, 13), 5) + 0xe6546b64) | 0;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/**
 * Whether a client has the answer of this tag already (RFC 9110, section 13.1.2), by its If-None-Match. This compares
 * weakly: `W/` does not count.
 */
export function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag || header.trim() === '*') return true;
  return header.match(/"[^"]*"/g)?.includes(tag.replace(/^W\//, '')) ?? false;
}

/**
 * The status with which the conditions of a request end it, for something with this tag that was modified at this time
 * (in milliseconds, of whole seconds); undefined where it is to be answered. The order is that of RFC 9110, section
 * 13.2.2. A client that reloads, with `Cache-Control: no-cache`, is sent what it may already have.
 */
export function precondition(
  headers: IncomingHttpHeaders,
  tag: string,
  modified: number,
): 304 | 412 | undefined {
  const isSince = (date = '') => modified <= Date.parse(date);
  const isAfter = (date = '') => modified > Date.parse(date);
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch ? !matches(ifMatch, tag) : isAfter(headers['if-unmodified-since'])) return 412;
  if (headers['cache-control']?.includes('no-cache')) return undefined;
  const hasIt = ifNoneMatch === undefined ? isSince(headers['if-modified-since']) : matches(ifNoneMatch, tag);
  return hasIt ? 304 : undefined;
}
