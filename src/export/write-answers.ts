import { mkdirSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { dirname, join, relative } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { buildApp } from '../app.ts';
import type { Settings } from '../settings/settings.ts';
import type { Question } from './questions.ts';

/** Hears how many files are written so far, and stops the writing. */
export interface Progress {
  onProgress(files: number): void;
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
 * Asks the app each question, as a client would, and writes the body of each answer below `dir`, one after the other.
 * @throws Error if an answer is an error, or a file cannot be written, and the reason of `signal` when that is aborted.
 */
export async function writeAnswers(
  app: ReturnType<typeof buildApp>,
  questions: Iterable<Question>,
  dir: string,
  { basePath, corsOrigin }: Settings,
  { onProgress, signal }: Progress,
): Promise<Written> {
  // A static host cannot choose the allowed origin for each request: only one that is the same for all can be exported.
  const headers = corsOrigin !== '*' && corsOrigin.length === 1 ? { origin: corsOrigin[0] } : {};
  const makeFolder = folderMaker(dir);
  const rules: Rules = new Map();
  const missingImages: string[] = [];
  let files = 0;
  let bytes = 0;
  for (const { address, file, pattern } of questions) {
    signal.throwIfAborted();
    const answer = await app.inject({ url: basePath + address, headers });
    if (answer.statusCode === 404 && address.startsWith('/images/')) {
      missingImages.push(file.slice('/images/'.length));
      continue;
    }
    if (answer.statusCode !== 200) throw new Error(`${address} has no answer: ${answer.json().message}`);
    const path = join(dir, basePath, file);
    if (relative(dir, path).startsWith('..')) throw new Error(`${file} is not a path below the export`);
    makeFolder(dirname(path));
    writeFileSync(path, answer.rawPayload);
    if (pattern !== undefined) addRule(rules, basePath + pattern, answer.headers);
    files += 1;
    bytes += answer.rawPayload.length;
    if (files % STEP > 0) continue;
    onProgress(files);
    // Frees the requests, 12 kB each.
    await yieldToEventLoop();
  }
  return { files, bytes, missingImages, headers: formatRules(rules) };
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

/**
 * The headers that all files of a pattern have in common. Patterns do not overlap: hosts join the values of a header that
 * several rules set. Cloudflare Pages reads no more than 100.
 */
type Rules = Map<string, Map<string, string>>;

function addRule(rules: Rules, pattern: string, headers: OutgoingHttpHeaders): void {
  const common = rules.get(pattern);
  if (common) {
    for (const [name, value] of common) if (String(headers[name]) !== value) common.delete(name);
    return;
  }
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  rules.set(pattern, new Map(texts.filter(([name]) => !ownOfEach.has(name))));
}

/** The rules of `_headers`, as Netlify, Cloudflare Pages and others read it. */
function formatRules(rules: Rules): string {
  const lines = ([name, value]: [string, string]) => `  ${name}: ${value}\n`;
  const blocks = Array.from(
    rules,
    ([pattern, headers]) => `${pattern}\n${Array.from(headers, lines).join('')}`,
  );
  return blocks.join('\n');
}
