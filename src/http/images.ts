import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { isAbsolute, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import * as Type from '@sinclair/typebox/type';
import type { FastifyInstance } from 'fastify';
import pLimit from 'p-limit';
import type { Answers } from '../answer/answers.ts';
import { matches, REVALIDATE } from '../answer/representation.ts';
import { imageFileNames, imageType } from '../contract/catalog-files.ts';
import { MAX_TEXT_LENGTH } from '../contract/columns.ts';
import { NotModified } from '../contract/envelope.ts';
import { ApiError } from '../errors.ts';
import { publishedNews } from '../query/news.ts';

/** Any site may embed an image. An SVG opened as a page can run no scripts and load nothing. */
const imageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
} as const;

const file = (description: string) => ({
  description,
  content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
});
const schema = {
  operationId: 'getImage',
  tags: ['Images'],
  summary: 'Get the image of a news item',
  description:
    'An image file that a published news item names in `img`. Supports range and conditional requests.',
  params: Type.Object({
    name: Type.String({ maxLength: MAX_TEXT_LENGTH, description: 'file name, as in `img` of the news item' }),
  }),
  errors: [
    'IMAGE_NOT_FOUND',
    'PRECONDITION_FAILED',
    'RANGE_NOT_SATISFIABLE',
    'NOT_READY',
    'IMAGES_UNAVAILABLE',
  ],
  response: { 200: file('the whole file'), 206: file('the requested range of the file'), 304: NotModified },
} as const;

/** At most half of libuv's threads, so that operations that hang cannot block saving counts and reloading catalogs. */
const limit = pLimit(2);
const MAX_WAITING = 1000;

/** `GET /images/{name}`: the images that published news items name, and no other files. */
export function imageRoute(app: FastifyInstance, imagesDir: string, { cachingHeaders, now }: Answers): void {
  app.get<{ Params: { name: string } }>('/images/:name', { schema }, async (request, reply) => {
    const { name } = request.params;
    const type = imageType(name);
    const { images, until } = publishedNews(request.snapshot, now());
    if (!type || !images.has(name)) throw new ApiError('IMAGE_NOT_FOUND');
    if (limit.pendingCount >= MAX_WAITING) throw new ApiError('IMAGES_UNAVAILABLE');
    const { handle, stats } = await limit(() => openImage(imagesDir, name));
    const { status, headers, start, length } = selectPart(request.headers, stats, type);
    const { method, socket } = request;
    const hasBody = method === 'GET' && (status === 200 || status === 206) && !socket.destroyed;
    if (!hasBody) closeFile(handle);
    if (status === 412) throw new ApiError('PRECONDITION_FAILED');
    if (status === 416) {
      reply.headers(headers);
      throw new ApiError('RANGE_NOT_SATISFIABLE');
    }
    const caching = cachingHeaders?.({ tags: ['images'], until }) ?? REVALIDATE;
    reply.code(status).headers({ ...headers, ...imageHeaders, ...caching });
    // Fastify keeps Content-Length for an empty stream, but not without a body.
    return reply.send(hasBody ? streamPart(handle, start, length, socket) : Readable.from([]));
  });
}

/** Opens an image in any Unicode form of its name. @throws ApiError if there is no such file. */
async function openImage(dir: string, name: string) {
  for (const fileName of imageFileNames(name)) {
    const opened = await openInside(dir, fileName).catch(({ code }: NodeJS.ErrnoException) => {
      // Without file descriptors left, nobody knows whether the file exists.
      if (code === 'EMFILE' || code === 'ENFILE') throw new ApiError('IMAGES_UNAVAILABLE');
    });
    if (opened) return opened;
  }
  throw new ApiError('IMAGE_NOT_FOUND');
}

