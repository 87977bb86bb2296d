import { priceAt } from '../src/catalog/price-table.ts';
import type { NewsDetail, PriceRecord } from '../src/catalog/records.ts';
import type { Snapshot } from '../src/catalog/snapshot.ts';
import { detailPieces } from '../src/http/news-pieces.ts';

/** The news of a snapshot in the order of lists, as their details show them when they are read for the first time. */
export function newsOf(snapshot: Snapshot): NewsDetail[] {
  return Array.from(snapshot.news.read, (read, row) => {
    const { before, after } = detailPieces(snapshot.news, row);
    return JSON.parse(`${Buffer.concat(before)}${read}${Buffer.from(after)}`);
  });
}

export function pricesOf({ prices }: Snapshot): PriceRecord[] {
  return Array.from(prices.id, (_id, row) => priceAt(prices, row));
}
