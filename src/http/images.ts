import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import send from '@fastify/send';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { isImageName } from '../catalog/images.ts';
import { ApiError } from '../errors.ts';
import { isNewsImage } from '../query/news.ts';
import { requireCatalog } from './catalog-version.ts';
import { NotModified } from './envelope.ts';

/** What the images need besides the set. */
export interface ImageOptions {
  imagesDir: string;
  /** The time, in Unix seconds. */
  now(): number;
}

/**
 * An image may stand on any page, and be a page of its own, as an SVG can; a script in it does not run, and it loads
 * nothing.
 */
const imageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-cache',
} as const;

const file = (description: string) => ({
  description,
  content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
});
/** `send` decides which one it is. */
const responses: object = {
  200: file('the file'),
  206: file('the part of it that was asked for'),
  304: NotModified,
};
const imageSchema = {
  operationId: 'getImage',
  tags: ['Images'],
  summary: 'The image of a news item',
  params: Type.Object({
    name: Type.String({ maxLength: 255, description: 'file name: `img` of the news item' }),
  }),
  errors: [
    'INVALID_PARAMETER',
    'IMAGE_NOT_FOUND',
    'PRECONDITION_FAILED',
    'RANGE_NOT_SATISFIABLE',
    'NOT_READY',
  ],
  response: responses,
} as const;

/**
 * `GET /images/{name}`: the images that published news name, and no other file, whatever its name is made to look like;
 * whole, in ranges, or not at all where the client has them (RFC 9110, sections 13 and 14).
 */
export const imageRoute: FastifyPluginCallbackTypebox<ImageOptions> = (app, { imagesDir, now }, done) => {
  requireCatalog(app);
  app.get('/images/:name', { schema: imageSchema }, async ({ raw, params, snapshot }, reply) => {
    const isServed = isImageName(params.name) && isNewsImage(snapshot, params.name, now());
    const file = isServed ? await findFile(imagesDir, params.name) : undefined;
    if (!file) throw new ApiError('IMAGE_NOT_FOUND');
    const options = { root: file.dir, cacheControl: false, dotfiles: 'allow', index: false } as const;
    const { statusCode, headers, stream } = await send(raw, encodeURIComponent(file.path), options);
    if (statusCode >= 400) {
      stream.destroy();
      const range = headers['Content-Range'];
      if (range) reply.header('content-range', range);
      throw refusalOf(statusCode);
    }
    return reply.code(statusCode).headers(headers).headers(imageHeaders).send(stream);
  });
  done();
};

/** A plain file that really is in the directory, wherever links lead; undefined where there is none. */
async function findFile(dir: string, name: string): Promise<{ dir: string; path: string } | undefined> {
  try {
    const [realDir, file] = await Promise.all([realpath(dir), realpath(join(dir, name))]);
    const path = relative(realDir, file);
    const isInside = !isAbsolute(path) && path.split(sep)[0] !== '..';
    return isInside && (await stat(file)).isFile() ? { dir: realDir, path } : undefined;
  } catch {
    return undefined;
  }
}

/** Why an image is not sent. */
function refusalOf(status: number): ApiError {
  switch (status) {
    case 412:
      return new ApiError('PRECONDITION_FAILED');
    case 416:
      return new ApiError('RANGE_NOT_SATISFIABLE');
    default:
      return new ApiError('IMAGE_NOT_FOUND');
  }
}
