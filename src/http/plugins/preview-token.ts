import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The cookie that may carry the token. */
const COOKIE = 'vitrine_preview=';

/**
 * Whether the headers of a request carry the token, as `Authorization: Bearer …` or in the cookie `vitrine_preview`. How
 * long a comparison takes discloses nothing about the token.
 */
export function tokenCheck(token: string): (headers: IncomingHttpHeaders) => boolean {
  const digest = digestOf(token);
  return headers => tokensIn(headers).some(given => timingSafeEqual(digestOf(given), digest));
}

function tokensIn({ authorization = '', cookie = '' }: IncomingHttpHeaders): string[] {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const cookies = cookie.split(';').map(pair => pair.trim());
  const values = cookies.filter(pair => pair.startsWith(COOKIE)).map(pair => pair.slice(COOKIE.length));
  return bearer === undefined ? values : [bearer, ...values];
}

/** Digests have one length, which `timingSafeEqual` requires. */
function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
