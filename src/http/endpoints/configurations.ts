import { recordBody } from '../../answer/body.ts';
import { fixedPage } from '../../answer/page.ts';
import { strongTag } from '../../answer/representation.ts';
import { Envelope, NotModified, PageSchema } from '../../contract/envelope.ts';
import { ConfigurationsQuery, PriceQuery } from '../../contract/queries.ts';
import { PriceRecordSchema, RecommendedConfigurationSchema } from '../../contract/records.ts';
import { productTag } from '../../contract/webhook.ts';
import { ApiError } from '../../errors.ts';
import { findPrice, listConfigurations } from '../../query/configurations.ts';
import { priceAt } from '../../snapshot/price-table.ts';
import { endpoint } from '../endpoint.ts';

/** `GET /api/recommend-config` (SPEC 4.1). */
export const configurationList = endpoint({
  url: '/api/recommend-config',
  schema: {
    operationId: 'listConfigurations',
    tags: ['Configurations'],
    summary: 'List the recommended configurations of a product',
    description:
      'A page of the configurations that the product offers, by their place in the list, then by id; none if the product is unknown. A `Link` header leads to the next and the previous page.',
    querystring: ConfigurationsQuery,
    errors: ['INVALID_PARAMETER', 'NOT_READY'],
    response: { 200: Envelope(PageSchema(RecommendedConfigurationSchema)), 304: NotModified },
  },
  handler: ({ query, snapshot }) =>
    fixedPage(ConfigurationsQuery, query, listConfigurations(snapshot, query), [
      'configurations',
      productTag(query.product_id),
    ]),
});

/** `GET /api/recommend-config/price` (SPEC 4.2). */
export const price = endpoint({
  url: '/api/recommend-config/price',
  schema: {
    operationId: 'getPrice',
    tags: ['Configurations'],
    summary: 'Get the price of a configuration for a duration',
    description:
      'The price of a configuration for a duration. The configuration must belong to the product. If one of the three does not exist, the error names the first that is missing.',
    querystring: PriceQuery,
    errors: [
      'INVALID_PARAMETER',
      'PRODUCT_NOT_FOUND',
      'CONFIGURATION_NOT_FOUND',
      'DURATION_NOT_FOUND',
      'PRICE_NOT_FOUND',
      'NOT_READY',
    ],
    response: { 200: Envelope(PriceRecordSchema), 304: NotModified },
  },
  handler({ query, snapshot }) {
    const found = findPrice(snapshot, query);
    switch (found) {
      case 'product':
        throw new ApiError('PRODUCT_NOT_FOUND', { id: query.product_id });
      case 'configuration':
        throw new ApiError('CONFIGURATION_NOT_FOUND', { id: query.recommend_config_id });
      case 'duration':
        throw new ApiError('DURATION_NOT_FOUND', { id: query.duration_id });
      case 'price':
        throw new ApiError('PRICE_NOT_FOUND');
      default: {
        const json = JSON.stringify(priceAt(snapshot.prices, found));
        return {
          tag: strongTag(json),
          caching: { tags: ['prices', productTag(query.product_id)], until: Number.POSITIVE_INFINITY },
          body: recordBody(Buffer.from(json)),
        };
      }
    }
  },
});
