import type { FastifyPluginCallback } from 'fastify';
import type { Endpoint } from './answer.ts';
import { requireCatalog } from './catalog-version.ts';
import { configurationList, price } from './configurations.ts';
import { type NewsOptions, newsDetail, newsList } from './news.ts';
import { sendAnswer } from './response.ts';

/** Where the endpoints are, below the place where the service is mounted. */
export const API_PREFIX = '/api';

/** The four endpoints of the contract (SPEC 4). */
export function apiEndpoints(options: NewsOptions): Endpoint[] {
  return [configurationList, price, newsList(options), newsDetail(options)];
}

/** Endpoints as Fastify's routes. */
export const api: FastifyPluginCallback<{ endpoints: readonly Endpoint[] }> = (app, { endpoints }, done) => {
  requireCatalog(app);
  for (const { path, schema, answer } of endpoints) {
    app.get(path, { schema }, (request, reply) => {
      const { method, query, params, snapshot } = request;
      const parameters = 'params' in schema ? params : query;
      const answered = answer({ parameters, snapshot, isHead: method === 'HEAD' });
      return answered instanceof Promise
        ? answered.then(answer => sendAnswer(request, reply, answer))
        : sendAnswer(request, reply, answered);
    });
  }
  done();
};
