import { type CatalogName, CONFIGURATION_PRICE, catalogNames } from '../contract/columns.ts';
import type { NewsTable } from '../snapshot/news-table.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { HiddenRows } from '../snapshot/sources.ts';

/** The values of a row by column. */
export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** The rows of a catalog by their numbers: those that are served, in the order of the snapshot, then the hidden ones. */
export interface RowTable {
  /** How many rows are served. */
  served: number;
  /** How many there are. */
  length: number;
  /** The values that cost little: all, except the long texts of news. */
  fields(row: number): Values;
  record(row: number): Values;
  /** The long texts of a row, folded, by column; undefined if `fields` has them. */
  texts(row: number): Readonly<Record<string, string>> | undefined;
}

const decoder = new TextDecoder();

export function rowTable(snapshot: Snapshot, catalog: CatalogName): RowTable {
  const table = servedTable(snapshot, catalog);
  const { hidden } = snapshot.sources ?? {};
  if (!hidden) return table;
  const [first, end] = hiddenRange(hidden, catalog);
  const { served } = table;
  const hiddenAt = (row: number) => hiddenRow(hidden, first + row - served);
  return {
    served,
    length: served + end - first,
    fields: row => (row < served ? table.fields(row) : hiddenAt(row)),
    record: row => (row < served ? table.record(row) : hiddenAt(row)),
    texts: row => (row < served ? table.texts(row) : undefined),
  };
}

/** How many rows are looked at between two yields: about a millisecond's work. */
const ROWS_PER_STEP = 2 ** 16;
/** A place has two digits of this base. */
const BASE = 2 ** 16;

/** The numbers of all rows in the order of their file, by a radix sort. Yields while it works. */
export function* fileOrder(places: Uint32Array): Generator<undefined, Uint32Array> {
  let rows = Uint32Array.from(places, (_, row) => row);
  for (const shift of [0, 16]) {
    const digitOf = (row: number) => ((places[row] ?? 0) >>> shift) % BASE;
    const starts = new Uint32Array(BASE);
    const add = (digit: number, number: number) => (starts[digit] = (starts[digit] ?? 0) + number);
    for (let row = 0; row < places.length; row += 1) if (digitOf(row) + 1 < BASE) add(digitOf(row) + 1, 1);
    for (let digit = 1; digit < BASE; digit += 1) add(digit, starts[digit - 1] ?? 0);
    const sorted = new Uint32Array(places.length);
    for (const [index, row] of rows.entries()) {
      sorted[add(digitOf(row), 1) - 1] = row;
      if (index % ROWS_PER_STEP === 0) yield;
    }
    rows = sorted;
  }
  return rows;
}

/** The places of all rows; 0 if they are not known. */
export function placesOf({ sources }: Snapshot, catalog: CatalogName, { length }: RowTable): Uint32Array {
  const places = new Uint32Array(length);
  if (!sources) return places;
  const served = sources.places[catalog];
  places.set(served);
  places.set(sources.hidden.places.subarray(...hiddenRange(sources.hidden, catalog)), served.length);
  return places;
}

/** The numbers of the hidden rows of a catalog. */
function hiddenRange({ starts }: HiddenRows, catalog: CatalogName): [first: number, end: number] {
  const index = catalogNames.indexOf(catalog);
  return [starts[index] ?? 0, starts[index + 1] ?? 0];
}

function hiddenRow({ json, itemOffsets }: HiddenRows, index: number): Values {
  return JSON.parse(decoder.decode(json.subarray(itemOffsets[index], itemOffsets[index + 1])));
}

function servedTable(snapshot: Snapshot, catalog: CatalogName): RowTable {
  const { products, configurations, durations, newsTypes, prices, news } = snapshot;
  switch (catalog) {
    case 'products':
      return tableOf(products);
    case 'configurations':
      return tableOf(configurations);
    case 'durations':
      return tableOf(durations ?? new Map());
    case 'news_types':
      return tableOf(newsTypes);
    case 'prices': {
      const { id, product_id, rel_id, duration_id, price } = prices;
      const fields = (row: number) => ({
        ...{ id: id[row], product_id: product_id[row], rel_id: rel_id[row], duration_id: duration_id[row] },
        ...{ price: price[row], rel_type: CONFIGURATION_PRICE },
      });
      return { served: id.length, length: id.length, fields, record: fields, texts: () => undefined };
    }
    case 'news':
      return {
        ...{ served: news.id.length, length: news.id.length },
        fields: row => newsFields(news, row),
        record: row => newsRecord(news, row),
        texts: row => newsTexts(news, row),
      };
  }
}

function tableOf(rows: ReadonlyMap<number, Values>): RowTable {
  const list = [...rows.values()];
  const fields = (row: number) => list[row] ?? {};
  return { served: list.length, length: list.length, fields, record: fields, texts: () => undefined };
}

/** The values of a news item, except its texts. */
function newsFields(news: NewsTable, row: number): Values {
  const unpublish_time = news.unpublish_time[row];
  return {
    id: news.id[row],
    type_id: news.type_id[row] || undefined,
    img: news.img[row],
    read: news.read[row],
    create_time: news.create_time[row],
    update_time: news.update_time[row],
    publish_time: news.publish_time[row],
    unpublish_time: unpublish_time === Number.POSITIVE_INFINITY ? undefined : unpublish_time,
    hidden: false,
  };
}

/** All values of a news item. */
export function newsRecord(news: NewsTable, row: number): Values {
  const { json, itemOffsets, readOffsets } = news;
  // Up to the read count, which is not in the JSON; the texts are all before it.
  const texts = JSON.parse(`${decoder.decode(json.subarray(itemOffsets[row], readOffsets[row]))}0}`);
  const { title, content, keywords } = texts;
  return { ...newsFields(news, row), title, content, keywords };
}

/** The folded texts of a news item, as searches have them. */
function newsTexts({ texts }: NewsTable, row: number): Record<string, string> {
  const text = texts[row] ?? '';
  const titleEnd = text.indexOf('\n');
  const keywordsEnd = text.indexOf('\n', titleEnd + 1);
  return {
    title: text.slice(0, titleEnd),
    keywords: text.slice(titleEnd + 1, keywordsEnd),
    content: text.slice(keywordsEnd + 1),
  };
}

/** A column of ids, and the rows that they refer to. */
type Reference = readonly [column: string, rows: ReadonlyMap<number, { name: string }> | undefined];

/** Finds the names that the ids of rows of a catalog stand for. */
export function rowNames(
  { products, configurations, durations, newsTypes }: Snapshot,
  catalog: CatalogName,
): (row: Values) => [column: string, name: string][] {
  const product: Reference = ['product_id', products];
  const references: Partial<Record<CatalogName, readonly Reference[]>> = {
    configurations: [product],
    prices: [product, ['rel_id', configurations], ['duration_id', durations]],
    news: [['type_id', newsTypes]],
  };
  const ofCatalog = references[catalog] ?? [];
  return row => {
    const names: [string, string][] = [];
    for (const [column, rows] of ofCatalog) {
      const name = rows?.get(Number(row[column]))?.name;
      if (name !== undefined) names.push([column, name]);
    }
    return names;
  };
}
