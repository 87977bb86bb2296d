import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { type CachingHeaders, REVALIDATE } from '../../answer/cache-control.ts';
import { type ImageKind, imageFileNames, imageKind } from '../../contract/catalog-files.ts';
import { NotModified } from '../../contract/envelope.ts';
import { ApiError } from '../../errors.ts';
import { isNewsImage, publishedNews } from '../../query/news.ts';
import {
  closeFile,
  type OpenFile,
  openConcurrencyLimit,
  openInside,
  selectPart,
  streamPart,
} from './image-file.ts';

/** Any site may embed an image. An SVG that is opened as a page runs no scripts and loads nothing. */
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
    name: Type.String({ maxLength: 255, description: 'file name, as in `img` of the news item' }),
  }),
  errors: [
    'INVALID_PARAMETER',
    'IMAGE_NOT_FOUND',
    'PRECONDITION_FAILED',
    'RANGE_NOT_SATISFIABLE',
    'NOT_READY',
    'IMAGES_UNAVAILABLE',
  ],
  response: {
    200: file('the whole file'),
    206: file('the requested range of the file'),
    304: NotModified,
  },
} as const;

/** The media type of each kind. */
export const imageTypes: Record<ImageKind, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  svg: 'image/svg+xml',
};

/** Half of libuv's threads. All services in a process share this limit. */
const limit = openConcurrencyLimit(2, 1000);

/** `GET /images/{name}`: the images that published news items name, and no other file. `now` is in Unix seconds. */
export function imageRoute(
  app: FastifyInstance,
  imagesDir: string,
  cachingHeaders: CachingHeaders | undefined,
  now: () => number,
): void {
  app.get<{ Params: { name: string } }>('/images/:name', { schema }, async (request, reply) => {
    const { name } = request.params;
    const kind = imageKind(name);
    const time = now();
    if (!kind || !isNewsImage(request.snapshot, name, time)) throw new ApiError('IMAGE_NOT_FOUND');
    if (limit.isFull()) throw new ApiError('IMAGES_UNAVAILABLE');
    const file = await limit
      .run(() => openImage(imagesDir, name))
      .catch(() => {
        throw new ApiError('IMAGE_NOT_FOUND');
      });
    const { status, headers, start, length } = selectPart(request.headers, file.stats, imageTypes[kind]);
    const hasBody = request.method === 'GET' && (status === 200 || status === 206);
    if (!hasBody) closeFile(file, limit);
    if (status === 412) throw new ApiError('PRECONDITION_FAILED');
    if (status === 416) {
      reply.headers(headers);
      throw new ApiError('RANGE_NOT_SATISFIABLE');
    }
    const { until } = publishedNews(request.snapshot, time);
    const caching = cachingHeaders?.({ tags: ['images'], until }) ?? REVALIDATE;
    reply.code(status).headers({ ...headers, ...imageHeaders, ...caching });
    // Fastify keeps Content-Length for an empty stream, but not for an absent body.
    return reply.send(hasBody ? streamPart(file, start, length, limit) : Readable.from([]));
  });
}

/** @throws Error if there is no such file, in no Unicode form of its name. */
async function openImage(dir: string, name: string): Promise<OpenFile> {
  const [first = name, ...others] = imageFileNames(name);
  const opened = openInside(dir, first);
  return others.reduce((attempt, other) => attempt.catch(() => openInside(dir, other)), opened);
}
