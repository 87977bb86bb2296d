import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { bytesOf } from './body.ts';
import { contentOf, MIN_COMPRESSED, type Representation } from './representation.ts';
import { cachePerSnapshot } from './snapshot-cache.ts';

/** A content coding (RFC 9110, section 8.4.1). */
export type Coding = 'br' | 'zstd' | 'gzip';

type Compress = (content: Uint8Array) => Promise<Buffer>;

const { brotliCompress, gzip, constants } = zlib;
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
/** Node.js has it from 22.15, but not the types of an older one. */
const zstdCompress: typeof zlib.gzip | undefined = Reflect.get(zlib, 'zstdCompress');

/** Those that this Node.js has, the smallest first. A thread of libuv's pool compresses. */
const codings = new Map<Coding, Compress>([
  ['br', content => promisify(brotliCompress)(content, brotliOptions)],
  ...(zstdCompress ? [['zstd', promisify<Uint8Array, Buffer>(zstdCompress)] as const] : []),
  ['gzip', promisify<Uint8Array, Buffer>(gzip)],
]);

/** Compresses content, in a coding that this Node.js has. */
export async function compress(content: Uint8Array, coding: Coding): Promise<Buffer> {
  const compressIn = codings.get(coding);
  if (!compressIn) throw new Error(`this Node.js has no ${coding}`);
  return compressIn(content);
}

/**
 * The coding that an `Accept-Encoding` prefers (RFC 9110, section 12.5.3); undefined for none, also if it forbids that,
 * since an answer is better than an error.
 */
export function preferredCoding(header: string): Coding | undefined {
  const qualities = new Map(header.toLowerCase().split(',').map(qualityOf));
  const quality = (coding: string, unnamed: number) => qualities.get(coding) ?? qualities.get('*') ?? unnamed;
  // What is not named is acceptable without a coding only.
  const least = quality('identity', Number.MIN_VALUE);
  const accepted = [...codings.keys()].filter(
    coding => quality(coding, 0) >= least && quality(coding, 0) > 0,
  );
  return accepted.toSorted((one, other) => quality(other, 0) - quality(one, 0))[0];
}

/** `gzip;q=0.5` is 0.5 of gzip. */
function qualityOf(item: string): [coding: string, quality: number] {
  const [coding = '', parameter = ''] = item.split(';', 2).map(text => text.trim());
  return [coding, parameter === '' ? 1 : Number(/^q=([\d.]+)$/.exec(parameter)?.[1] ?? 0)];
}

/** The value of `Vary` for content that may be compressed, given the value for other reasons. */
export function varyWith(others: string | number | string[] | undefined): string {
  return [others ?? [], 'Accept-Encoding'].flat().join(', ');
}

/** About how many bytes compressed content takes in addition to its key and its own bytes. */
const ENTRY_BYTES = 500;
/** How many values of `Accept-Encoding` are remembered, and up to which length: browsers have a few short ones. */
const MAX_HEADERS = 100;
const MAX_HEADER_LENGTH = 100;

/** What was asked of a snapshot. Requests that mean the same have the same key. */
export interface Question {
  snapshot: Snapshot;
  key: string;
}

/** Compresses the content of answers. */
export interface Compression {
  /** What a client with this `Accept-Encoding` prefers; undefined for no coding. */
  codingFor(acceptEncoding: string | undefined): Coding | undefined;
  /**
   * The content of an answer in a coding; undefined until it is compressed, which begins when it is first asked for. Content
   * that has changed again within the interval is not compressed.
   */
  encode(question: Question, answer: Representation, coding: Coding): Buffer | undefined;
}

/** The content that was last compressed for a question. */
interface Entry {
  tag: string | undefined;
  /** When that began, in milliseconds. */
  begun: number;
  /** Undefined until then, and if it is too short or cannot be compressed. */
  content?: Buffer;
}

/** Opens the compression of a service; undefined if it is off. */
export function compressionOf({
  compression,
  flushIntervalMs,
}: {
  compression: 'on' | 'off';
  flushIntervalMs: number;
}): Compression | undefined {
  return compression === 'on' ? openCompression(flushIntervalMs) : undefined;
}

/** Opens what compresses one content at a time, and that of a question at most once in `intervalMs` milliseconds. */
export function openCompression(intervalMs: number): Compression {
  const entriesOf = cachePerSnapshot<string, Entry>();
  const preferred = new Map<string, Coding | undefined>();
  let isBusy = false;
  return {
    codingFor(header) {
      if (header === undefined) return undefined;
      if (preferred.has(header)) return preferred.get(header);
      if (header.length > MAX_HEADER_LENGTH) return preferredCoding(header);
      if (preferred.size === MAX_HEADERS) preferred.clear();
      const coding = preferredCoding(header);
      preferred.set(header, coding);
      return coding;
    },
    encode({ snapshot, key }, answer, coding) {
      if (snapshot.instant !== undefined) return undefined; // Each preview has a snapshot of its own, which nothing asks again.
      const { tag } = answer;
      const entries = entriesOf(snapshot);
      const entryKey = `${coding} ${key}`;
      const last = entries.get(entryKey);
      if (last?.tag === tag) return last?.content;
      const begun = performance.now();
      if (isBusy || (last ? begun - last.begun < intervalMs : !entries.hasRoom())) return undefined;
      const content = bytesOf(contentOf(answer));
      const entry: Entry = { tag, begun };
      entries.set(entryKey, entry, ENTRY_BYTES + entryKey.length);
      if (content.length < MIN_COMPRESSED) return undefined;
      isBusy = true;
      compress(content, coding)
        .then(compressed => {
          entry.content = bytesOf([compressed]); // zlib's buffer is up to 16 kB larger.
          entries.grow(entryKey, compressed.length);
        })
        .catch(() => {}) // There is no memory for it: the content is sent as it is.
        .finally(() => (isBusy = false));
      return undefined;
    },
  };
}
