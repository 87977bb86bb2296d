// From the bytes of a file to a `Table`: rows of raw cells, and the places to report problems at. Nothing is validated here.
//
// `parseFile` decides by the name of the file. CSV, JSON and Markdown are text, which `decode.ts` decodes strictly; a
// workbook has a room of its own. `header.ts` reads the headings of CSV files and sheets. A file that cannot be read is
// reported, and has no table. `write/` goes the other way.
import { isWorkbook, MARKDOWN_FILES } from '../contract/catalog-files.ts';
import { type CatalogName, columnsOf } from '../contract/columns.ts';
import type { Reporter } from '../contract/problems.ts';
import type { Settings } from '../settings/settings.ts';
import { cellAt, parseCsv } from './csv.ts';
import { decode, isPlainText, isSpreadsheet, type SourceText } from './decode.ts';
import { parseJson } from './json.ts';
import type { Table } from './table.ts';
import { parseWorkbook } from './workbook/workbook.ts';

/** How CSV files are written; JSON is always Unicode with decimal points (RFC 8259). */
export type CsvOptions = Pick<Settings, 'csvEncoding' | 'csvDecimal'>;

/** Parses a file. Undefined, and reported, if it cannot be read or is obviously something else. */
export async function parseFile(
  { catalog, file, content }: CatalogFile,
  { csvEncoding, csvDecimal }: CsvOptions,
  report: Reporter,
): Promise<Table | undefined> {
  const columns = columnsOf(catalog);
  if (isWorkbook(file)) return parseWorkbook(catalog, file, content, report);
  if (file === MARKDOWN_FILES) {
    // Many sites have no Markdown, and its parser takes a while to load.
    const { parseMarkdown } = await import('./markdown/markdown.ts');
    return parseMarkdown(content, columns, report);
  }
  if (isSpreadsheet(file, content, report)) return undefined;
  const known = columns.map(({ name }) => name);
  const isCsv = file.endsWith('.csv');
  const place = isCsv ? (text: SourceText, at: number) => cellAt(text, known, at) : undefined;
  const source = decode(file, content, isCsv ? csvEncoding : 'utf-8', report, place);
  if (!source || !isPlainText(source, report)) return undefined;
  return isCsv ? parseCsv(source, columns, csvDecimal, report) : parseJson(source, columns, report);
}

/** Identifies the content of a file. */
export interface FileDigest {
  file: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** A file with its bytes. */
export interface FileContent extends FileDigest {
  content: Buffer;
}

/** A file with a catalog; a workbook is one for each of its catalogs, and all Markdown files are one together. */
export interface CatalogFile extends FileContent {
  catalog: CatalogName;
  /** Whether the catalog has another file, so that nothing is known of its rows. */
  isTwice?: boolean;
}
