import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newsRows, newsTypeRows } from './news.ts';
import { configurationRows, durationRows, priceRows, productRows } from './prices.ts';
import { seededRandom } from './random.ts';
import type { Text } from './words.ts';

export interface CatalogOptions {
  /** News items, of about 1 kB each. */
  news: number;
  /** Prices, five for each configuration. */
  prices: number;
  /** Language of the news items. */
  text: Text;
  /** Another number makes another catalog of the same size. */
  seed: number;
}

/** Writes a catalog as CSV files to a directory, which it creates: the same for the same options. */
export async function generateCatalog(
  dir: string,
  { news, prices, text, seed }: CatalogOptions,
): Promise<void> {
  await mkdir(dir, { recursive: true });
  const random = seededRandom(seed);
  const files: [string, Iterable<object>][] = [
    ['products', productRows(prices)],
    ['configurations', configurationRows(prices)],
    ['durations', durationRows()],
    ['prices', priceRows(prices, random)],
    ['news_types', newsTypeRows()],
    ['news', newsRows(news, text, random)],
  ];
  for (const [name, rows] of files)
    await pipeline(Readable.from(batches(rows)), createWriteStream(join(dir, `${name}.csv`)));
}

/** How many rows are written at once. */
const BATCH = 500;

/** The CSV file of rows with the same keys. */
function* batches(rows: Iterable<object>): Generator<string> {
  let lines: string[] = [];
  let isFirst = true;
  for (const row of rows) {
    if (isFirst) lines.push(line(Object.keys(row)));
    isFirst = false;
    if (lines.push(line(Object.values(row))) < BATCH) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

function line(cells: unknown[]): string {
  const texts = cells.map(value => {
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${texts.join(',')}\n`;
}
