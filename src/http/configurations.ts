import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../errors.ts';
import { listConfigurations } from '../query/configurations.ts';
import { PageSchema } from '../query/paging.ts';
import { findPrice } from '../query/price.ts';
import { ConfigurationsQuery, PriceQuery } from '../query/queries.ts';
import { PriceRecordSchema, RecommendedConfigurationSchema } from '../query/records.ts';
import { strongTags } from './conditional.ts';
import { Envelope, success } from './envelope.ts';

const listSchema = {
  summary: 'List the recommended configurations of a product',
  querystring: ConfigurationsQuery,
  response: { 200: Envelope(PageSchema(RecommendedConfigurationSchema)) },
};

const priceSchema = {
  summary: 'Query the price of one product, configuration and duration',
  querystring: PriceQuery,
  response: { 200: Envelope(PriceRecordSchema) },
};

/** The endpoints under `/recommend-config` (SPEC 4.1 and 4.2). */
export const configurationRoutes: FastifyPluginCallbackTypebox = (app, _options, done) => {
  app.get('/recommend-config', { schema: listSchema, ...strongTags() }, ({ query, snapshot }) =>
    success(listConfigurations(snapshot, query)),
  );

  app.get('/recommend-config/price', { schema: priceSchema, ...strongTags() }, ({ query, snapshot }) => {
    const price = findPrice(snapshot, query);
    switch (price) {
      case 'product':
        throw new ApiError('PRODUCT_NOT_FOUND', { id: query.product_id });
      case 'configuration':
        throw new ApiError('CONFIGURATION_NOT_FOUND', { id: query.recommend_config_id });
      case 'duration':
        throw new ApiError('DURATION_NOT_FOUND', { id: query.duration_id });
      case 'price':
        throw new ApiError('PRICE_NOT_FOUND');
      default:
        return success(price);
    }
  });
  done();
};
