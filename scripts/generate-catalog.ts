/** Writes a catalog of any size as CSV files, the same for the same arguments. See --help. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeCsv } from './bench/catalog/csv.ts';
import { newsRows, newsTypeRows } from './bench/catalog/news.ts';
import { configurationRows, durationRows, priceRows, productRows } from './bench/catalog/prices.ts';
import { seededRandom } from './bench/catalog/random.ts';
import type { Text } from './bench/catalog/words.ts';
import { isEntry, numberFrom, reportAndExit, UsageError } from './bench/command-line.ts';

const HELP = `Usage: npx tsx scripts/generate-catalog.ts DIR [--news N] [--prices N] [--text ascii|chinese] [--seed N]

  --news N       news items, of about 1 kB each (10,000)
  --prices N     prices, five for each configuration (10,000)
  --text TEXT    language of the news items: ascii or chinese (ascii)
  --seed N       another number makes another catalog of the same size (1)
`;

export interface CatalogOptions {
  news: number;
  prices: number;
  text: Text;
  seed: number;
}

/** Writes a catalog to a directory, which it creates if it is missing. */
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
  for (const [name, rows] of files) await writeCsv(join(dir, `${name}.csv`), rows);
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      news: { type: 'string', default: '10000' },
      prices: { type: 'string', default: '10000' },
      text: { type: 'string', default: 'ascii' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const [dir, ...others] = positionals;
  const { text } = values;
  if (!dir || others.length > 0) throw new UsageError('expected one directory');
  if (text !== 'ascii' && text !== 'chinese') throw new UsageError('--text: expected ascii or chinese');
  const [news, prices] = [numberFrom('news', values.news), numberFrom('prices', values.prices)];
  await generateCatalog(dir, { news, prices, text, seed: numberFrom('seed', values.seed) });
}

if (isEntry(import.meta.url)) main(process.argv.slice(2)).catch(reportAndExit);
