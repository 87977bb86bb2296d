import {
  type CatalogName,
  type Configuration,
  catalogNames,
  type Duration,
  type NewsType,
  type Product,
} from '../contract/columns.ts';
import type { OwnFields } from '../contract/records.ts';
import { type ChangeTable, toLines } from '../set/compare/changes.ts';
import type { TimeZone } from '../time-zone.ts';
import { tabulateNews } from './news-table.ts';
import { tabulatePrices } from './price-table.ts';
import type { CatalogRows } from './sort.ts';
import type { RowSources } from './sources.ts';

/** The lists in a set that are sent in parts: rows and texts. */
interface Lists {
  products: Product;
  configurations: Configuration;
  durations: Duration;
  news_types: NewsType;
  img: string;
  texts: string;
  /** The lines of the report of changes: the head, then each change. */
  changes: string;
  markdown: string;
  extra: [row: string, fields: OwnFields];
}

type ListChunk<Name extends keyof Lists> = { [N in Name]: { catalog: N; items: Lists[N][] } }[Name];
/** The parts of lists that have arrived. */
export type ReceivedLists = { [Name in keyof Lists]?: Lists[Name][] };

/** A part of a set, received between two requests. `served` stands for a catalog that did not change. */
export type SnapshotChunk =
  | ListChunk<keyof Lists>
  | ColumnChunk<'prices' | 'news' | 'places' | 'order'>
  | { catalog: 'files'; files: RowSources['files'] }
  | { catalog: 'served'; name: CatalogName };

interface Extras {
  /** The report of changes; undefined if unknown. */
  changes: ChangeTable | undefined;
  sources: RowSources;
}

/** Divides a set into chunks. A durations catalog has a chunk even if it is empty, which differs from an absent one. */
export function* chunksOf(
  { products, configurations, durations, news_types, prices, news, extra }: SnapshotTables,
  extras: Extras | undefined,
): Generator<SnapshotChunk> {
  const { texts, img, ...columns } = news;
  yield* listChunks('products', products);
  yield* listChunks('configurations', configurations);
  if (durations) yield { catalog: 'durations', items: durations };
  yield* listChunks('news_types', news_types);
  yield* columnChunks('prices', prices);
  yield* listChunks('img', img);
  yield* columnChunks('news', columns);
  yield* listChunks('texts', texts);
  yield* listChunks('extra', extra);
  if (!extras) return;
  const { changes, sources } = extras;
  if (changes) yield* listChunks('changes', toLines(changes));
  yield { catalog: 'files', files: sources.files };
  yield* listChunks('markdown', sources.markdown);
  yield* columnChunks('places', sources.places);
  yield* columnChunks('order', sources.order);
}

/** The approximate size of a chunk in characters: receiving it takes about a millisecond. */
const CHUNK_LENGTH = 50_000;

function* listChunks<Name extends keyof Lists>(catalog: Name, items: readonly Lists[Name][]) {
  let start = 0;
  let length = 0;
  for (const [index, item] of items.entries()) {
    length += typeof item === 'string' ? 10 + item.length : JSON.stringify(item).length;
    if (length < CHUNK_LENGTH && index < items.length - 1) continue;
    yield { catalog, items: items.slice(start, index + 1) } as ListChunk<Name>;
    start = index + 1;
    length = 0;
  }
}

const arrayTypes = { Float64Array, Uint32Array, Uint8Array } as const;
type TypedColumn = Float64Array | Uint32Array | Uint8Array;

/** A part of a column from the value at `start`, of `total` values. */
interface ColumnChunk<Catalog> {
  catalog: Catalog;
  column: string;
  start: number;
  total: number;
  values: TypedColumn;
}

/** The maximum size of a chunk of a column in bytes: receiving it takes about a millisecond. */
const CHUNK_BYTES = 2 ** 20;

/** Divides the columns of a table into at least one chunk each. */
function* columnChunks<Catalog extends string>(catalog: Catalog, table: Record<string, TypedColumn>) {
  for (const [column, values] of Object.entries(table)) {
    const { length: total, BYTES_PER_ELEMENT } = values;
    let start = 0;
    do {
      const end = Math.min(total, start + CHUNK_BYTES / BYTES_PER_ELEMENT);
      yield { catalog, column, start, total, values: values.subarray(start, end) };
      start = end;
    } while (start < total);
  }
}

/** Adds a chunk to the columns that have arrived. Each byte is copied only once. */
export function addColumnChunk(
  table: Record<string, TypedColumn>,
  { column, start, total, values }: ColumnChunk<unknown>,
): void {
  const whole = table[column] ?? new arrayTypes[values[Symbol.toStringTag]](total);
  whole.set(values, start);
  table[column] = whole;
}

type SnapshotTables = ReturnType<typeof tabulate>;

/** The approximate size of the Map entries of a row, in bytes. */
const ROW_BYTES = 250;

/** `all` also has the rows of catalogs that the serving process has. Their own fields are sent again. */
export function tabulate(rows: CatalogRows, zone: TimeZone, all = rows) {
  const count = catalogNames.reduce((sum, name) => sum + (rows[name]?.length ?? 0), 0);
  const extra: Lists['extra'][] = [];
  for (const name of catalogNames)
    for (const { id, extra: own } of all[name] ?? [])
      if (own !== undefined) extra.push([`${name} ${id}`, JSON.parse(own)]);
  const apart = <Row extends object>(list: Row[] = []) => list.map(row => ({ ...row, extra: undefined }));
  const [products, configurations] = [apart(rows.products), apart(rows.configurations)];
  const [durations, news_types] = [rows.durations && apart(rows.durations), apart(rows.news_types)];
  const [prices, news] = [tabulatePrices(rows.prices ?? []), tabulateNews(rows.news ?? [], zone)];
  return { count, products, configurations, durations, news_types, prices, news, extra };
}

/** The approximate size of a set in the serving process, in bytes. */
export function sizeOf({ count, prices, news, extra }: SnapshotTables, extras?: Extras): number {
  const { changes, sources: { places, order } = {} } = extras ?? {};
  const columns = [prices, news, places, order]
    .flatMap(table => Object.values<unknown>({ ...table }))
    .filter(ArrayBuffer.isView);
  const bytes = columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const own = extra.map(([, fields]) => JSON.stringify(fields));
  const texts = [...news.texts, ...(changes?.changes ?? []), ...own];
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return count * ROW_BYTES + 2 * characters + bytes;
}
