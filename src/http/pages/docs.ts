import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { getUnlessTaken, redirectTo, redirectToDirectory } from './redirect.ts';
import { sendFile } from './static-file.ts';

/** The page loads only from this origin; swagger-ui needs inline styles and `data:` images. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The files that `scripts/openapi` writes, by their path below `/documentation/`. */
const documents = {
  '': '#docs/index.html',
  json: '#docs/openapi.json',
  yaml: '#docs/openapi.yaml',
} as const;

/** Other common addresses of the docs, and the redirect target relative to each. */
const shortcuts = { '/docs': './documentation/', '/openapi.json': './documentation/json' } as const;

/** The files that the page loads from `/documentation/static/`, and the only ones served there. */
export const pageFiles: readonly string[] = [
  'favicon-16x16.png',
  'favicon-32x32.png',
  'index.css',
  'swagger-initializer.js',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
];

/** `GET /documentation`: the OpenAPI document as JSON and YAML, and a page that shows it. */
export const docsRoutes: FastifyPluginCallback = (app, _options, done) => {
  const send = (request: FastifyRequest, reply: FastifyReply, file: string) =>
    sendFile(request, reply.header('content-security-policy', POLICY), file);

  app.get('/documentation', redirectToDirectory);
  for (const [address, target] of Object.entries(shortcuts)) {
    getUnlessTaken(app, address, (_request, reply) => redirectTo(reply, target));
  }
  for (const [address, file] of Object.entries(documents)) {
    app.get(`/documentation/${address}`, (request, reply) => send(request, reply, file));
  }
  app.get<{ Params: { name: string } }>('/documentation/static/:name', (request, reply) => {
    const { name } = request.params;
    if (!pageFiles.includes(name)) throw new ApiError('ROUTE_NOT_FOUND');
    return send(request, reply, `#docs/${name}`);
  });
  done();
};
