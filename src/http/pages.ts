import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
} from 'fastify';
import { codingFor, compress, MIN_COMPRESSED, varyWith } from '../answer/compression.ts';
import { JSON_TYPE } from '../answer/envelope.ts';
import { matches, strongTag } from '../answer/representation.ts';
import { ApiError } from '../errors.ts';
import { undocumented } from './endpoint.ts';
import { API_PREFIX, originForm } from './plugins/headers.ts';

/** A page can load only from its own origin, so that injected markup can neither run nor send anything. */
const policy = (style: string, images: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'${style}; img-src 'self'${images}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const PAGE_POLICY = policy('', '');
/** swagger-ui needs inline styles and `data:` images. */
const DOCS_POLICY = policy(" 'unsafe-inline'", ' data:');

/** The files that the page of the OpenAPI document loads from `/documentation/static/`. */
export const docsFiles: readonly string[] = [
  'favicon-16x16.png',
  'favicon-32x32.png',
  'index.css',
  'swagger-initializer.js',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
];
/** The files below `/page/`. The build makes them from `src/page`. */
export const pageFiles = ['main.js', 'purify.js', 'style.css', 'icon.svg'] as const;

/** The import specifiers of the static files, by path. */
const documents = new Map([
  ['/documentation/json', '#docs/openapi.json'],
  ['/documentation/yaml', '#docs/openapi.yaml'],
  ...docsFiles.map(name => [`/documentation/static/${name}`, `#docs/${name}`] as const),
  ...pageFiles.map(name => [`/page/${name}`, `#page/${name}`] as const),
]);

/** What crawlers must not request: the API, where they would raise read counts, and endpoints for operators. */
const disallowed = [`${API_PREFIX}/`, '/changes', '/overview', '/health', '/metrics'];

/**
 * `GET /documentation/…`: the OpenAPI document, and a page that shows it. `GET /` and `GET /page/{file}`: the page for
 * people. `GET /robots.txt` (RFC 9309), which crawlers read only at the root of a host. All work before any catalogs are
 * loaded. `root` is the public path of the service.
 */
export const pageRoutes: FastifyPluginAsync<{ root: string }> = async (app, { root }) => {
  // One route for all files of a folder, since each route delays the start.
  for (const folder of ['/documentation/', '/page/'])
    app.get<{ Params: { '*': string } }>(`${folder}*`, { schema: undocumented }, (request, reply) => {
      const file = documents.get(folder + request.params['*']);
      if (file === undefined) throw new ApiError('ROUTE_NOT_FOUND');
      return sendFile(request, reply, file);
    });
  getUnlessTaken(app, '/docs', (_request, reply) => redirectTo(reply, './documentation/'));
  pageAt(app, '#page/index.html');
  app.register(async documentation => pageAt(documentation, '#docs/index.html'), {
    prefix: '/documentation',
  });
  // Browsers request it for documents without an icon, such as JSON.
  app.get('/favicon.ico', { schema: undocumented }, (request, reply) =>
    sendFile(request, reply, '#page/icon.svg'),
  );

  const rules = disallowed.map(path => `Disallow: ${root.replace(/\/$/, '')}${path}\n`).join('');
  getUnlessTaken(app, '/robots.txt', (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\n${rules}`),
  );
};

/**
 * Serves a page at the prefix of an instance with a trailing slash, which its relative links need. Without the slash, it
 * redirects there. The target is relative, so that it works behind a proxy that strips a prefix. Fastify adds the route with
 * the slash, unless the host makes it ignore slashes.
 */
function pageAt(app: FastifyInstance, file: string): void {
  app.get('/', { schema: undocumented }, (request, reply) => {
    const path = originForm(request.originalUrl).replace(/[?#].*/, '');
    const name = path.slice(path.lastIndexOf('/') + 1);
    return name === '' ? sendFile(request, reply, file) : redirectTo(reply, `./${name}/`);
  });
}

function redirectTo(reply: FastifyReply, target: string): FastifyReply {
  return reply.header('cache-control', 'no-cache').redirect(target, 308);
}

/** Adds a GET route unless the host has one at this path. */
function getUnlessTaken(app: FastifyInstance, address: string, handler: RouteHandlerMethod): void {
  if (!app.hasRoute({ method: 'GET', url: app.prefix + address }))
    app.get(address, { schema: undocumented }, handler);
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': JSON_TYPE,
  '.yaml': 'application/yaml', // RFC 9512
};

/** The cached files by specifier, with the coding before it if there is one. */
const staticFiles = new Map<string, Promise<{ content: Buffer; tag: string }>>();

/** Sends a file of the package, such as `#page/main.js`, compressed if the client accepts that. Responses share its bytes. */
async function sendFile({ headers }: FastifyRequest, reply: FastifyReply, specifier: string) {
  const plain = await staticFile(specifier, () => readFile(new URL(import.meta.resolve(specifier))));
  const isNegotiated = plain.content.length >= MIN_COMPRESSED;
  const coding = isNegotiated ? codingFor(headers['accept-encoding']?.toString()) : undefined;
  const { content, tag } = coding
    ? await staticFile(`${coding} ${specifier}`, () => compress(plain.content, coding))
    : plain;
  const security = specifier.startsWith('#docs/') ? DOCS_POLICY : PAGE_POLICY;
  reply.headers({ 'content-security-policy': security, 'cache-control': 'no-cache', etag: tag });
  if (isNegotiated) reply.header('vary', varyWith(reply.getHeader('vary')));
  if (matches(headers['if-none-match'], tag)) return reply.code(304).send();
  if (coding) reply.header('content-encoding', coding);
  return reply.type(types[extname(specifier)] ?? '').send(content);
}

function staticFile(key: string, read: () => Promise<Buffer>): Promise<{ content: Buffer; tag: string }> {
  const known = staticFiles.get(key);
  if (known) return known;
  const file = read().then(content => ({ content, tag: strongTag(content) }));
  staticFiles.set(key, file);
  file.catch(() => staticFiles.delete(key)); // The next request tries again.
  return file;
}
