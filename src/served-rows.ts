import type { TObject } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import * as Type from '@sinclair/typebox/type';
import { createClient } from './client.ts';
import { CONFIGURATION_PRICE, catalogNames, catalogs } from './contract/columns.ts';
import { printable, reasonOf } from './messages.ts';
import {
  type ListedRow,
  type ListedRows,
  listed,
  listedColumns,
  type ServedRows,
} from './set/compare/listed.ts';

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
