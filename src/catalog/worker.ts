import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import type { CatalogRows } from './arrange.ts';
import { tabulateNews } from './news-table.ts';
import { tabulatePrices } from './price-table.ts';
import {
  type CatalogSource,
  type ChangedSet,
  type Expectation,
  type ReadSet,
  readChangedSet,
  readSet,
  type SetReport,
} from './set.ts';
import type { Slice } from './snapshot.ts';
import { openTimeZone, type TimeZone } from './time-zone.ts';

/** What the worker is asked to read, as often as one likes. */
export interface WorkerRequest {
  source: CatalogSource;
  /** Where the set is to take the place of another. */
  expected: Expectation | undefined;
}

/**
 * What the worker answers: how the reading came out. The set follows in slices, and null at the end, each on being
 * asked for by a message of any kind.
 */
export type WorkerResult = Exclude<ChangedSet, ReadSet> | { outcome: 'read'; report: SetReport };

/** About how many characters a slice has: few enough to be taken over in about a millisecond. */
const SLICE_LENGTH = 50_000;

if (!parentPort) throw new Error('this module is the entry of a worker thread');
const port = parentPort;
for (;;) {
  const [request] = await once(port, 'message');
  await answer(request);
}

async function answer({ source, expected }: WorkerRequest): Promise<void> {
  const result = expected
    ? await readChangedSet(source, expected)
    : { outcome: 'read' as const, ...(await readSet(source)) };
  if (result.outcome !== 'read') return port.postMessage(result satisfies WorkerResult);
  const { report, rows } = result;
  port.postMessage({ outcome: 'read', report } satisfies WorkerResult);
  for (const slice of rows ? [...slicesOf(rows, openTimeZone(source.timeZone)), null] : []) {
    await once(port, 'message');
    port.postMessage(slice, slice && 'table' in slice ? memoryOf(slice.table) : []);
  }
}

/** Every catalog that is there has at least one slice, be it an empty one. */
function* slicesOf(rows: CatalogRows, zone: TimeZone): Generator<Slice> {
  const { products = [], configurations = [], durations, prices = [], news_types = [], news = [] } = rows;
  for (const slice of divide(products, lengthOf)) yield { catalog: 'products', rows: slice };
  for (const slice of divide(configurations, lengthOf)) yield { catalog: 'configurations', rows: slice };
  if (durations) yield { catalog: 'durations', rows: durations };
  yield { catalog: 'prices', table: tabulatePrices(prices) };
  yield { catalog: 'news_types', rows: news_types };
  const { texts, ...table } = tabulateNews(news, zone);
  yield { catalog: 'news', table };
  for (const slice of divide(texts, text => text.length)) yield { catalog: 'texts', texts: slice };
}

/** Divides a list into slices of about {@link SLICE_LENGTH}. */
function* divide<Item>(items: readonly Item[], lengthOf: (item: Item) => number): Generator<Item[]> {
  let start = 0;
  let length = 0;
  for (const [index, item] of items.entries()) {
    length += lengthOf(item);
    if (length < SLICE_LENGTH && index < items.length - 1) continue;
    yield items.slice(start, index + 1);
    start = index + 1;
    length = 0;
  }
}

/** About how many characters a row has: those of its texts, and some for each of its numbers. */
function lengthOf(row: object): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 10),
    0,
  );
}

/** What comes over as it is, without being copied: the memory of the typed arrays in an object. */
function memoryOf(value: object): ArrayBuffer[] {
  return Object.values(value).flatMap(part => {
    if (ArrayBuffer.isView(part)) return part.buffer instanceof ArrayBuffer ? [part.buffer] : [];
    return Array.isArray(part) || typeof part !== 'object' ? [] : memoryOf(part);
  });
}
