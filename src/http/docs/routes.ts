import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { ApiError } from '../../errors.ts';
import { packageVersion } from '../../package-version.ts';
import type { DocumentedRoute } from './document.ts';

/** The page may run what is of this origin, and ask it; swagger-ui has pictures and styles in its scripts. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-cache',
} as const;

/** What of the headers of the docs is about their content. */
const contentHeaders = ['content-type', 'etag', 'last-modified', 'accept-ranges', 'content-range'] as const;

/** `GET /documentation`: the OpenAPI document of `routes`, as JSON and YAML, and a page that shows it. */
export const docsRoutes: FastifyPluginCallback<{ routes: readonly DocumentedRoute[] }> = (
  app,
  { routes },
  done,
) => {
  let docs: Promise<FastifyInstance> | undefined;
  const open = async () => {
    const { openDocs } = await import('./app.ts');
    return openDocs(routes, app.prefix, packageVersion());
  };
  app.addHook('onClose', async () => (await docs)?.close());

  app.get('/documentation', { schema: { hide: true } }, (_request, reply) =>
    // Relative, since a proxy may have taken something from the address.
    reply.code(308).header('location', 'documentation/').send(),
  );
  for (const path of [
    '/documentation/',
    '/documentation/json',
    '/documentation/yaml',
    '/documentation/static/:file',
  ]) {
    app.get(path, { schema: { hide: true } }, async ({ url, headers }, reply) => {
      docs ??= open();
      const answer = await (await docs).inject({ url: url.slice(app.prefix.length), headers });
      if (answer.statusCode >= 400) throw new ApiError('ROUTE_NOT_FOUND');
      for (const name of contentHeaders) {
        const value = answer.headers[name];
        if (value !== undefined) reply.header(name, value);
      }
      return reply.code(answer.statusCode).headers(pageHeaders).send(answer.rawPayload);
    });
  }
  done();
};
