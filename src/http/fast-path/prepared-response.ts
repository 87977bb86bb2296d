import { assemble } from '../response/json-bodies.ts';
import {
  byteLength,
  contentHeaders,
  contentOf,
  metadataHeaders,
  type Representation,
} from '../response/representation.ts';
import { linesOf, type SharedLines } from './shared-lines.ts';

/** The bytes of the responses with a representation. A string has one character per byte (latin1). */
export interface PreparedResponse {
  /** The ETag; undefined without one. */
  tag: string | undefined;
  /** With the content. */
  ok(lines: SharedLines): Buffer | string;
  /** For a client that has the content already. */
  notModified(lines: SharedLines): string;
}

/** A response that is sent again and again. */
export interface KeptResponse extends PreparedResponse {
  /** Whether the same request still gets this. */
  isCurrent(): boolean;
  /** Takes over how long the same content is current. */
  renew(answer: Representation): void;
}

/** Prepares a response that is sent once. */
export function prepareOnce(representation: Representation): PreparedResponse {
  return {
    tag: representation.tag,
    ok(lines) {
      const content = contentOf(representation);
      const metadata = linesOf(metadataHeaders(representation, lines.cachingHeaders));
      const ofContent = linesOf(contentHeaders(representation, content));
      const head = headOf('200 OK', metadata + ofContent, lines);
      return typeof content === 'string' ? head + content : assemble(content, head);
    },
    notModified: lines =>
      headOf('304 Not Modified', linesOf(metadataHeaders(representation, lines.cachingHeaders)), lines),
  };
}

/**
 * Prepares a response that is sent again and again: its bytes are made when they are first sent, and again only when the
 * shared lines have changed. Passes the number of bytes that it holds to `grow`.
 */
export function prepareKept(representation: Representation, grow: (bytes: number) => void): KeptResponse {
  const kept = { ...representation };
  const prepared = prepareOnce(kept);
  let size = typeof kept.body === 'function' ? 0 : byteLength(kept.body);
  grow(size);
  let whole: { lines: SharedLines; bytes: Buffer } | undefined;
  let head: { lines: SharedLines; text: string } | undefined;
  return {
    ...prepared,
    isCurrent: () => kept.isCurrent?.() === true,
    renew({ isCurrent = () => false, caching }) {
      kept.isCurrent = isCurrent;
      if (caching?.until === kept.caching?.until) return;
      kept.caching = caching;
      whole = undefined;
      head = undefined;
    },
    ok(lines) {
      if (whole?.lines === lines) return whole.bytes;
      const content = contentOf(kept);
      kept.body = content;
      const made = prepared.ok(lines);
      const bytes = typeof made === 'string' ? assemble([], made) : made;
      kept.body = [bytes.subarray(bytes.length - byteLength(content))]; // Drops what made it.
      grow(bytes.length - size);
      size = bytes.length;
      whole = { lines, bytes };
      return bytes;
    },
    notModified(lines) {
      if (head?.lines !== lines) head = { lines, text: prepared.notModified(lines) };
      return head.text;
    },
  };
}

function headOf(status: string, own: string, { first, last }: SharedLines): string {
  return `HTTP/1.1 ${status}\r\n${first}${own}${last}`;
}
