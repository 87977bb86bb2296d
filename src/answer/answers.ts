// From a handler's representation to the bytes of a response, for Fastify, the fast path and the export alike.
//
// A handler returns a `Representation`: a body, or a function that makes it, and its ETag. `prepare` turns it into an
// `Answer`, which knows its codings, and caches it per snapshot under a key. A body is pieces of UTF-8 that responses share;
// `body.ts` puts them together, `compression.ts` chooses and applies the coding, `representation.ts` writes the headers, and
// `envelope.ts` has the envelope of the contract.
import { LRUCache } from 'lru-cache';
import type { Settings } from '../settings/settings.ts';
import { memoizePerSnapshot, type Snapshot } from '../snapshot/snapshot.ts';
import { type Body, byteLength, bytesOf, isLarge } from './body.ts';
import { type Coding, compress, MIN_COMPRESSED } from './compression.ts';
import { type Caching, cachingHeaders, type Representation } from './representation.ts';

/** The size of a snapshot's cache in bytes, plus `TIMES_NEWS` times its news, so that all pages of a large catalog fit. */
const BASE_BYTES = 32 * 2 ** 20;
const TIMES_NEWS = 1.25;
/** The approximate overhead of a cached answer in bytes, besides its key and content. */
const ANSWER_BYTES = 1_300;
/** Content up to this length is kept as a string, which can be sent in one write with the head. */
const SHORT_BYTES = 4096;

export type Answers = ReturnType<typeof openAnswers>;

/** Content that changes is compressed at most once per `flushIntervalMs`. `now` returns Unix seconds. */
export function openAnswers(
  { flushIntervalMs, cacheMaxAge }: Pick<Settings, 'flushIntervalMs' | 'cacheMaxAge'>,
  now: () => number,
) {
  const cacheOf = memoizePerSnapshot(({ news }) => {
    const maxSize = Math.round(BASE_BYTES + news.json.length * TIMES_NEWS);
    return new LRUCache<string, Answer>({ maxSize });
  });
  return {
    now,
    /** Returns the headers for shared caches; undefined if these may store nothing. */
    cachingHeaders:
      cacheMaxAge > 0 ? (caching: Caching) => cachingHeaders(caching, cacheMaxAge, now()) : undefined,
    /** Returns the cached answer for a key, unless it is out of date. */
    current(snapshot: Snapshot, key: string): Answer | undefined {
      const answer = cacheOf(snapshot).get(key);
      return answer?.representation.isCurrent?.() === false ? undefined : answer;
    },
    /** Makes the answer for a representation. Caches it if it has a tag and is not for a preview. */
    prepare(snapshot: Snapshot, key: string, representation: Representation): Answer {
      const { tag } = representation;
      // Each preview has its own snapshot, which no later request uses.
      if (tag === undefined || snapshot.instant !== undefined) return new Answer(representation);
      const cache = cacheOf(snapshot);
      const last = cache.get(key);
      if (last?.representation.tag === tag) return last.renewed(representation);
      const resize = (answer: Answer) => {
        cache.delete(key); // set() keeps the old size of a value that it has already.
        cache.set(key, answer, { size: ANSWER_BYTES + key.length + answer.size });
      };
      const answer: Answer = new Answer(representation, {
        grown() {
          if (cache.peek(key) === answer) resize(answer);
        },
        notBefore: last ? last.compressedAt + flushIntervalMs : 0,
      });
      resize(answer);
      return answer;
    },
  };
}

/** The minimum length for compressing content without a tag, in bytes. */
const MIN_UNTAGGED = 10_240;

export interface Content {
  content: Body;
  coding?: Coding;
}

/** Whether content is being compressed. Shared by all services of a process, as zlib's threads are. */
let isCompressing = false;

interface Keeper {
  /** Called when the content takes more memory. */
  grown(): void;
  /** The earliest time to compress the content, by `performance.now()`. */
  notBefore: number;
}

/** A 200 or 304 response, before the request's conditions are applied. A class, since there are many of them. */
export class Answer {
  readonly representation: Representation;
  /**
   * Whether a client may choose a coding. This is decided before the content is made, so that a 304 has the same headers.
   * Content without a tag is different each time, so that compressing pays only for long content.
   */
  readonly isNegotiated: boolean;
  /** The header lines that the fast path keeps: `none` for a 304, otherwise by coding. */
  readonly ownLines: Partial<Record<Coding | 'identity' | 'none', string>> = {};
  /** When compression started, by `performance.now()`. */
  compressedAt = Number.NEGATIVE_INFINITY;
  readonly #keeper: Keeper | undefined;
  readonly #compressed = new Map<Coding, Body | undefined>();
  #isCompact = false;

  constructor(representation: Representation, keeper?: Keeper) {
    const { tag, body } = representation;
    this.representation = keeper ? { ...representation } : representation;
    const least = tag === undefined ? MIN_UNTAGGED : MIN_COMPRESSED;
    this.isNegotiated = typeof body === 'function' ? tag !== undefined : byteLength(body) >= least;
    this.#keeper = keeper;
  }

  /** The approximate size of the content in bytes. */
  get size(): number {
    const { body } = this.representation;
    let size = typeof body === 'function' ? 0 : byteLength(body);
    for (const content of this.#compressed.values()) size += content ? byteLength(content) : 0;
    return size;
  }

  /** Takes over how long a newer representation of the same content is current. */
  renewed({ isCurrent, caching }: Representation): this {
    Object.assign(this.representation, { isCurrent, caching });
    return this;
  }

  /**
   * Returns the content in a coding. If it has a tag, the first call starts the compression, and the content is uncompressed
   * until that is done. Content without a tag is sent only once, so the call waits for the compression.
   */
  contentIn(coding: Coding | undefined): Content | Promise<Content> {
    if (coding && this.isNegotiated && this.representation.tag === undefined) {
      const content = this.#plain();
      const sent = compress(bytesOf(content), coding).then(bytes => ({ content: [bytes], coding }));
      return sent.catch(() => ({ content })); // Out of memory.
    }
    if (coding && this.isNegotiated && this.#keeper) {
      const content = this.#compressed.get(coding);
      if (content) return { content, coding };
      if (!this.#compressed.has(coding)) this.#compress(coding, this.#keeper);
    }
    return { content: this.#plain() };
  }

  #plain(): Body {
    const { body } = this.representation;
    const content = typeof body === 'function' ? body() : body;
    if (this.#isCompact || !this.#keeper || isLarge(content)) return content;
    this.#isCompact = true;
    this.representation.body = compact(content); // Releases the function that made it.
    this.#keeper.grown();
    return this.representation.body;
  }

  #compress(coding: Coding, { notBefore, grown }: Keeper): void {
    const now = performance.now();
    if (isCompressing || now < notBefore) return;
    this.compressedAt = now;
    this.#compressed.set(coding, undefined);
    const content = bytesOf(this.#plain());
    if (content.length < MIN_COMPRESSED) return;
    isCompressing = true;
    compress(content, coding)
      .then(compressed => {
        this.#compressed.set(coding, compact([compressed])); // Copied: zlib's buffer is up to 16 kB larger.
        grown();
      })
      .catch(() => {}) // Out of memory: the content stays uncompressed.
      .finally(() => (isCompressing = false));
  }
}

/** Copies content into one piece. */
function compact(body: Body): Body {
  if (typeof body === 'string' && body.length <= SHORT_BYTES) return body;
  const bytes = bytesOf(body);
  return bytes.length <= SHORT_BYTES ? bytes.toString('latin1') : [bytes];
}
