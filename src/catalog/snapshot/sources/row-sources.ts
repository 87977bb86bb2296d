import type { CatalogName } from '../../../contract/columns.ts';

/** The file of a catalog that is not a folder of Markdown files. */
export interface SourceFile {
  file: string;
  /** The sheet of a workbook; undefined for other files. */
  sheet: string | undefined;
  /** What its places count: the rows of a spreadsheet, or lines. Both count from 1. */
  unit: 'row' | 'line';
}

/**
 * Where the rows of a set are, for people who edit them. A place is the number of a row or a line in the file of the
 * catalog; or, from {@link MARKDOWN} on, that of a Markdown file. Four bytes a row.
 */
export interface RowSources {
  files: Partial<Record<CatalogName, SourceFile>>;
  /** The paths of the Markdown files, in the order of their rows. */
  markdown: string[];
  /** The place of each row that is served, in the order of the snapshot. */
  places: Record<CatalogName, Uint32Array>;
  hidden: HiddenRows;
}

/** Places from this number on are Markdown files. No file has as many lines. */
export const MARKDOWN = 2 ** 31;

/**
 * The rows that no visitor sees: hidden ones, the prices of hidden configurations, and prices of anything else. Only
 * previews show them, which need a token. As bytes they cost the garbage collector nothing.
 */
export interface HiddenRows {
  /** Each row as JSON, one catalog after the other. */
  json: Uint8Array;
  /** Byte offset in `json` where each row begins; and, as one more, where the last one ends. */
  itemOffsets: Uint32Array;
  /** The number of the first row of each catalog, in the order of their names; and, as one more, that of all rows. */
  starts: Uint32Array;
  /** The place of each row. */
  places: Uint32Array;
}
