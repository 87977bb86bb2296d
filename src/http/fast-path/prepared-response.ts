import { assemble } from '../response/json-bodies.ts';
import {
  byteLength,
  contentHeaders,
  contentOf,
  type Representation,
  validatorHeaders,
} from '../response/representation.ts';
import { linesOf, type SharedLines } from './shared-lines.ts';

/** The bytes of the responses with a representation. A string has one character per byte (latin1). */
export interface PreparedResponse {
  tag: Representation['tag'] | undefined;
  isCurrent: Representation['isCurrent'] | undefined;
  /** With the content. */
  ok(lines: SharedLines): Buffer | string;
  /** For a client that has the content already. */
  notModified(lines: SharedLines): string;
}

/** Prepares a response that is sent once. */
export function prepareOnce(representation: Representation): PreparedResponse {
  const { tag, isCurrent } = representation;
  const validators = linesOf(validatorHeaders(representation));
  return {
    ...{ tag, isCurrent },
    ok({ first, last }) {
      const content = contentOf(representation);
      const ofContent = linesOf(contentHeaders(representation, content));
      const head = `HTTP/1.1 200 OK\r\n${first}${validators}${ofContent}${last}`;
      return typeof content === 'string' ? head + content : assemble(content, head);
    },
    notModified: ({ first, last }) => `HTTP/1.1 304 Not Modified\r\n${first}${validators}${last}`,
  };
}

/**
 * Prepares a response that is sent again and again: its bytes are made when it is first sent, and again only when the
 * shared lines have changed. Passes the number of bytes that it holds to `grow`.
 */
export function prepareKept(representation: Representation, grow: (bytes: number) => void): PreparedResponse {
  const kept = { ...representation };
  const prepared = prepareOnce(kept);
  let size = typeof kept.body === 'function' ? 0 : byteLength(kept.body);
  grow(size);
  let bytes: Buffer | undefined;
  let made: SharedLines | undefined;
  return {
    ...prepared,
    ok(lines) {
      if (bytes && made?.first === lines.first && made.last === lines.last) return bytes;
      kept.body = contentOf(kept);
      const whole = prepared.ok(lines);
      bytes = typeof whole === 'string' ? assemble([], whole) : whole;
      made = lines;
      kept.body = [bytes.subarray(bytes.length - byteLength(kept.body))]; // Drops what made it.
      grow(bytes.length - size);
      size = bytes.length;
      return bytes;
    },
  };
}
