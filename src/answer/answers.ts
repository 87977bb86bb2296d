import { LRUCache } from 'lru-cache';
import type { Settings } from '../settings/settings.ts';
import { memoizePerSnapshot, type Snapshot } from '../snapshot/snapshot.ts';
import { type Body, byteLength, bytesOf, isLarge } from './body.ts';
import { type Coding, compress, MIN_COMPRESSED } from './compression.ts';
import { type Caching, cachingHeaders, type Representation } from './representation.ts';

/** What is cached for a snapshot may take this many bytes, and `TIMES_NEWS` times the bytes of its news items on top. */
const BASE_BYTES = 32 * 2 ** 20;
/** So that all pages of a large catalog fit. */
const TIMES_NEWS = 1.25;
/** About how many bytes an answer takes in addition to its key and its content. */
const ANSWER_BYTES = 1_300;
/** Up to this length, content is kept as a string, which is sent together with its head. */
const SHORT_BYTES = 4096;

/** The answers of a service, ready to be sent. */
export type Answers = ReturnType<typeof openAnswers>;

/**
 * Opens the answers of a service. Content that changes is compressed at most once in `flushIntervalMs`; `now` is in Unix
 * seconds.
 */
export function openAnswers(
  { flushIntervalMs, cacheMaxAge }: Pick<Settings, 'flushIntervalMs' | 'cacheMaxAge'>,
  now: () => number,
) {
  const cacheOf = memoizePerSnapshot(({ news }) => {
    const maxSize = Math.round(BASE_BYTES + news.json.length * TIMES_NEWS);
    return new LRUCache<string, Answer>({ maxSize });
  });
  return {
    /** The headers of an answer for shared caches; undefined if they keep nothing. */
    cachingHeaders:
      cacheMaxAge > 0 ? (caching: Caching) => cachingHeaders(caching, cacheMaxAge, now()) : undefined,
    /** The cached answer, if a request with this key still gets it. */
    current(snapshot: Snapshot, key: string): Answer | undefined {
      const answer = cacheOf(snapshot).get(key);
      return answer?.representation.isCurrent?.() === false ? undefined : answer;
    },
    /** Makes an answer of a representation, and caches it if it has a tag, unless it belongs to a preview. */
    prepare(snapshot: Snapshot, key: string, representation: Representation): Answer {
      const { tag } = representation;
      // Each preview has a snapshot of its own, which nothing asks again.
      if (tag === undefined || snapshot.instant !== undefined) return new Answer(representation);
      const cache = cacheOf(snapshot);
      const last = cache.get(key);
      if (last?.representation.tag === tag) return last.renewed(representation);
      const resize = (answer: Answer) => {
        cache.delete(key); // The size of a value that is set again would stay.
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

/** Content without a tag is compressed from this length. */
const MIN_UNTAGGED = 10_240;

/** Content as it is sent. */
export interface Content {
  content: Body;
  coding?: Coding;
}

/** Whether content is being compressed. One per process, like the threads for it. */
let isCompressing = false;

interface Keeper {
  /** Called when its content takes more memory. */
  grown(): void;
  /** When its content may be compressed, in milliseconds of `performance.now()`. */
  notBefore: number;
}

/** A 200 or 304, before the conditions of a request are applied. There are many of them, hence a class. */
export class Answer {
  readonly representation: Representation;
  /**
   * Whether a client may choose a coding. Known before the content is made, so that a 304 has the same headers. Content
   * without a tag changes each time, and only much of it is worth the time that compressing takes.
   */
  readonly isNegotiated: boolean;
  /** The lines of its own headers, as the fast path writes them: of a 304, or by coding. */
  readonly ownLines: Partial<Record<Coding | 'identity' | 'none', string>> = {};
  /** When compressing began, in milliseconds of `performance.now()`. */
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

  /** About how many bytes its content takes. */
  get size(): number {
    const { body } = this.representation;
    let size = typeof body === 'function' ? 0 : byteLength(body);
    for (const content of this.#compressed.values()) size += content ? byteLength(content) : 0;
    return size;
  }

  /** The same answer, current for as long as another representation of its content. */
  renewed({ isCurrent, caching }: Representation): this {
    Object.assign(this.representation, { isCurrent, caching });
    return this;
  }

  /**
   * Its content in a coding. Content with a tag is uncompressed until that is ready, and the first call for a coding starts
   * the compression. Other content is sent once: it comes compressed.
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
    this.representation.body = compact(content); // Drops what made it.
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

/** Content in one piece, with memory of its own. */
function compact(body: Body): Body {
  if (typeof body === 'string' && body.length <= SHORT_BYTES) return body;
  const bytes = bytesOf(body);
  return bytes.length <= SHORT_BYTES ? bytes.toString('latin1') : [bytes];
}
