/**
 * Writes a catalog of any size to a directory: products, configurations, durations, prices, news types and news as CSV
 * files, the same ones for the same arguments. `npx tsx scripts/generate-catalog.ts --help` tells more.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeCsv } from './bench/catalog/csv.ts';
import { newsRows, newsTypeRows } from './bench/catalog/news.ts';
import { configurationRows, durationRows, priceRows, productRows } from './bench/catalog/prices.ts';
import { seededRandom } from './bench/catalog/random.ts';
import type { Text } from './bench/catalog/words.ts';
import { isEntry, numberFrom, tellAndExit, UsageError } from './bench/command-line.ts';

const HELP = `npx tsx scripts/generate-catalog.ts DIR [--news N] [--prices N] [--text ascii|chinese] [--seed N]

  --news N       how many news items there are, of about 1 kB each (10,000)
  --prices N     how many prices there are, five for each configuration (10,000)
  --text TEXT    what the news are written in, ascii or chinese (ascii)
  --seed N       another number makes another catalog of the same size (1)
`;

/** How large a catalog is, and what is in it. */
export interface CatalogOptions {
  news: number;
  prices: number;
  text: Text;
  seed: number;
}

/** Writes a catalog to a directory, which is made where it is missing. `onProgress` hears from 0 to 1. */
export async function generateCatalog(
  dir: string,
  { news, prices, text, seed }: CatalogOptions,
  onProgress: (share: number) => void = () => {},
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
  let written = 0;
  for (const [name, rows] of files) {
    await writeCsv(join(dir, `${name}.csv`), rows, count => {
      written += count;
      onProgress(Math.min(1, written / (news + prices * 1.25)));
    });
  }
  onProgress(1);
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
  if (!dir || others.length > 0) throw new UsageError('one directory is to be named');
  if (text !== 'ascii' && text !== 'chinese') throw new UsageError('--text is ascii or chinese');
  const [news, prices] = [numberFrom('news', values.news), numberFrom('prices', values.prices)];
  await generateCatalog(dir, { news, prices, text, seed: numberFrom('seed', values.seed) }, bar);
  process.stderr.write(`${dir}: ${news} news and ${prices} prices\n`);
}

/** How far it is, where somebody looks on. */
function bar(share: number): void {
  if (!process.stderr.isTTY) return;
  const full = '#'.repeat(Math.round(share * 40)).padEnd(40, '.');
  process.stderr.write(`\r${full} ${String(Math.floor(share * 100)).padStart(3)} %${share < 1 ? '' : '\n'}`);
}

if (isEntry(import.meta.url)) main(process.argv.slice(2)).catch(tellAndExit);
