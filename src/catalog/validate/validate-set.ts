import type { CatalogName } from '../../contract/columns.ts';
import { openTimeZone } from '../../time-zone.ts';
import { TooManyErrors } from '../problems/collector.ts';
import type { Reporter } from '../problems/problems.ts';
import { type CatalogFile, imageNames } from '../read/files.ts';
import { type CsvOptions, parseFile } from '../read/parse-file.ts';
import { crossCheck } from './cross-check.ts';
import type { AmbiguousNumber } from './decimal-style.ts';
import { type ValidatedTable, type ValidatedTables, validateTable } from './validate-table.ts';

/** How the cells of a set are interpreted. */
export interface CellOptions extends CsvOptions {
  imagesDir: string;
  /** IANA name of the zone in which local times are written. */
  timeZone: string;
}

/**
 * Parses and validates the files of a set one after the other, then checks the tables against each other. Stops early
 * if there are too many errors. Calls `onRow` for each row. `accepts` decides whether an ambiguous number is read as a
 * decimal; by default it is an error.
 */
export async function validateSet(
  files: readonly CatalogFile[],
  options: CellOptions,
  report: Reporter,
  onRow?: () => void,
  accepts: (number: AmbiguousNumber) => boolean = () => false,
): Promise<ValidatedTables> {
  const zone = openTimeZone(options.timeZone);
  const validate = <Name extends CatalogName>(name: Name): ValidatedTable<Name> | undefined => {
    const file = files.find(({ catalog }) => catalog === name);
    const table = file && parseFile(file, options, report, onRow);
    return table && validateTable(name, table, zone, report, accepts);
  };
  const tables: ValidatedTables = {};
  const images = await imageNames(options.imagesDir);
  try {
    tables.products = validate('products');
    tables.configurations = validate('configurations');
    tables.durations = validate('durations');
    tables.prices = validate('prices');
    tables.news_types = validate('news_types');
    tables.news = validate('news');
    crossCheck(tables, images, report);
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
  }
  return tables;
}
