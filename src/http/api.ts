import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Endpoint } from './answer.ts';
import { requireCatalog } from './catalog-version.ts';
import { configurationList, price } from './configurations.ts';
import { type NewsOptions, newsDetail, newsList } from './news.ts';
import { responseOf } from './response.ts';

/** Where the endpoints are, below the place where the service is mounted. */
export const API_PREFIX = '/api';

/** The four endpoints of the contract (SPEC 4). */
export function apiEndpoints(options: NewsOptions): Endpoint[] {
  return [configurationList, price, newsList(options), newsDetail(options)];
}

/** The endpoints as Fastify's routes. */
export const api: FastifyPluginCallback<{ endpoints: readonly Endpoint[] }> = (app, { endpoints }, done) => {
  requireCatalog(app);
  for (const { path, schema, answer } of endpoints) {
    app.get(path, { schema }, (request, reply) => {
      const { method, query, params, snapshot } = request;
      const parameters = 'params' in schema ? params : query;
      const answered = answer({ parameters, snapshot, isHead: method === 'HEAD' });
      return answered instanceof Promise
        ? answered.then(answer => send(request, reply, answer))
        : send(request, reply, answered);
    });
  }
  done();
};

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const response = responseOf(answer, request);
  for (let index = 0; index < response.headers.length; index += 2) {
    reply.header(response.headers[index] ?? '', response.headers[index + 1]);
  }
  const { body } = response;
  return reply.code(response.status).send(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
}
