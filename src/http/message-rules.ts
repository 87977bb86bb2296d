import type { IncomingMessage } from 'node:http';
import { ApiError, malformed } from '../errors.ts';

/** How much the head of a request may have, the address and the headers together, in bytes. */
export const MAX_HEAD_BYTES = 16_384;

/** What a request breaks of the rules of HTTP that node:http lets pass; undefined where it breaks none. */
export function violation(request: IncomingMessage): ApiError | undefined {
  if (request.httpVersionMajor !== 1) return new ApiError('VERSION_NOT_SUPPORTED');
  if (!hasOneHost(request)) return malformed('HTTP/1.1 wants one Host header, of the form name:port');
  const { expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return new ApiError('EXPECTATION_FAILED');
  return undefined;
}

/** RFC 9112, section 3.2: HTTP/1.1 has exactly one Host, HTTP/1.0 may have none. */
function hasOneHost({ rawHeaders, httpVersion, headers }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 0) return httpVersion === '1.0';
  return hosts === 1 && HOST.test(headers.host ?? '');
}

/** RFC 3986, sections 3.2.2 and 3.2.3: a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d*)?$/i;
