import type { Place } from './problems.ts';
import type { CatalogName } from './schemas.ts';

/**
 * A catalog file taken apart into rows and cells, every cell still as it stands in the file: CSV cells without
 * their quotes, JSON values as their source text. Nothing is believed yet.
 */
export interface Table {
  file: string;
  notation: 'csv' | 'json';
  /** What the file is written in. */
  encoding: string;
  /** What divides the cells; undefined for JSON. */
  delimiter: string | undefined;
  /** The decimal sign. */
  decimal: '.' | ',';
  /** The columns that the header names; undefined for JSON, where each row names its own, and for an empty file. */
  header: ReadonlySet<string> | undefined;
  rows: RawRow[];
  /** The last row of a CSV file; undefined for JSON, and where there is none. */
  lastRow: RowText | undefined;
  /** False where reading broke off or a column is missing, so that absent rows and values prove nothing. */
  complete: boolean;
  /** Where a row begins, or the value of one of its columns where the row has it. */
  place(row: RawRow, column?: string): Place;
}

/** One row of a table: its extent in the text, and its cells. */
export interface RawRow {
  /** Offsets in the text (UTF-16 units). */
  start: number;
  end: number;
  /** False where its cells do not match the header: that is told, and of its values only the id is believed. */
  whole: boolean;
  /** By column name; a Map, since a file may well name a column `__proto__`. */
  cells: Map<string, string>;
}

/** A row as it stands in the file, without its line end. */
export interface RowText {
  text: string;
  /** Whether it has a line end. */
  ended: boolean;
}

/** What is known of a table once its set is loaded. */
export interface LoadedFile extends Pick<Table, 'file' | 'encoding' | 'delimiter' | 'lastRow'> {
  catalog: CatalogName;
  /** How many rows it has, valid or not. */
  rows: number;
}
