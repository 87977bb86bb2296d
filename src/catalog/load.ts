import { readdir } from 'node:fs/promises';
import { crossCheck, type Sheets } from './cross-check.ts';
import { parseCsv } from './csv.ts';
import { parseJson } from './json.ts';
import { isError, type Problem, type Report } from './problems.ts';
import { readSources } from './read.ts';
import { type CatalogName, catalogNames, columnsOf } from './schemas.ts';
import { buildSnapshot, type CatalogRows, type Snapshot } from './snapshot.ts';
import type { Table } from './table.ts';
import type { SourceText } from './text.ts';
import { openTimeZone } from './time-zone.ts';
import { type Sheet, validate } from './validate.ts';

/** Where a set is, and how its times are meant. */
export interface CatalogSource {
  catalogDir: string;
  imagesDir: string;
  /** IANA name of the zone in which times of day are written. */
  timeZone: string;
}

/** What became of reading a set. */
export interface LoadResult {
  /** Undefined where the set has an error: it is taken up as a whole or not at all. */
  snapshot: Snapshot | undefined;
  /** All that is wrong with the set, errors and warnings, in the order of files, lines and columns. */
  problems: Problem[];
  files: LoadedFile[];
}

/** A catalog file that was taken apart, and how many rows it has, valid or not. */
export interface LoadedFile {
  catalog: CatalogName;
  file: string;
  rows: number;
}

/** Reads, validates and cross-checks a whole set. Never throws over what the files hold. */
export async function loadCatalog({ catalogDir, imagesDir, timeZone }: CatalogSource): Promise<LoadResult> {
  const zone = openTimeZone(timeZone);
  const problems: Problem[] = [];
  const report: Report = (place, code, message, also) =>
    problems.push({ ...place, code, message, ...(also && { also }) });

  const sources = await readSources(catalogDir, report);
  const read = <Name extends CatalogName>(name: Name): Sheet<Name> | undefined => {
    const source = sources.get(name);
    return source && validate(name, parse(name, source, report), zone, report);
  };
  const sheets: Sheets = {
    products: read('products'),
    configurations: read('configurations'),
    durations: read('durations'),
    prices: read('prices'),
    news_types: read('news_types'),
    news: read('news'),
  };
  crossCheck(sheets, await imageNames(imagesDir), report);

  const files = catalogNames.flatMap(catalog => {
    const table = sheets[catalog]?.table;
    return table ? [{ catalog, file: table.file, rows: table.rows.length }] : [];
  });
  sortByPlace(problems, files);
  const rows = problems.some(isError) ? undefined : rowsOf(sheets);
  return { snapshot: rows && buildSnapshot(rows, zone), problems, files };
}

function rowsOf({
  products,
  configurations,
  durations,
  prices,
  news_types,
  news,
}: Sheets): CatalogRows | undefined {
  if (!products || !configurations || !prices || !news) return undefined;
  return {
    products: products.rows,
    configurations: configurations.rows,
    durations: durations?.rows,
    prices: prices.rows,
    news_types: news_types?.rows,
    news: news.rows,
  };
}

function parse(name: CatalogName, source: SourceText, report: Report): Table {
  const columns = columnsOf(name);
  return source.file.endsWith('.csv')
    ? parseCsv(source, columns, report)
    : parseJson(source, columns, report);
}

/** The files in the images directory; none where there is no such directory, as on a site without images. */
async function imageNames(dir: string): Promise<Set<string>> {
  return new Set(await readdir(dir).catch(() => []));
}

/** Files that could not be taken apart come first, the others in the order of the catalogs. */
function sortByPlace(problems: Problem[], files: LoadedFile[]): void {
  const rank = ({ file }: Problem) => files.findIndex(loaded => loaded.file === file);
  problems.sort(
    (a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}
