import type { Coding } from '../response/compression/codings.ts';
import type { Compression, Question } from '../response/compression/compression.ts';
import { assemble } from '../response/json-bodies.ts';
import {
  type Body,
  byteLength,
  contentHeaders,
  contentOf,
  isCompressible,
  metadataHeaders,
  type Representation,
} from '../response/representation.ts';
import { linesOf, type SharedLines } from './shared-lines.ts';

/** The bytes of a whole response. A string has one character per byte (latin1). */
export type ResponseBytes = Buffer | string;

/** The responses with a representation. */
export interface PreparedResponse {
  /** The ETag; undefined without one. */
  tag: string | undefined;
  /** With the content, for a client that prefers this coding. */
  ok(lines: SharedLines, coding: Coding | undefined): ResponseBytes | Promise<ResponseBytes>;
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

/** What answers a question. Without `compression`, it is sent as it is. */
export interface Answer {
  question: Question;
  answer: Representation;
  compression: Compression | undefined;
}

/** Prepares a response that is sent once. */
export function prepareOnce(given: Answer): PreparedResponse {
  const { answer } = given;
  const { headOf, inCoding } = writerOf(given);
  return {
    tag: answer.tag,
    ok: inCoding(
      (lines, content, coding) => headOf(lines, content, coding) + content,
      lines => {
        const content = contentOf(answer);
        const head = headOf(lines, content);
        return typeof content === 'string' ? head + content : assemble(content, head);
      },
    ),
    notModified: headOf,
  };
}

/**
 * Prepares a response that is sent again and again: its bytes are made when they are first sent, and again only when the
 * shared lines have changed. Passes the number of bytes that it holds to `grow`.
 */
export function prepareKept({ answer, ...given }: Answer, grow: (bytes: number) => void): KeptResponse {
  const kept = { ...answer };
  const { headOf, inCoding } = writerOf({ ...given, answer: kept });
  const bodySize = typeof kept.body === 'function' ? 0 : byteLength(kept.body);
  grow(bodySize);
  const wholes = new Map<Coding | undefined, { lines: SharedLines | undefined; bytes: Buffer }>();
  let head: { lines: SharedLines; text: string } | undefined;

  const keep = (lines: SharedLines, content: Body, coding?: Coding) => {
    const text = headOf(lines, content, coding);
    const bytes = typeof content === 'string' ? assemble([], text + content) : assemble(content, text);
    const before = wholes.get(coding)?.bytes.length ?? (coding ? 0 : bodySize);
    grow(bytes.length - before);
    wholes.set(coding, { lines, bytes });
    return bytes;
  };
  const make = inCoding(keep, lines => {
    const whole = wholes.get(undefined);
    if (whole?.lines === lines) return whole.bytes;
    const content = contentOf(kept);
    const bytes = keep(lines, content);
    kept.body = [bytes.subarray(bytes.length - byteLength(content))]; // Drops what made it.
    return bytes;
  });
  return {
    tag: kept.tag,
    isCurrent: () => kept.isCurrent?.() === true,
    renew({ isCurrent = () => false, caching }) {
      kept.isCurrent = isCurrent;
      if (caching?.until === kept.caching?.until) return;
      kept.caching = caching;
      for (const whole of wholes.values()) whole.lines = undefined;
      head = undefined;
    },
    ok(lines, coding) {
      const whole = wholes.get(coding);
      return whole?.lines === lines ? whole.bytes : make(lines, coding);
    },
    notModified(lines) {
      if (head?.lines !== lines) head = { lines, text: headOf(lines) };
      return head.text;
    },
  };
}

/** Writes the responses of an answer. */
function writerOf({ question, answer, compression }: Answer) {
  const used = isCompressible(answer) ? compression : undefined;
  return {
    /** With content, the head of a 200; without, that of a 304. */
    headOf(lines: SharedLines, content?: Body, coding?: Coding): string {
      const status = content === undefined ? '304 Not Modified' : '200 OK';
      const first = used ? lines.firstOfNegotiated : lines.first;
      const metadata = linesOf(metadataHeaders(answer, lines.cachingHeaders, used !== undefined));
      const ofContent = content === undefined ? '' : linesOf(contentHeaders(answer, content, coding));
      return `HTTP/1.1 ${status}\r\n${first}${metadata}${ofContent}${lines.last}`;
    },
    /** Makes the response with compressed content, or the plain one if there is none. */
    inCoding<Made>(
      compressed: (lines: SharedLines, content: string, coding: Coding | undefined) => Made,
      plain: (lines: SharedLines) => Made,
    ) {
      return (lines: SharedLines, coding: Coding | undefined): Made | Promise<Made> => {
        const encoded = coding && used?.encode(question, answer, coding);
        const make = (content: string | undefined) =>
          content ? compressed(lines, content, coding) : plain(lines);
        return encoded instanceof Promise ? encoded.then(make) : make(encoded);
      };
    },
  };
}
