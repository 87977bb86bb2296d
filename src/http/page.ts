import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { matches, strongTag } from './conditional.ts';

/** The files of the page besides the page itself, in `src/page`; no other file is served from there. */
export const pageFiles = [
  'style.css',
  'icon.svg',
  'article.js',
  'ask.js',
  'away.js',
  'configurations.js',
  'dom.js',
  'files.js',
  'forms.js',
  'links.js',
  'main.js',
  'most-read.js',
  'news.js',
  'outcome.js',
  'pager.js',
  'paragraphs.js',
  'picker.js',
  'render-list.js',
] as const;
const files: ReadonlySet<string> = new Set(pageFiles);

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
};

/** The page runs what is served here and asks it, and no more; whatever got into it could neither run nor leave. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `GET /`, the page for people, and `GET /page/{file}`, what it is made of. It is there while there are no catalogs, too. */
export const pageRoutes: FastifyPluginCallback = (app, _options, done) => {
  app.get('/', (request, reply) => {
    const [path = ''] = request.originalUrl.split('?');
    return path.endsWith('/')
      ? sendFile(request, reply, 'index.html')
      : reply.header('cache-control', 'no-cache').redirect(withSlash(path), 308);
  });
  // Browsers look for it on their own where a document has none, as JSON has not.
  app.get('/favicon.ico', (request, reply) => sendFile(request, reply, 'icon.svg'));
  // One route for them all, since a start waits for each.
  app.get<{ Params: { name: string } }>('/page/:name', (request, reply) => {
    const { name } = request.params;
    if (!files.has(name)) throw new ApiError('ROUTE_NOT_FOUND');
    return sendFile(request, reply, name);
  });
  done();
};

/** The addresses in the page are relative to that of a directory. Relative itself, it holds behind any proxy. */
function withSlash(path: string): string {
  return `./${path.slice(path.lastIndexOf('/') + 1)}/`;
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, name: string): FastifyReply {
  const { content, tag } = fileOf(name);
  reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache', etag: tag });
  if (matches(headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type(types[extname(name)] ?? '').send(content);
}

const read = new Map<string, { content: string; tag: string }>();

/** A file of the page, read when it is first asked for: a start is not to wait for it. */
function fileOf(name: string) {
  const known = read.get(name);
  if (known) return known;
  const content = readFileSync(fileURLToPath(import.meta.resolve(`#page/${name}`)), 'utf8');
  const file = { content, tag: strongTag(content) };
  read.set(name, file);
  return file;
}
