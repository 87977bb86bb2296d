// Against requests that a proxy in front may read differently: repeated or malformed Host, other versions of HTTP.
import type { IncomingMessage } from 'node:http';
import { ApiError, malformed } from '../../errors.ts';

/** The maximum size of the request line and the headers together, in bytes. */
export const MAX_HEAD_BYTES = 16_384;

/** The error of a request that breaks a rule of HTTP which node:http does not check; undefined if it breaks none. */
export function violation({
  httpVersionMajor,
  httpVersion,
  rawHeaders,
}: IncomingMessage): ApiError | undefined {
  if (httpVersionMajor !== 1) return new ApiError('VERSION_NOT_SUPPORTED');
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    if (isNamed(name, 'host')) {
      hosts += 1;
      if (!HOST.test(value)) return badHost();
    } else if (isNamed(name, 'expect') && value.toLowerCase() !== '100-continue') {
      return new ApiError('EXPECTATION_FAILED');
    }
  }
  // RFC 9112, section 3.2: HTTP/1.1 has exactly one Host, HTTP/1.0 may have none.
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0') ? undefined : badHost();
}

/**
 * The value of a header, given by its name in lower case; undefined without it. Repeated ones are joined, as node:http does.
 * `request.headers` would build an object of all of them.
 */
export function headerOf(rawHeaders: readonly string[], lowerCase: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!isNamed(rawHeaders[index] ?? '', lowerCase)) continue;
    const value = rawHeaders[index + 1] ?? '';
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

function isNamed(name: string, lowerCase: string): boolean {
  return name.length === lowerCase.length && name.toLowerCase() === lowerCase;
}

function badHost(): ApiError {
  return malformed('send exactly one Host header, of the form name:port');
}

/** RFC 3986, sections 3.2.2 and 3.2.3: a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d*)?$/i;
