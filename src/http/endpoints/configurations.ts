import { fixedPage } from '../../answer/page.ts';
import { Envelope, NotModified, PageSchema } from '../../contract/envelope.ts';
import { ConfigurationsQuery } from '../../contract/queries.ts';
import { RecommendedConfigurationSchema } from '../../contract/records.ts';
import { productTag } from '../../contract/webhook.ts';
import { listConfigurations } from '../../query/configurations.ts';
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
