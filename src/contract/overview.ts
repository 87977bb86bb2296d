import type { Configuration, Duration } from './columns.ts';
import type { Page } from './envelope.ts';
import type { SourceLocation } from './health.ts';
import type { NewsTypeRecord, OwnFields, ProductRecord } from './records.ts';

// What the page asks for below /overview. It is no contract, and changes together with the page.

/** How many of the most read news items the overview has. */
export const MOST_READ = 10;
/** How many events of news items it has. */
export const NEXT_EVENTS = 8;

/** The `data` of `GET /overview`. */
export interface Overview {
  /** That of the program. */
  version: string;
  /** In the order of their file, like the categories. */
  products: ProductRecord[];
  news_types: NewsTypeRecord[];
  /** Of the published news items. */
  most_read: { id: number; title: string; read: number }[];
  /** What news items do after the instant of a preview, the soonest first. Visitors do not learn it. */
  next: NewsEvent[];
  /** The paths of the news feeds, relative to the mount point. */
  feeds: readonly string[];
}

export interface NewsEvent {
  id: number;
  title: string;
  /** In Unix seconds. */
  time: number;
  event: 'appears' | 'disappears';
}

/** Without a durations catalog, it has only `duration_id`. */
export type MatrixDuration = { duration_id: number } & Partial<Pick<Duration, 'name' | 'num' | 'unit'>>;

/** What the last change did to a price. */
export interface MatrixPrice {
  /** Null if the change removed it, or the first one is still to come. */
  price: number | null;
  /** In a preview, what it is next: the price, null for none, and from when on (Unix seconds). Visitors do not learn it. */
  next?: { price: number | null; time: number };
  /** The price before; null for a new one, absent for an unchanged one. */
  was?: number | null;
  /** Unless the price was 0. */
  percent?: number;
}

export interface MatrixRow extends Pick<Configuration, 'id' | 'name' | 'cpu' | 'memory'> {
  /** By `duration_id`. */
  prices: Record<number, MatrixPrice>;
  /** What the last change did to the configuration itself. */
  change?: 'added' | 'changed';
  extra?: OwnFields;
}

/** The `data` of `GET /overview/prices`. */
export interface PriceMatrix extends Page<MatrixRow> {
  /** Those of the prices on this page, by unit, num and id. */
  durations: MatrixDuration[];
}

/** Where a row is, as problems name it. A Markdown file is one row. */
export type RowPlace = Pick<SourceLocation, 'file' | 'sheet' | 'row' | 'line'>;

type JsonValue = string | number | boolean | null;

export interface CatalogRow {
  /** The values by column, without empty ones. Long texts are shortened. */
  row: Record<string, JsonValue>;
  /** The names that ids of the row stand for, by column. */
  names?: Record<string, string>;
  place?: RowPlace;
  /** What the last change did to the row. */
  change?: 'added' | 'changed';
  /** The changed values before, by column. */
  was?: Record<string, JsonValue>;
  /** How many it has, if any. */
  problems?: number;
}

/** The `data` of `GET /overview/rows`. */
export interface CatalogRowsPage extends Page<CatalogRow> {
  /** The columns that rows can have, and the own fields of those on the page. */
  columns: string[];
}
