import assert from 'node:assert/strict';
import type { Snapshot } from '../src/catalog/snapshot.ts';
import type { Files } from './catalogs.ts';
import { newsOf, pricesOf } from './rows.ts';

/** How many rows of a kind an edition has. */
export const ROWS = 6;

/**
 * A whole set of CSV files in which every row names its edition, a digit: texts in words, prices as their price. Ids
 * differ between editions, so that no row of one refers to a row of another.
 */
export function edition(digit: number): Files {
  const ids = Array.from({ length: ROWS }, (_, index) => digit * 1000 + index + 1);
  const rows = (row: (id: number) => string) => ids.map(id => `${row(id)}\n`).join('');
  return {
    'products.csv': `id,name\n${rows(id => `${id},edition ${digit}`)}`,
    'configurations.csv': `id,product_id,name,cpu,memory\n${rows(id => `${id},${id},edition ${digit},1,1`)}`,
    'durations.csv': `id,name,num,unit\n${rows(id => `${id},edition ${digit},1,day`)}`,
    'prices.csv': `id,product_id,rel_id,duration_id,price\n${rows(id => `${id},${id},${id},${id},${digit}`)}`,
    'news_types.csv': `id,name\n${rows(id => `${id},edition ${digit}`)}`,
    'news.csv': `id,type_id,create_time,title,content\n${rows(id => `${id},${id},2024-01-01,edition ${digit},edition ${digit}`)}`,
  };
}

/** The edition that a snapshot is of; asserts that it is one edition, and whole. */
export function editionOf(snapshot: Snapshot): number {
  const { products, configurations, durations } = snapshot;
  const texts = [products, configurations, durations ?? new Map<number, { name: string }>()]
    .flatMap(rows => [...rows.values()].map(({ name }) => name))
    .concat(newsOf(snapshot).flatMap(({ title, content }) => [title, content]))
    .concat(pricesOf(snapshot).map(({ price }) => `edition ${price}`));
  assert.equal(texts.length, 6 * ROWS, 'a half of an edition is served');
  assert.equal(new Set(texts).size, 1, `a mixture of editions is served: ${[...new Set(texts)]}`);
  return Number(texts[0]?.split(' ')[1]);
}
