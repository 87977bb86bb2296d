import type { Answer } from './answer.ts';
import { matches } from './conditional.ts';
import { JSON_TYPE } from './envelope.ts';

/** An answer as it is sent. */
export interface Response {
  status: 200 | 304;
  /** Its own headers besides those of every answer: names and values in turn. */
  headers: string[];
  body: Buffer | undefined;
}

/** The response to a request; its body is made only where the client does not have the answer already. */
export function responseOf({ tag, body }: Answer, ifNoneMatch: string | undefined): Response {
  const headers =
    tag === undefined ? ['cache-control', 'no-store'] : ['etag', tag, 'cache-control', 'no-cache'];
  if (tag !== undefined && matches(ifNoneMatch, tag)) return { status: 304, headers, body: undefined };
  const bytes = body();
  headers.push('content-type', JSON_TYPE, 'content-length', String(bytes.length));
  return { status: 200, headers, body: bytes };
}
