import { type TObject, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { createClient } from '../client.ts';
import { type CatalogName, CONFIGURATION_PRICE, catalogNames, catalogs } from '../contract/columns.ts';
import { printable, reasonOf } from '../messages.ts';

/** The columns that lists of the API show. */
export const listedColumns: Record<CatalogName, readonly string[]> = {
  products: ['id', 'name', 'description'],
  configurations: ['id', 'product_id', 'name', 'cpu', 'memory'],
  durations: ['id', 'name', 'num', 'unit'],
  prices: ['product_id', 'rel_id', 'duration_id', 'price'],
  news_types: ['id', 'name'],
  news: ['id', 'type_id', 'title', 'content', 'keywords', 'img', 'create_time'],
};

/** A row with the columns that lists show. The id of a price is 0, since they do not show it. */
export type ListedRow = { id: number } & Record<string, string | number | boolean | undefined>;
export type ListedRows = Record<CatalogName, ListedRow[]>;

/** What a service serves. */
export interface ServedRows {
  version: string;
  rows: ListedRows;
}

/** How long a page of a list may take, in milliseconds. */
const PAGE_MS = 10_000;

/**
 * Gets all rows that a service lists, durations only as far as prices have them. Counts no reads. `url` is where the service
 * is mounted.
 * @throws Error with one sentence that names the service.
 */
export async function fetchServedRows(url: string): Promise<ServedRows> {
  const versions = new Set<string>();
  const send = async (address: string) => {
    const response = await fetch(address, { signal: AbortSignal.timeout(PAGE_MS) });
    versions.add(String(response.headers.get('catalog-version')));
    return response;
  };
  try {
    const rows = checked(await listRows(createClient(url, { fetch: send })));
    const [version = '', other] = versions;
    if (other !== undefined) throw new Error('it loaded other catalogs meanwhile; try again');
    return { version: printable(version, 40), rows };
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const reason = isLate ? `no answer within ${PAGE_MS / 1000} s` : reasonOf(error);
    throw new Error(`cannot compare with ${url}: ${printable(reason)}`);
  }
}

async function listRows(client: ReturnType<typeof createClient>): Promise<ListedRows> {
  const rows: ListedRows = {
    ...{ products: [], configurations: [], durations: [], prices: [], news_types: [], news: [] },
  };
  const durations = new Map<number, ListedRow>();
  for await (const product of client.eachProduct()) rows.products.push({ description: '', ...product });
  for (const { id: product_id } of rows.products) {
    const query = { product_id, include_durations: true };
    for await (const { durations: prices = [], ...configuration } of client.eachConfiguration(query)) {
      rows.configurations.push(configuration);
      for (const { duration_id, price, name, num, unit } of prices) {
        rows.prices.push(priceRow({ product_id, rel_id: configuration.id, duration_id, price }));
        if (name !== undefined) durations.set(duration_id, { id: duration_id, name, num, unit });
      }
    }
  }
  rows.durations = [...durations.values()];
  for await (const type of client.eachNewsType()) rows.news_types.push(type);
  // An item that is published meanwhile moves another one to the next page, where it is listed again.
  const news = new Map<number, ListedRow>();
  for await (const item of client.eachNews({ include: ['img', 'type_id'] })) news.set(item.id, { ...item });
  rows.news = [...news.values()];
  return rows;
}

/** A row of the prices catalog, of which lists show only these columns. */
function priceRow(listed: Record<string, number>): ListedRow {
  return { id: 0, ...listed, rel_type: CONFIGURATION_PRICE };
}

/** The rows with the listed columns alone. @throws Error if they are not rows of Vitrine. */
function checked(rows: ListedRows): ListedRows {
  for (const catalog of catalogNames) {
    const schema: TObject = catalogs[catalog].row;
    const checker = TypeCompiler.Compile(Type.Pick(schema, [...listedColumns[catalog]]));
    if (!rows[catalog].every(row => checker.Check(row)))
      throw new Error(`its ${catalog} are not those of a Vitrine service`);
  }
  return listed(rows);
}

/** The rows with the columns that lists show, and nothing else. */
export function listed(rows: Record<CatalogName, readonly ListedRow[]>): ListedRows {
  const pick = (catalog: CatalogName, row: ListedRow): ListedRow => {
    const values = Object.fromEntries(listedColumns[catalog].map(column => [column, row[column]]));
    return catalog === 'prices'
      ? { ...values, id: 0, rel_type: CONFIGURATION_PRICE }
      : { ...values, id: row.id };
  };
  const picked = catalogNames.map(catalog => [catalog, rows[catalog].map(row => pick(catalog, row))]);
  return Object.fromEntries(picked);
}
