import assert from 'node:assert/strict';
import type { Snapshot } from '../../src/catalog/snapshot/snapshot.ts';
import type { Files } from './catalogs.ts';
import { newsOf, pricesOf } from './rows.ts';

/** How many rows each file of a fixture set has. */
export const ROWS = 6;

/**
 * A complete set of CSV files in which every row carries the digit of its set, as a text `set 1` or as its price. Ids
 * differ between sets, so that no row of one refers to a row of another.
 */
export function fixtureSet(digit: number): Files {
  const ids = Array.from({ length: ROWS }, (_, index) => digit * 1000 + index + 1);
  const rows = (row: (id: number) => string) => ids.map(id => `${row(id)}\n`).join('');
  return {
    'products.csv': `id,name\n${rows(id => `${id},set ${digit}`)}`,
    'configurations.csv': `id,product_id,name,cpu,memory\n${rows(id => `${id},${id},set ${digit},1,1`)}`,
    'durations.csv': `id,name,num,unit\n${rows(id => `${id},set ${digit},1,day`)}`,
    'prices.csv': `id,product_id,rel_id,duration_id,price\n${rows(id => `${id},${id},${id},${id},${digit}`)}`,
    'news_types.csv': `id,name\n${rows(id => `${id},set ${digit}`)}`,
    'news.csv': `id,type_id,create_time,title,content\n${rows(id => `${id},${id},2024-01-01,set ${digit},set ${digit}`)}`,
  };
}

/** The same with its news in Markdown files, whose names are the same in each set. */
export function markdownSet(digit: number): Files {
  const items = Array.from({ length: ROWS }, (_, index) => {
    const id = digit * 1000 + index + 1;
    const front = `---\nid: ${id}\ntype_id: ${id}\ncreate_time: 2024-01-01\n---\n`;
    return [`news/item-${index}.md`, `${front}# set ${digit}\n\nset ${digit}\n`];
  });
  return { ...fixtureSet(digit), 'news.csv': null, ...Object.fromEntries(items) };
}

/** The digit of the set of a snapshot. Asserts that the snapshot is one whole set. */
export function fixtureSetOf(snapshot: Snapshot): number {
  const { products, configurations, durations } = snapshot;
  const texts = [products, configurations, durations ?? new Map<number, { name: string }>()]
    .flatMap(rows => [...rows.values()].map(({ name }) => name))
    .concat(newsOf(snapshot).flatMap(({ title, content }) => [title, content.replace(/<\/?p>/g, '')]))
    .concat(pricesOf(snapshot).map(({ price }) => `set ${price}`));
  assert.equal(texts.length, 6 * ROWS, 'an incomplete set is served');
  assert.equal(new Set(texts).size, 1, `a mixture of sets is served: ${[...new Set(texts)]}`);
  return Number(texts[0]?.split(' ')[1]);
}
