import type { TSchema } from '@sinclair/typebox';
import { fixedPage } from '../../answer/page.ts';
import { Envelope, NotModified, PageSchema } from '../../contract/envelope.ts';
import { ListQuery } from '../../contract/queries.ts';
import { NewsTypeSchema, ProductRecordSchema } from '../../contract/records.ts';
import type { KindTag } from '../../contract/webhook.ts';
import { pageOf } from '../../query/paging.ts';
import { productRecord } from '../../snapshot/records.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { type Endpoint, endpoint, type RouteSchema } from '../endpoint.ts';

/** `GET /api/products`. */
export const productList = catalogList(
  '/api/products',
  {
    operationId: 'listProducts',
    tags: ['Configurations'],
    summary: 'List the products',
    description:
      'A page of the products, by id. `limit=100` returns up to 100 of them at once. A `Link` header leads to the next and the previous page.',
  },
  ProductRecordSchema,
  ({ products }) => Array.from(products.values(), productRecord),
  'products',
);

/** `GET /api/news-types`. */
export const newsTypeList = catalogList(
  '/api/news-types',
  {
    operationId: 'listNewsTypes',
    tags: ['News'],
    summary: 'List the categories of news',
    description:
      'A page of the categories of news, by id: the names behind `type_id`. `limit=100` returns up to 100 of them at once. A `Link` header leads to the next and the previous page.',
  },
  NewsTypeSchema,
  ({ newsTypes }) => [...newsTypes.values()],
  'news-types',
);

/**
 * A list of all rows of a catalog, sorted by id: services with the same `Catalog-Version` answer the same, whatever order
 * their files have.
 */
function catalogList(
  url: string,
  docs: Pick<RouteSchema, 'operationId' | 'tags' | 'summary' | 'description'>,
  item: TSchema,
  itemsOf: (snapshot: Snapshot) => { id: number }[],
  tag: KindTag,
): Endpoint {
  return endpoint({
    url,
    schema: {
      ...docs,
      querystring: ListQuery,
      errors: ['INVALID_PARAMETER', 'NOT_READY'],
      response: { 200: Envelope(PageSchema(item)), 304: NotModified },
    },
    handler({ query, snapshot }) {
      const items = itemsOf(snapshot).sort((one, other) => one.id - other.id);
      return fixedPage(ListQuery, query, pageOf(items, query), [tag]);
    },
  });
}
