import type { Files } from '../../support/catalogs.ts';
import { type Edit, type Pick, put, type Row, range, type Shop } from './edits.ts';

/** The rows of a small site, with texts and numbers as people write them. */
function smallSite(): Shop {
  const configurations = range(15).map(id => ({
    ...{ id, product_id: Math.ceil(id / 5), name: `Plan ${'SMLXZ'[id % 5]}${id}`, cpu: 2 ** (id % 5) },
    ...{ memory: 1024 * ((id * 7) % 15) + 512, order: (id * 4) % 17, hidden: id % 5 === 2 },
  }));
  const terms = [...['hour 1', 'month 1', 'month 3', 'month 6', 'year 1'].entries()];
  const durations = terms.map(([index, term]) => {
    const [unit, num] = term.split(' ');
    return { id: index + 1, name: term, num: Number(num), unit };
  });
  return {
    products: range(3).map(id => ({ id, name: `Host ${id}`, description: `What host ${id} is for` })),
    ...{ configurations, durations },
    prices: configurations.flatMap(({ id, product_id, cpu }) =>
      [0.004, 5, 14, 26, 49].map((price, at) => ({
        ...{ id: id * 10 + at, product_id, rel_id: id, duration_id: at + 1 },
        price: Number((price * (cpu + id / 7)).toFixed(3)),
      })),
    ),
    news_types: ['Offers', 'Repairs', 'Company'].map((name, index) => ({ id: index + 1, name })),
    news: range(12).map(id => ({
      ...{ id, type_id: 1 + ((id * 5) % 3), title: `What is new ${(id * 7) % 13}`, read: 100 + id ** 2 },
      content: `<p>${`The text of item ${id} is rather long. `.repeat(5 + (id % 4))}</p>`,
      ...{ keywords: `word ${(id * 5) % 13}, item`, img: id % 2 ? `picture-${id}.png` : '' },
      ...{ create_time: 1_700_000_000 + ((id * 5) % 13) * 90_000, update_time: 1_790_000_000 + id },
    })),
  };
}

/** The files of the site after something is done to it. */
export function filesOfSite(edits: Edit | Edit[] = []): Files {
  const shop = smallSite();
  for (const edit of [edits].flat()) edit(shop);
  return Object.fromEntries(Object.entries(shop).map(([name, rows]) => [`${name}.json`, rows]));
}

type Catalog = keyof Shop;

/** Two columns change places, or their headings do. */
export const exchange = (catalog: Catalog, one: string, other: string): Edit =>
  put(catalog, row => ({ [one]: row[other] || ' ', [other]: row[one] }));
export const copy = (catalog: Catalog, from: string, to: string): Edit =>
  put(catalog, row => ({ [to]: row[from] }));
export const times = (catalog: Catalog, column: string, factor: number, isPicked?: Pick): Edit =>
  put(catalog, row => ({ [column]: Number((Number(row[column]) * factor).toFixed(6)) }), isPicked);
export const change = (
  catalog: Catalog,
  column: string,
  to: (value: string, row: Row) => unknown,
  isPicked?: Pick,
) =>
  put(
    catalog,
    row => (row[column] === undefined ? {} : { [column]: to(String(row[column]), row) }),
    isPicked,
  );
export const cut = (catalog: Catalog, column: string, length: number, end = ''): Edit =>
  change(catalog, column, text => (text.length > length ? text.slice(0, length) + end : text));
/** All rows have the value of the first one. */
export const fillDown =
  (catalog: Catalog, column: string, isPicked: Pick = () => true): Edit =>
  shop => {
    const [first] = shop[catalog];
    for (const row of shop[catalog].filter(isPicked)) row[column] = first?.[column];
  };
export const later = (column: string, seconds: number, isPicked?: Pick) =>
  put('news', row => ({ [column]: Number(row[column]) + seconds }), isPicked);
export const first =
  (count: number): Pick =>
  (_, index) =>
    index < count;
/** Numbers a catalog anew from an id. What refers to it keeps its ids. */
export const number =
  (catalog: Catalog, from: number): Edit =>
  shop => {
    for (const [index, row] of shop[catalog].entries()) row.id = from + index;
  };
/** All rows once more, with new ids. */
export const repeat =
  (catalog: Catalog): Edit =>
  shop =>
    void shop[catalog].push(...shop[catalog].map(row => ({ ...row, id: row.id + 5000 })));
/** What is done to the site, by what it is. */
export type Deeds = Record<string, Edit | Edit[]>;
