import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The cookie that may carry the token. */
const COOKIE = 'vitrine_preview=';

type HasToken = (headers: IncomingHttpHeaders) => boolean;

/**
 * Whether the headers of a request carry the token, as `Authorization: Bearer …` or in the cookie `vitrine_preview`. How
 * long a comparison takes discloses nothing about the token.
 */
export function tokenCheck(token: string): HasToken {
  return checkOf(token, headers => [...bearersIn(headers), ...cookiesIn(headers)]);
}

/** The same for the header alone: browsers send a cookie for any page that makes them. */
export function bearerCheck(token: string): HasToken {
  return checkOf(token, bearersIn);
}

function checkOf(token: string, tokensIn: (headers: IncomingHttpHeaders) => string[]): HasToken {
  const digest = digestOf(token);
  return headers => tokensIn(headers).some(given => timingSafeEqual(digestOf(given), digest));
}

function bearersIn({ authorization = '' }: IncomingHttpHeaders): string[] {
  return /^Bearer +(\S+)$/i.exec(authorization)?.slice(1) ?? [];
}

function cookiesIn({ cookie = '' }: IncomingHttpHeaders): string[] {
  const cookies = cookie.split(';').map(pair => pair.trim());
  return cookies.filter(pair => pair.startsWith(COOKIE)).map(pair => pair.slice(COOKIE.length));
}

/** Digests have one length, which `timingSafeEqual` requires. */
function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
