import { assemble, type Body, byteLength, bytesOf, bytesOfEach, isLarge } from '../../answer/body.ts';
import type { Coding, Compression, Question } from '../../answer/compression.ts';
import {
  contentHeaders,
  contentOf,
  isCompressible,
  metadataHeaders,
  type Representation,
} from '../../answer/representation.ts';
import { linesOf, type SharedLines } from './shared-lines.ts';

/** The bytes of a whole response, or those of its head and its content. A string has one character per byte (latin1). */
export type ResponseBytes = Buffer | string | readonly [head: string, ...content: Uint8Array[]];

/**
 * Content of so many bytes is kept apart from its head: the head changes each second, with the date, and copying the content
 * for it costs more than writing two pieces.
 */
const LARGE_BYTES = 4096;

/** The responses with a representation. */
export interface PreparedResponse {
  /** The ETag; undefined without one. */
  tag: string | undefined;
  /** With the content, for a client that prefers this coding. */
  ok(lines: SharedLines, coding: Coding | undefined): ResponseBytes;
  /** For a client that has the content already. */
  notModified(lines: SharedLines): string;
}

/** What answers a question. Without `compression`, it is sent as it is. */
interface Answer {
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
    ok(lines, coding) {
      const encoded = encodedIn(used, coding);
      const content = encoded ? [encoded] : contentOf(answer);
      const head = headOf(used, lines, content, encoded && coding);
      if (isLarge(content)) return [head, ...bytesOfEach(content)];
      return typeof content === 'string' ? head + content : assemble(content, head);
    },
    notModified: lines => headOf(used, lines),
  };
}

/** A whole response. */
interface Whole {
  /** The shared lines that it has; undefined if its head is to be written again. */
  lines: SharedLines | undefined;
  /** Part of `bytes`. */
  content: Buffer;
  bytes: ResponseBytes;
}

/** A whole response, in one piece if it is small. */
function wholeOf(head: string, content: Buffer): Pick<Whole, 'content' | 'bytes'> {
  if (content.length >= LARGE_BYTES) return { content, bytes: [head, content] };
  const bytes = assemble([content], head);
  return { content: bytes.subarray(head.length), bytes };
}

/**
 * A response that is sent again and again: its content is made when it is first sent, and its head again whenever the shared
 * lines have changed. There are many of them: closures in place of a class would take twice the memory.
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

  ok(lines: SharedLines, coding: Coding | undefined): ResponseBytes {
    if (!coding || this.#wholes[coding]) return this.#in(coding, lines);
    const encoded = encodedIn(this.#given, coding);
    return encoded ? this.#keep(lines, encoded, coding) : this.#in(undefined, lines);
  }

  notModified(lines: SharedLines): string {
    if (this.#head?.lines !== lines) this.#head = { lines, text: headOf(this.#given, lines) };
    return this.#head.text;
  }

  #in(coding: Coding | undefined, lines: SharedLines): ResponseBytes {
    const whole = this.#wholes[coding ?? 'identity'];
    if (whole?.lines === lines) return whole.bytes;
    if (whole) return this.#keep(lines, whole.content, coding);
    const content = contentOf(this.#given.answer);
    if (isLarge(content)) return [headOf(this.#given, lines, content), ...bytesOfEach(content)];
    return this.#keep(lines, bytesOf(content));
  }

  #keep(lines: SharedLines, content: Buffer, coding?: Coding): ResponseBytes {
    const { question, answer } = this.#given;
    const name = coding ?? 'identity';
    const head = headOf(this.#given, lines, [content], coding);
    if (!this.#wholes[name]) {
      const before = coding ? 0 : this.bodySize();
      this.#grow(question.key, head.length + content.length - before);
    }
    const whole = wholeOf(head, content);
    this.#wholes[name] = { lines, ...whole };
    if (!coding) answer.body = [whole.content]; // Drops what made it.
    return whole.bytes;
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

/** The compressed content; undefined if there is none. */
function encodedIn(
  { question, answer, compression }: Answer,
  coding: Coding | undefined,
): Buffer | undefined {
  return coding && compression?.encode(question, answer, coding);
}
