import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { inTurn } from '../../../answer/in-turn.ts';
import { wholePage } from '../../../answer/page.ts';
import { NotModified } from '../../../contract/envelope.ts';
import { PriceMatrixSchema } from '../../../contract/page.ts';
import { PriceMatrixQuery } from '../../../contract/queries.ts';
import { priceMatrix } from '../../../query/price-matrix.ts';
import { RepresentationOf, type RouteSchema } from '../../response/route-schema.ts';

const schema = {
  operationId: 'getPriceMatrix',
  tags: ['Page'],
  summary: 'Get the prices of a product as a matrix',
  description:
    'A page of the configurations of a product, each with its prices in the order of `durations`, and with what the last change of the files did to them. Of more than 100,000 changes, the first ones are marked.',
  querystring: PriceMatrixQuery,
  errors: ['INVALID_PARAMETER', 'NOT_READY'],
  response: { 200: RepresentationOf(PriceMatrixSchema), 304: NotModified },
} satisfies RouteSchema;

/** `GET /overview/prices`. */
export const priceMatrixRoute: FastifyPluginCallbackTypebox = (app, _options, done) => {
  app.get('/overview/prices', { schema }, async ({ query, snapshot }) => {
    return wholePage(PriceMatrixQuery, query, await inTurn(priceMatrix(snapshot, query)));
  });
  done();
};
