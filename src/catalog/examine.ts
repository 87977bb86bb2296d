import { crossCheck, type Sheets } from './cross-check.ts';
import { parseCsv } from './csv.ts';
import { isForeign, isWorkbook } from './foreign.ts';
import { imageNames } from './images.ts';
import { parseJson } from './json.ts';
import type { Report } from './problems.ts';
import type { CatalogFile } from './read.ts';
import { type CatalogName, columnsOf } from './schemas.ts';
import type { Table } from './table.ts';
import { decode } from './text.ts';
import { openTimeZone } from './time-zone.ts';
import { type Sheet, validate } from './validate.ts';

/** How the files of a set are meant. */
export interface Conventions {
  imagesDir: string;
  /** IANA name of the zone in which times of day are written. */
  timeZone: string;
  /** What a CSV file is written in that is no UTF-8. */
  csvEncoding: string;
  /** The decimal sign of CSV files. */
  csvDecimal: '.' | ',';
}

/** Takes the files of a set apart, and checks each by its schema and all of them together. */
export async function examine(
  files: readonly CatalogFile[],
  { imagesDir, timeZone, csvEncoding, csvDecimal }: Conventions,
  report: Report,
): Promise<Sheets> {
  const zone = openTimeZone(timeZone);
  const sheet = <Name extends CatalogName>(name: Name): Sheet<Name> | undefined => {
    const file = files.find(({ catalog }) => catalog === name);
    const table = file && takeApart(file, csvEncoding, csvDecimal, report);
    return table && validate(name, table, zone, report);
  };
  const sheets: Sheets = {
    products: sheet('products'),
    configurations: sheet('configurations'),
    durations: sheet('durations'),
    prices: sheet('prices'),
    news_types: sheet('news_types'),
    news: sheet('news'),
  };
  crossCheck(sheets, await imageNames(imagesDir), report);
  return sheets;
}

/** Returns undefined where the file is no text that could be taken apart. */
function takeApart(
  { catalog, file, content }: CatalogFile,
  csvEncoding: string,
  csvDecimal: '.' | ',',
  report: Report,
): Table | undefined {
  const isCsv = file.endsWith('.csv');
  if (isWorkbook(file, content, report)) return undefined;
  const source = decode(file, content, isCsv ? csvEncoding : 'utf-8', report);
  if (!source || isForeign(source, report)) return undefined;
  const columns = columnsOf(catalog);
  return isCsv ? parseCsv(source, columns, csvDecimal, report) : parseJson(source, columns, report);
}
