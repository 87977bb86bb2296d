import { type CatalogName, catalogNames, columnsOf } from '../../contract/columns.ts';
import type { Health } from '../../contract/health.ts';
import { formatFile } from '../../contract/problems.ts';
import type { RawRow, Table } from '../../formats/table.ts';
import type { Reading } from '../../history/entry.ts';
import { printable, reasonOf } from '../../messages.ts';
import { fetchServedRows } from '../../served-rows.ts';
import type { ListedRow, ServedRows } from '../../set/compare/listed.ts';
import type { ValidatedCatalog, ValidatedCatalogs } from '../../set/validate-catalog.ts';

/** What a service serves, and how it reads its files. */
export interface Service extends ServedRows {
  catalogs: ValidatedCatalogs;
  reading: Reading;
}

type ServedFile = NonNullable<Health['catalogs']>['files'][number];

/**
 * Asks a service for what it serves; undefined if that is nothing yet. `url` is where it is mounted.
 * @throws Error with one sentence.
 */
export async function askService(url: string): Promise<Service | undefined> {
  const catalogs = await catalogsServed(url);
  if (!catalogs) return undefined;
  const { version, files, reading } = catalogs;
  const served = await fetchServedRows(url.replace(/\/$/, ''));
  if (served.version !== version) throw unasked(url, 'it loaded other catalogs meanwhile; try again');
  return {
    ...served,
    catalogs: catalogsOf(served, files),
    reading: {
      csvEncoding: reading.csv_encoding,
      csvDecimal: reading.csv_decimal,
      timeZone: reading.time_zone,
      markdownHtml: reading.markdown_html,
    },
  };
}

async function catalogsServed(url: string): Promise<Health['catalogs']> {
  try {
    const response = await fetch(new URL('health', url));
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const { data }: { data: Health } = await response.json();
    return data.catalogs;
  } catch (error) {
    throw unasked(url, reasonOf(error));
  }
}

function unasked(url: string, reason: string): Error {
  return new Error(`cannot compare with ${url}: ${printable(reason)}`);
}

function catalogsOf({ rows }: ServedRows, files: readonly ServedFile[]): ValidatedCatalogs {
  const present = catalogNames.filter(name => files.some(({ catalog }) => catalog === name));
  const entries = present.map(name => [name, catalogOf(name, rows[name], files)] as const);
  return Object.fromEntries(entries);
}

/**
 * The rows that a service lists, as if they had been read from its files. They are all rows of the catalog unless its files
 * have more: then a reference may be to one that visitors do not see.
 */
function catalogOf(
  name: CatalogName,
  listed: readonly ListedRow[],
  files: readonly ServedFile[],
): ValidatedCatalog<CatalogName> {
  const own = files.filter(({ catalog }) => catalog === name);
  const rows = listed.map((row, index) => wholeRow(name, row, index));
  const file = `${own.map(formatFile).join(' or ')} (served)`;
  const table = tableOf(file, own.reduce((sum, file) => sum + file.rows, 0) === rows.length);
  const entries = rows.map(row => ({ table, raw: rawRow(), row }));
  return {
    tables: [{ table, entries, rows, hasDecimalComma: false, columns: [], empty: [] }],
    entries,
    rows,
  };
}

/** Columns that are not listed have their defaults; prices have numbers as ids, and configurations their order. */
function wholeRow(name: CatalogName, row: ListedRow, index: number) {
  const defaults = columnsOf(name).map(({ name, schema }) => [name, schema.default]);
  const own = {
    ...(name === 'prices' && { id: index + 1 }),
    ...(name === 'configurations' && { order: index }),
  };
  // Its listed columns were checked.
  return { ...Object.fromEntries(defaults), ...row, ...own } as ValidatedCatalog<CatalogName>['rows'][number];
}

function tableOf(file: string, complete: boolean): Table {
  return {
    ...{ file, sheet: undefined, format: 'json', encoding: 'utf-8', delimiter: undefined, decimal: '.' },
    ...{ header: undefined, rows: [], lastRow: undefined, complete },
    locate: (_row, heading) => ({ file, ...(heading !== undefined && { heading }) }),
  };
}

function rawRow(): RawRow {
  return { start: 0, end: 0, matchesHeader: true, names: [], cells: [] };
}