/** Do not wait for the writer of a pipe, and do not make a terminal the controlling one. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW;
const CHUNK_BYTES = 64 * 1024;

/** Opens a regular file inside a directory, following links only within it. @throws Error if there is no such file. */
async function openInside(dir: string, name: string) {
  const realDir = await realpath(dir);
  const path = await realpath(join(realDir, name));
  const steps = relative(realDir, path);
  if (isAbsolute(steps) || steps.split(sep)[0] === '..') throw new Error(`${path} is not in ${dir}`);
  const handle = await open(path, FLAGS);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Streams a part of an open file, and closes the file with the stream or with the connection, since a pipelined response may
 * never be sent. If the file gets shorter meanwhile, the stream fails, so that later bytes on the connection cannot pass for
 * the missing ones.
 */
function streamPart(handle: FileHandle, start: number, length: number, socket: Socket): Readable {
  const stream = Readable.from(readChunks(handle, start, start + length), { objectMode: false });
  const stop = () => stream.destroy();
  socket.once('close', stop);
  return stream.once('close', () => {
    socket.off('close', stop);
    closeFile(handle);
  });
}

/** Closes a file. Errors do not matter, since nothing was written. */
function closeFile(handle: FileHandle): void {
  limit(() => handle.close()).catch(() => {});
}

async function* readChunks(handle: FileHandle, start: number, end: number) {
  for (let at = start; at < end; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
    const { bytesRead } = await limit(() => handle.read(buffer, 0, buffer.length, at));
    if (bytesRead === 0) throw new Error(`the image was truncated while it was sent: ${at} of ${end} bytes`);
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/**
 * Selects the part of a file to send, by the conditional and range headers of a request (RFC 9110, sections 13 and 14). A 200
 * or 206 sends `length` bytes from `start`, other statuses none. Multiple or malformed ranges select the whole file. The ETag
 * is weak, since two changes within a millisecond may leave size and time the same.
 */
function selectPart(request: IncomingHttpHeaders, { size, mtime }: Stats, type: string) {
  const modified = mtime.toUTCString();
  const etag = `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`;
  const headers = { 'accept-ranges': 'bytes', 'last-modified': modified, etag };
  const failed = precondition(request, etag, Date.parse(modified));
  if (failed) return { status: failed, headers, start: 0, length: 0 };
  // `If-Range` compares strongly (RFC 9110, section 13.1.5): a date must be equal, and a weak tag never matches.
  const isCurrent = [undefined, modified].includes(request['if-range']?.toString());
  const range = isCurrent ? parseRange(request.range, size) : undefined;
  const { start, length } = range ?? { start: 0, length: size };
  const unsatisfied = { 'content-range': `bytes */${size}` };
  if (range && length <= 0) return { status: 416, headers: unsatisfied, start, length: 0 } as const;
  const part = range && { 'content-range': `bytes ${start}-${start + length - 1}/${size}` };
  const content = { 'content-type': type, ...part, 'content-length': length };
  return { status: range ? 206 : 200, headers: { ...headers, ...content }, start, length } as const;
}

/**
 * Evaluates the preconditions of a request in the order of RFC 9110, section 13.2.2. Returns undefined if the request
 * proceeds. `modified` is in milliseconds, rounded down to a second. `If-Match` compares strongly, so that a weak tag never
 * matches. A client that reloads (`Cache-Control: no-cache`) never gets 304.
 */
function precondition(headers: IncomingHttpHeaders, weakTag: string, modified: number) {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  const { 'if-unmodified-since': unmodified = '', 'if-modified-since': since = '' } = headers;
  if (ifMatch ? ifMatch.trim() !== '*' : modified > Date.parse(unmodified)) return 412;
  if (headers['cache-control']?.includes('no-cache')) return undefined;
  const hasIt = ifNoneMatch === undefined ? modified <= Date.parse(since) : matches(ifNoneMatch, weakTag);
  return hasIt ? 304 : undefined;
}

/** Parses a `Range` header with a single range; undefined for others. The length is 0 or less if it is beyond the file. */
function parseRange(header = '', size: number): { start: number; length: number } | undefined {
  const [, first = '', last = ''] = /^bytes= *(\d*)-(\d*)$/.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return { start, length: end - start };
}
