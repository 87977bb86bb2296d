import { type Static, type TSchema, Type } from '@sinclair/typebox';

/** The pagination object (SPEC 2.2). */
const PaginationSchema = Type.Object(
  {
    current_page: Type.Integer({ minimum: 1, description: 'the page returned' }),
    total: Type.Integer({ minimum: 0, description: 'total number of items' }),
  },
  { additionalProperties: false, title: 'Pagination' },
);
export type Pagination = Static<typeof PaginationSchema>;

/** The data of every list: its items on the page, and the pagination. */
export function PageSchema<Item extends TSchema>(item: Item) {
  return Type.Object(
    { list: Type.Array(item, { description: 'the items of the page' }), pagination: PaginationSchema },
    { additionalProperties: false, description: 'a page of a list' },
  );
}

/** One page of a list, and where it stands. */
export interface Page<Item> {
  list: Item[];
  pagination: Pagination;
}

/** One page of a list; past its end an empty one, with the page as asked and the right total. */
export function pageOf<Item>(
  items: readonly Item[],
  { page, limit }: { page: number; limit: number },
): Page<Item> {
  const start = (page - 1) * limit;
  return { list: items.slice(start, start + limit), pagination: { current_page: page, total: items.length } };
}
