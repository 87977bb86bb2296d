import type { CatalogName } from '../../contract/columns.ts';
import { openTimeZone } from '../../time-zone.ts';
import { TooManyErrors } from '../problems/collector.ts';
import type { Reporter } from '../problems/problems.ts';
import { imageNames } from '../read/directory/images.ts';
import type { CatalogFile } from '../read/files.ts';
import { type CsvOptions, parseFile } from '../read/parse-file.ts';
import type { AmbiguousNumber } from './cells/decimal-style.ts';
import { crossCheck } from './cross-check.ts';
import { checkImages } from './missing-images.ts';
import { checkPublication } from './publication.ts';
import { type ValidatedTable, type ValidatedTables, validateTable } from './validate-table.ts';

/** How the cells of a set are interpreted. */
export interface CellOptions extends CsvOptions {
  imagesDir: string;
  /** IANA name of the zone in which local times are written. */
  timeZone: string;
}

/** The tables of a set. */
export interface ValidatedSet {
  tables: ValidatedTables;
  /** The images that are missing from their directory, at most 1,000. */
  awaitedImages: string[];
}

/**
 * Parses and validates the files of a set one after the other, then checks the tables against each other. Stops early
 * if there are too many errors. Calls `onRow` for each row, with the part of all bytes up to its end, from 0 to 1.
 * `accepts` decides whether an ambiguous number is read as a decimal; by default it is an error.
 */
export async function validateSet(
  files: readonly CatalogFile[],
  options: CellOptions,
  report: Reporter,
  onRow: (part: number) => void = () => {},
  accepts: (number: AmbiguousNumber) => boolean = () => false,
): Promise<ValidatedSet> {
  const zone = openTimeZone(options.timeZone);
  const validate = async <Name extends CatalogName>(
    name: Name,
  ): Promise<ValidatedTable<Name> | undefined> => {
    const file = files.find(({ catalog }) => catalog === name);
    if (!file) return undefined;
    const table = await parseFile(file, options, report, part =>
      onRow((readBytes + part * file.bytes) / allBytes),
    );
    readBytes += file.bytes;
    return table && validateTable(name, table, zone, report, accepts);
  };
  const allBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let readBytes = 0;
  const tables: ValidatedTables = {};
  let awaitedImages: string[] = [];
  const images = await imageNames(options.imagesDir);
  try {
    tables.products = await validate('products');
    tables.configurations = await validate('configurations');
    tables.durations = await validate('durations');
    tables.prices = await validate('prices');
    tables.news_types = await validate('news_types');
    tables.news = await validate('news');
    crossCheck(tables, report);
    if (tables.news) checkPublication(tables.news, zone, report);
    if (tables.news) awaitedImages = checkImages(tables.news, images, report);
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
  }
  return { tables, awaitedImages };
}
