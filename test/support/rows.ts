import type { NewsDetail, PriceRecord } from '../../src/contract/records.ts';
import { detailPieces } from '../../src/snapshot/news-table.ts';
import { priceAt } from '../../src/snapshot/price-table.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';

/** The details of the news items of a snapshot, in the order of lists, with their floors as read counts. */
export function newsOf(snapshot: Snapshot): NewsDetail[] {
  return Array.from(snapshot.news.read, (read, row) => {
    const { before, after } = detailPieces(snapshot.news, row);
    return JSON.parse(`${Buffer.concat(before)}${read}${Buffer.from(after)}`);
  });
}

export function pricesOf({ prices }: Snapshot): PriceRecord[] {
  return Array.from(prices.id, (_id, row) => priceAt(prices, row));
}
