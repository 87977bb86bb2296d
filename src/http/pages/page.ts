import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { isDirectory, redirectToDirectory } from './redirect.ts';
import { sendFile } from './static-file.ts';

/** The files that `/page/` serves, and the only ones. The build makes them of `src/page`. */
export const pageFiles = ['main.js', 'checker.js', 'style.css', 'icon.svg'] as const;
const files: ReadonlySet<string> = new Set(pageFiles);

/** The page loads only from this origin, so injected markup can neither run nor send anything. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `GET /`, the page for people, and `GET /page/{file}`, its files. They work before any catalogs are loaded. */
export const pageRoutes: FastifyPluginCallback = (app, _options, done) => {
  const send = (request: FastifyRequest, reply: FastifyReply, name: string) =>
    sendFile(request, reply.header('content-security-policy', POLICY), `#page/${name}`);

  app.get('/', (request, reply) =>
    isDirectory(request) ? send(request, reply, 'index.html') : redirectToDirectory(request, reply),
  );
  // Browsers request this for documents without an icon, such as JSON.
  app.get('/favicon.ico', (request, reply) => send(request, reply, 'icon.svg'));
  // A single route, since each one delays the start.
  app.get<{ Params: { '*': string } }>('/page/*', (request, reply) => {
    const name = request.params['*'];
    if (!files.has(name)) throw new ApiError('ROUTE_NOT_FOUND');
    return send(request, reply, name);
  });
  done();
};
