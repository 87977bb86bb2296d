import type { Configuration, Duration } from './columns.ts';
import type { Page } from './envelope.ts';
import type { SourceLocation } from './health.ts';
import type { NewsTypeRecord, OwnFields, ProductRecord } from './records.ts';

// What the page queries below /overview. This is no public contract: it changes together with the page.

export const MOST_READ = 10;
export const NEXT_EVENTS = 8;

export interface Overview {
  /** The version of Vitrine. */
  version: string;
  /** In the order of the file, as are the categories. */
  products: ProductRecord[];
  news_types: NewsTypeRecord[];
  /** Of the published news items. */
  most_read: { id: number; title: string; read: number }[];
  /** The next events of news items after the instant of a preview. Visitors do not learn them. */
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

/** Without a durations catalog, only `duration_id`. */
export type MatrixDuration = { duration_id: number } & Partial<Pick<Duration, 'name' | 'num' | 'unit'>>;

export interface MatrixPrice {
  /** Null if the change removed it, or the first price is in the future. */
  price: number | null;
  /** In a preview, the next price (null for none) and when it comes, in Unix seconds. Visitors do not learn it. */
  next?: { price: number | null; time: number };
  /** The former price; null for a new one, absent for an unchanged one. */
  was?: number | null;
  /** Absent if the price was 0. */
  percent?: number;
}

export interface MatrixRow extends Pick<Configuration, 'id' | 'name' | 'cpu' | 'memory'> {
  /** By `duration_id`. */
  prices: Record<number, MatrixPrice>;
  change?: 'added' | 'changed';
  extra?: OwnFields;
}

export interface PriceMatrix extends Page<MatrixRow> {
  /** The durations of the prices on this page, by unit, num and id. */
  durations: MatrixDuration[];
}

/** Where a row is, as in problems. A Markdown file is one row. */
export type RowPlace = Pick<SourceLocation, 'file' | 'sheet' | 'row' | 'line'>;

type JsonValue = string | number | boolean | null;

export interface CatalogRow {
  /** The values by column, without empty ones. Long texts are shortened. */
  row: Record<string, JsonValue>;
  /** The names of the rows that it refers to, by column. */
  names?: Record<string, string>;
  place?: RowPlace;
  change?: 'added' | 'changed';
  /** The former values of changed columns. */
  was?: Record<string, JsonValue>;
  problems?: number;
}

export interface CatalogRowsPage extends Page<CatalogRow> {
  /** The columns of the catalog, and the own fields of the rows on this page. */
  columns: string[];
}
