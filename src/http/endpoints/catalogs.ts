import { recordBody } from '../../answer/body.ts';
import { fixedPage } from '../../answer/page.ts';
import { strongTag } from '../../answer/representation.ts';
import { Envelope, NotModified, PageSchema } from '../../contract/envelope.ts';
import { ConfigurationsQuery, PriceQuery, RowListQuery } from '../../contract/queries.ts';
import {
  NewsTypeSchema,
  PriceRecordSchema,
  ProductRecordSchema,
  RecommendedConfigurationSchema,
} from '../../contract/records.ts';
import { type KindTag, productTag } from '../../contract/webhook.ts';
import { listConfigurations } from '../../query/configurations.ts';
import { pageOf } from '../../query/paging.ts';
import { findPrice, pricesAt } from '../../query/prices.ts';
import { productRecord } from '../../snapshot/records.ts';
import { ownFields, type Snapshot } from '../../snapshot/snapshot.ts';
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
    response: { 200: Envelope(PageSchema(RecommendedConfigurationSchema)), 304: NotModified },
  },
  handler({ query, snapshot, now }) {
    const prices = pricesAt(snapshot, now());
    const page = listConfigurations(snapshot, prices, query);
    const tags = ['configurations', productTag(query.product_id)] as const;
    const fixed = fixedPage(ConfigurationsQuery, query, page, tags);
    if (!query.include_durations) return fixed;
    const until = Math.min(...page.list.map(({ id }) => prices.nextOf(id)));
    return { ...fixed, caching: { tags, until }, isCurrent: () => pricesAt(snapshot, now()) === prices };
  },
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
    errors: ['PRODUCT_NOT_FOUND', 'CONFIGURATION_NOT_FOUND', 'DURATION_NOT_FOUND', 'PRICE_NOT_FOUND'],
    response: { 200: Envelope(PriceRecordSchema), 304: NotModified },
  },
  handler({ query, snapshot, now }) {
    const prices = pricesAt(snapshot, now());
    const record = findPrice(snapshot, prices, query);
    const json = JSON.stringify({ ...record, ...ownFields(snapshot, 'prices', record.id, query.include) });
    const until = prices.nextOf(query.recommend_config_id, query.duration_id);
    return {
      tag: strongTag(json),
      caching: { tags: ['prices', productTag(query.product_id)], until },
      isCurrent: () => pricesAt(snapshot, now()) === prices,
      body: recordBody(Buffer.from(json)),
    };
  },
});

/** `GET /api/products`. */
export const productList = endpoint({
  url: '/api/products',
  schema: {
    operationId: 'listProducts',
    tags: ['Configurations'],
    summary: 'List the products',
    description:
      'A page of the products, by id. `limit=100` returns up to 100 of them at once. A `Link` header leads to the next and the previous page.',
    querystring: RowListQuery,
    response: { 200: Envelope(PageSchema(ProductRecordSchema)), 304: NotModified },
  },
  handler: ({ query, snapshot }) =>
    sortedPage(snapshot, 'products', query, Array.from(snapshot.products.values(), productRecord)),
});

/** `GET /api/news-types`. */
export const newsTypeList = endpoint({
  url: '/api/news-types',
  schema: {
    operationId: 'listNewsTypes',
    tags: ['News'],
    summary: 'List the categories of news',
    description:
      'A page of the categories of news, by id: the names behind `type_id`. `limit=100` returns up to 100 of them at once. A `Link` header leads to the next and the previous page.',
    querystring: RowListQuery,
    response: { 200: Envelope(PageSchema(NewsTypeSchema)), 304: NotModified },
  },
  handler: ({ query, snapshot }) =>
    sortedPage(snapshot, 'news-types', query, [...snapshot.newsTypes.values()]),
});

/**
 * A page of all rows of a catalog, sorted by id: services with the same `Catalog-Version` answer the same, whatever order
 * their files have.
 */
function sortedPage(snapshot: Snapshot, tag: KindTag, query: RowListQuery, items: { id: number }[]) {
  items.sort((one, other) => one.id - other.id);
  const catalog = tag === 'products' ? tag : 'news_types';
  const { list, pagination } = pageOf(items, query);
  const records = list.map(item => ({ ...item, ...ownFields(snapshot, catalog, item.id, query.include) }));
  return fixedPage(RowListQuery, query, { list: records, pagination }, [tag]);
}
