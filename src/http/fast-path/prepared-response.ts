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

/** What answers a question. Without `compression`, it is sent as it is. */
export interface Answer {
  question: Question;
  answer: Representation;
  compression: Compression | undefined;
}

/** Prepares a response that is sent once. */
export function prepareOnce(given: Answer): PreparedResponse {
  const { answer } = given;
  const used = withUsedCompression(given);
  return {
    tag: answer.tag,
    ok: (lines, coding) =>
      whenEncoded(used, coding, encoded => {
        if (encoded) return headOf(used, lines, encoded, coding) + encoded;
        const content = contentOf(answer);
        const head = headOf(used, lines, content);
        return typeof content === 'string' ? head + content : assemble(content, head);
      }),
    notModified: lines => headOf(used, lines),
  };
}

/** A whole response, and the shared lines that it has; undefined if they are to be written again. */
interface Whole {
  lines: SharedLines | undefined;
  bytes: Buffer;
}

/**
 * A response that is sent again and again: its bytes are made when they are first sent, and again only when the shared lines
 * have changed. There are many of them: closures in place of a class would take twice the memory.
 */
export class KeptResponse implements PreparedResponse {
  readonly tag: string | undefined;
  readonly #given: Answer;
  readonly #grow: (key: string, bytes: number) => void;
  readonly #wholes: Partial<Record<Coding | 'identity', Whole>> = {};
  #head: { lines: SharedLines; text: string } | undefined;

  /** Passes its key, and by how many bytes it has grown, to `grow`. */
  constructor(given: Answer, grow: (key: string, bytes: number) => void) {
    this.tag = given.answer.tag;
    this.#given = withUsedCompression({ ...given, answer: { ...given.answer } });
    this.#grow = grow;
  }

  /** Whether the same request still gets this. */
  isCurrent(): boolean {
    return this.#given.answer.isCurrent?.() === true;
  }

  /** Takes over how long the same content is current. */
  renew({ isCurrent = () => false, caching }: Representation): void {
    const { answer } = this.#given;
    answer.isCurrent = isCurrent;
    if (caching?.until === answer.caching?.until) return;
    answer.caching = caching;
    for (const whole of Object.values(this.#wholes)) whole.lines = undefined;
    this.#head = undefined;
  }

  ok(lines: SharedLines, coding: Coding | undefined): Buffer | Promise<Buffer> {
    const whole = this.#wholes[coding ?? 'identity'];
    return whole?.lines === lines ? whole.bytes : this.#make(lines, coding);
  }

  notModified(lines: SharedLines): string {
    if (this.#head?.lines !== lines) this.#head = { lines, text: headOf(this.#given, lines) };
    return this.#head.text;
  }

  #make(lines: SharedLines, coding: Coding | undefined): Buffer | Promise<Buffer> {
    return whenEncoded(this.#given, coding, encoded =>
      encoded ? this.#keep(lines, encoded, coding) : this.#makePlain(lines),
    );
  }

  #makePlain(lines: SharedLines): Buffer {
    const whole = this.#wholes.identity;
    if (whole?.lines === lines) return whole.bytes;
    const { answer } = this.#given;
    const content = contentOf(answer);
    const bytes = this.#keep(lines, content);
    answer.body = [bytes.subarray(bytes.length - byteLength(content))]; // Drops what made it.
    return bytes;
  }

  #keep(lines: SharedLines, content: Body, coding?: Coding): Buffer {
    const head = headOf(this.#given, lines, content, coding);
    const bytes = typeof content === 'string' ? assemble([], head + content) : assemble(content, head);
    const before = this.#wholes[coding ?? 'identity']?.bytes.length ?? (coding ? 0 : this.bodySize());
    this.#grow(this.#given.question.key, bytes.length - before);
    this.#wholes[coding ?? 'identity'] = { lines, bytes };
    return bytes;
  }

  /** How many bytes it holds before it is first sent. */
  bodySize(): number {
    const { body } = this.#given.answer;
    return typeof body === 'function' ? 0 : byteLength(body);
  }
}

/** Without a compression that its content is too short for. */
function withUsedCompression(given: Answer): Answer {
  return isCompressible(given.answer) ? given : { ...given, compression: undefined };
}

/** With content, the head of a 200; without, that of a 304. */
function headOf(
  { answer, compression }: Answer,
  lines: SharedLines,
  content?: Body,
  coding?: Coding,
): string {
  const status = content === undefined ? '304 Not Modified' : '200 OK';
  const first = compression ? lines.firstOfNegotiated : lines.first;
  const metadata = linesOf(metadataHeaders(answer, lines.cachingHeaders, compression !== undefined));
  const ofContent = content === undefined ? '' : linesOf(contentHeaders(answer, content, coding));
  return `HTTP/1.1 ${status}\r\n${first}${metadata}${ofContent}${lines.last}`;
}

/** Makes a response with compressed content, or without if there is none. */
function whenEncoded<Made>(
  { question, answer, compression }: Answer,
  coding: Coding | undefined,
  make: (encoded: string | undefined) => Made,
): Made | Promise<Made> {
  const encoded = coding && compression?.encode(question, answer, coding);
  return encoded instanceof Promise ? encoded.then(make) : make(encoded);
}
