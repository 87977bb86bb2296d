import { setTimeout as pause } from 'node:timers/promises';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Body, byteLength, bytesOf } from './body.ts';
import { type Coding, type Compressed, compress, MIN_COMPRESSED, preferredCoding } from './codings.ts';
import { contentOf, type Representation } from './representation.ts';
import { cachePerSnapshot } from './snapshot-cache.ts';

/**
 * How long an answer waits for its content, in milliseconds: 500 kB are compressed by then, unless slow disks keep all
 * threads busy.
 */
const WAIT_MS = 25;
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

/** Compressed content; undefined if the content is to be sent as it is. */
type Encoded = Body | undefined;

/** Compresses the content of answers. */
export interface Compression {
  /** What a client with this `Accept-Encoding` prefers; undefined for no coding. */
  codingFor(acceptEncoding: string | undefined): Coding | undefined;
  /**
   * The content of an answer in a coding. It is compressed when it is first asked for, and that answer waits for a moment:
   * sending what is saved would take longer. All others are sent as they are meanwhile, and so is content that has changed
   * again within the interval.
   */
  encode(question: Question, answer: Representation, coding: Coding): Encoded | Promise<Encoded>;
}

/** The content that was last compressed for a question. */
interface Entry {
  tag: string | undefined;
  /** When that began, in milliseconds. */
  begun: number;
  /** Undefined until then, and if it is too short or cannot be compressed. */
  compressed?: Compressed;
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

  const compressed = async (content: Buffer, coding: Coding): Promise<Compressed | undefined> => {
    isBusy = true;
    try {
      return await compress(content, coding, 'fast');
    } catch {
      return undefined; // There is no memory for it.
    } finally {
      isBusy = false;
    }
  };

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
      const { tag } = answer;
      const entries = entriesOf(snapshot);
      const entryKey = `${coding} ${key}`;
      const last = entries.get(entryKey);
      if (last && last.tag === tag) return last.compressed?.followedBy(tailOf(answer));
      const begun = performance.now();
      if (isBusy || (last ? begun - last.begun < intervalMs : !entries.hasRoom())) return undefined;
      const content = bytesOf(contentOf(answer));
      const entry: Entry = { tag, begun };
      entries.set(entryKey, entry, ENTRY_BYTES + entryKey.length);
      if (content.length < MIN_COMPRESSED) return undefined;
      const { stable = content.length } = answer;
      const encoded = compressed(content.subarray(0, stable), coding).then(made => {
        if (!made) return undefined;
        entry.compressed = made;
        entries.grow(entryKey, byteLength(made.start));
        return made.followedBy(content.toString('latin1', stable));
      });
      return Promise.race([encoded, pause(WAIT_MS, undefined, { ref: false })]);
    },
  };
}

/** What follows the part that is compressed. */
function tailOf(answer: Representation): string {
  if (answer.stable === undefined) return '';
  const content = contentOf(answer);
  return typeof content === 'string'
    ? content.slice(answer.stable)
    : bytesOf(content).toString('latin1', answer.stable);
}
