import assert from 'node:assert/strict';
import type { NewsDetail, PriceRecord } from '../../src/contract/records.ts';
import { detailPieces } from '../../src/snapshot/news-table.ts';
import { priceAt } from '../../src/snapshot/price-table.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Files } from './catalogs.ts';

/** How many rows each file of a fixture set has. */
export const ROWS = 6;

/** The id of the last row in each file of each set, so that a file shows that it has come to its end. */
const LAST_ID = 99;

/** The price of a set is this and its digit: that of the last row must not become five times as high. */
const LOWEST_PRICE = 10;

/** The ids of a set. But for the last one, they differ between sets, so that no row of one refers to a row of another. */
function idsOf(digit: number): number[] {
  return Array.from({ length: ROWS }, (_, index) =>
    index === ROWS - 1 ? LAST_ID : digit * 1000 + index + 1,
  );
}

/**
 * A complete set of CSV files in which every row carries the digit of its set, as a text `set 1` or in its price. Blank lines
 * give the files of each set a size of their own, so that none seems to be written over another.
 */
export function fixtureSet(digit: number): Files {
  const rows = (row: (id: number, index: number) => string) => {
    const lines = idsOf(digit).map((id, index) => `${row(id, index)}\n`);
    return `${lines.join('')}${'\n'.repeat(digit - 1)}`;
  };
  return {
    'products.csv': `id,name\n${rows(id => `${id},set ${digit}`)}`,
    'configurations.csv': `id,product_id,name,cpu,memory\n${rows(id => `${id},${id},set ${digit},1,1`)}`,
    'durations.csv': `id,name,num,unit\n${rows(id => `${id},set ${digit},1,day`)}`,
    'prices.csv': `id,product_id,rel_id,duration_id,price\n${rows(id => `${id},${id},${id},${id},${LOWEST_PRICE + digit}`)}`,
    'news_types.csv': `id,name\n${rows(id => `${id},set ${digit}`)}`,
    'news.csv': `id,type_id,create_time,title,content\n${rows((id, index) => `${index + 1},${id},2024-01-01,set ${digit},set ${digit}`)}`,
  };
}

/** The digit of the set of a snapshot. Asserts that the snapshot is one whole set. */
export function fixtureSetOf(snapshot: Snapshot): number {
  const { products, configurations, durations } = snapshot;
  const texts = [products, configurations, durations ?? new Map<number, { name: string }>()]
    .flatMap(rows => [...rows.values()].map(({ name }) => name))
    .concat(newsOf(snapshot).flatMap(({ title, content }) => [title, content.replace(/<\/?p>/g, '')]))
    .concat(pricesOf(snapshot).map(({ price }) => `set ${price - LOWEST_PRICE}`));
  assert.equal(texts.length, 6 * ROWS, 'an incomplete set is served');
  assert.equal(new Set(texts).size, 1, `a mixture of sets is served: ${[...new Set(texts)]}`);
  return Number(texts[0]?.split(' ')[1]);
}

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
