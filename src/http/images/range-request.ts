import type { Stats } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { precondition } from '../../answer/conditional.ts';

/** The part of a file that answers a request. */
export interface FilePart {
  /** 200 and 206 send `length` bytes from `start`, the others none. */
  status: 200 | 206 | 304 | 412 | 416;
  headers: Record<string, string | number>;
  start: number;
  length: number;
}

/**
 * Evaluates the conditional and range headers of a request for a file (RFC 9110, sections 13 and 14). Multiple or
 * malformed ranges select the whole file. The ETag is weak, since two changes within a millisecond may leave size and
 * time the same.
 */
export function selectPart(request: IncomingHttpHeaders, { size, mtime }: Stats, type: string): FilePart {
  const modified = mtime.toUTCString();
  const tag = `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`;
  const headers = { 'accept-ranges': 'bytes', 'last-modified': modified, etag: tag };
  const whole = { start: 0, length: size };
  const failed = precondition(request, tag, Date.parse(modified));
  if (failed) return { status: failed, headers, ...whole };

  // The comparison of `If-Range` is strong (RFC 9110, section 13.1.5): a date has to be the same, and no weak tag is.
  const isCurrent = [undefined, modified].includes(request['if-range']?.toString());
  const range = isCurrent ? parseRange(request.range, size) : undefined;
  const { start, length } = range ?? whole;
  if (range && length <= 0) return { status: 416, headers: { 'content-range': `bytes */${size}` }, ...whole };
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-type': type,
      ...(range && { 'content-range': `bytes ${start}-${start + length - 1}/${size}` }),
      'content-length': length,
    },
    start,
    length,
  };
}

/** The one range of a `Range` header; undefined without one. Its length is at most 0 if it lies beyond the file. */
function parseRange(header: string | undefined, size: number): { start: number; length: number } | undefined {
  const [, first = '', last = ''] = /^bytes= *(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return { start, length: end - start };
}
