import { mkdirSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { dirname, join, relative } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { buildApp } from '../app.ts';
import type { Question } from './questions.ts';

/** How answers are written. */
export interface WriteOptions {
  /** The mount point of the service. */
  basePath: string;
  /** The `Origin` of the requests; undefined for none. */
  origin: string | undefined;
  /** Called with the number of files so far. */
  onProgress(files: number): void;
  /** Aborts the writing. */
  signal: AbortSignal;
}

/** What was written. */
export interface Written {
  files: number;
  bytes: number;
  /** The images that news items name, but that do not exist. */
  missingImages: string[];
  /** The rules of `_headers` for the files. */
  headers: string;
}

/** Answers written between two yields. */
const STEP = 100;

/**
 * Asks the app each question, as a client would, and writes the body of each answer below `dir`. It holds one answer at a
 * time: for small files, asking and writing in turn is faster than a pool of writers.
 * @throws Error if an answer is an error, or a file cannot be written, and the reason of `signal` when that is aborted.
 */
export async function writeAnswers(
  app: Pick<ReturnType<typeof buildApp>, 'inject'>,
  questions: Iterable<Question>,
  dir: string,
  { basePath, origin, onProgress, signal }: WriteOptions,
): Promise<Written> {
  const makeFolder = folderMaker(dir);
  const headers = openHeadersFile();
  const missingImages: string[] = [];
  let files = 0;
  let bytes = 0;
  for (const { address, file, pattern } of questions) {
    signal.throwIfAborted();
    const answer = await app.inject({ url: basePath + address, headers: origin ? { origin } : {} });
    if (answer.statusCode === 404 && address.startsWith('/images/')) {
      missingImages.push(file.slice('/images/'.length));
      continue;
    }
    if (answer.statusCode !== 200) throw new Error(`${address} has no answer: ${answer.json().message}`);
    const path = join(dir, basePath, file);
    if (relative(dir, path).startsWith('..')) throw new Error(`${file} is not a path below the export`);
    makeFolder(dirname(path));
    writeFileSync(path, answer.rawPayload);
    if (pattern !== undefined) headers.add(pattern, answer.headers);
    files += 1;
    bytes += answer.rawPayload.length;
    if (files % STEP > 0) continue;
    onProgress(files);
    // Frees the requests, 12 kB each.
    await yieldToEventLoop();
  }
  return { files, bytes, missingImages, headers: headers.text(basePath) };
}

/** Makes folders below `dir`, which exists: not anew if somebody removes it meanwhile. */
function folderMaker(dir: string): (path: string) => void {
  const made = new Set([dir]);
  return function make(path) {
    if (made.has(path)) return;
    make(dirname(path));
    mkdirSync(path);
    made.add(path);
  };
}

/** Headers of one answer or one connection, which a static host sets by itself or cannot know. */
const ownOfEach = new Set(
  'accept-ranges connection content-length date etag keep-alive last-modified link vary'.split(' '),
);

/** Collects the headers that all files of a pattern have in common. */
interface HeadersFile {
  add(pattern: string, headers: OutgoingHttpHeaders): void;
  /** The rules of `_headers`, as Netlify, Cloudflare Pages and others read it. `basePath` goes before each pattern. */
  text(basePath: string): string;
}

/**
 * Rules for patterns that do not overlap: hosts join the values of a header that several rules set. A few rules are enough
 * for any number of files, since Cloudflare Pages reads no more than 100.
 */
function openHeadersFile(): HeadersFile {
  const rules = new Map<string, Map<string, string>>();
  return {
    add(pattern, headers) {
      const common = rules.get(pattern);
      if (!common) return void rules.set(pattern, new Map(ofHost(headers)));
      for (const [name, value] of common) if (String(headers[name]) !== value) common.delete(name);
    },
    text(basePath) {
      const lines = ([name, value]: [string, string]) => `  ${name}: ${value}\n`;
      return Array.from(
        rules,
        ([pattern, headers]) => `${basePath}${pattern}\n${Array.from(headers, lines).join('')}`,
      ).join('\n');
    },
  };
}

function ofHost(headers: OutgoingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || ownOfEach.has(name) ? [] : [[name, String(value)]],
  );
}
