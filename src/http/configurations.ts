import { priceAt } from '../catalog/price-table.ts';
import { PriceRecordSchema, RecommendedConfigurationSchema } from '../catalog/records.ts';
import { ApiError } from '../errors.ts';
import { listConfigurations } from '../query/configurations.ts';
import { PageSchema } from '../query/paging.ts';
import { findPrice } from '../query/price.ts';
import { ConfigurationsQuery, PriceQuery } from '../query/queries.ts';
import { endpoint } from './answer.ts';
import { pageBody, recordBody } from './bodies.ts';
import { strongTag } from './conditional.ts';

/** What configurations and prices are depends on the set alone. */
const always = () => true;

/** `GET /recommend-config` (SPEC 4.1). */
export const configurationList = endpoint(
  '/recommend-config',
  {
    operationId: 'listConfigurations',
    tags: ['Configurations'],
    summary: 'List the recommended configurations of a product',
    errors: ['INVALID_PARAMETER', 'NOT_READY'],
    parameters: ConfigurationsQuery,
    data: PageSchema(RecommendedConfigurationSchema),
    isTagged: true,
  },
  ({ parameters, snapshot }) => {
    const { list, pagination } = listConfigurations(snapshot, parameters);
    const json = list.map(record => JSON.stringify(record)).join();
    return {
      tag: strongTag(`${pagination.current_page} ${pagination.total} ${json}`),
      isCurrent: always,
      body: () => pageBody([Buffer.from(json)], pagination),
    };
  },
);

/** `GET /recommend-config/price` (SPEC 4.2). */
export const price = endpoint(
  '/recommend-config/price',
  {
    operationId: 'getPrice',
    tags: ['Configurations'],
    summary: 'Query the price of one product, configuration and duration',
    errors: [
      'INVALID_PARAMETER',
      'PRODUCT_NOT_FOUND',
      'CONFIGURATION_NOT_FOUND',
      'DURATION_NOT_FOUND',
      'PRICE_NOT_FOUND',
      'NOT_READY',
    ],
    parameters: PriceQuery,
    data: PriceRecordSchema,
    isTagged: true,
  },
  ({ parameters, snapshot }) => {
    const found = findPrice(snapshot, parameters);
    switch (found) {
      case 'product':
        throw new ApiError('PRODUCT_NOT_FOUND', { id: parameters.product_id });
      case 'configuration':
        throw new ApiError('CONFIGURATION_NOT_FOUND', { id: parameters.recommend_config_id });
      case 'duration':
        throw new ApiError('DURATION_NOT_FOUND', { id: parameters.duration_id });
      case 'price':
        throw new ApiError('PRICE_NOT_FOUND');
      default: {
        const json = JSON.stringify(priceAt(snapshot.prices, found));
        return {
          tag: strongTag(json),
          isCurrent: always,
          body: () => recordBody(json),
        };
      }
    }
  },
);
