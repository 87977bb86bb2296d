import { catalogNames, type ReferredCatalog } from '../contract/columns.ts';
import type { Reporter } from '../contract/problems.ts';
import type { AmbiguousNumber } from '../formats/decimals.ts';
import type { CatalogFile, CsvOptions } from '../formats/formats.ts';
import { openTimeZone } from '../time-zone.ts';
import { filesOf, isComplete, type Names, type NamesOf, namesOfRows } from './cells/references.ts';
import { TooManyErrors } from './collect-problems.ts';
import { checkImages, renderContents } from './contents.ts';
import { checkPublication, crossCheck } from './cross-check.ts';
import { type ValidatedCatalog, type ValidatedCatalogs, validateCatalog } from './validate-catalog.ts';

export interface CellOptions extends CsvOptions {
  /** IANA name of the zone in which local times are written. */
  timeZone: string;
  /** Whether HTML in Markdown is served. */
  markdownHtml: boolean;
}

export interface ValidatedSet {
  catalogs: ValidatedCatalogs;
  /** The images that are missing from their directory, at most 1,000. */
  awaitedImages: string[];
}

/**
 * Parses and validates the files of a set one after the other, then checks the catalogs against each other. Stops early
 * if there are too many errors. Calls `onRow` for each row, with the part of all bytes up to its end, from 0 to 1.
 * `accepts` decides whether an ambiguous number is read as a decimal; by default it is an error. `images` are the files of
 * the images directory; if they are not known, no image counts as missing.
 */
export async function validateSet(
  files: readonly CatalogFile[],
  options: CellOptions,
  images: ReadonlySet<string> | undefined,
  report: Reporter,
  onRow: (part: number) => void = () => {},
  accepts: (number: AmbiguousNumber) => boolean = () => false,
): Promise<ValidatedSet> {
  const zone = openTimeZone(options.timeZone);
  const catalogs: ValidatedCatalogs = {};
  const allBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let readBytes = 0;
  const onBytes = (bytes: number) => {
    readBytes += bytes;
    onRow(readBytes / allBytes);
  };
  const namesOf = openNames(catalogs, files);
  const validation = { options, zone, accepts, namesOf, report, onRow: onBytes };
  let awaitedImages: string[] = [];
  try {
    // Each catalog comes after those that it refers to.
    for (const name of catalogNames)
      Object.assign(catalogs, { [name]: await validateCatalog(name, files, validation) });
    crossCheck(catalogs, report);
    if (catalogs.news) {
      checkPublication(catalogs.news, zone, report);
      const inContents = await renderContents(catalogs.news, options.markdownHtml, report);
      awaitedImages = checkImages(catalogs.news, inContents, images, report);
    }
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
  }
  return { catalogs, awaitedImages };
}

/** The names of catalogs that are validated before those that refer to them. Each is indexed once, when it is asked for. */
function openNames(catalogs: ValidatedCatalogs, files: readonly CatalogFile[]): NamesOf {
  const indexes = new Map<ReferredCatalog, Names>();
  return catalog => {
    if (!files.some(file => file.catalog === catalog)) return undefined;
    const names = indexes.get(catalog) ?? namesIn(catalogs[catalog]);
    indexes.set(catalog, names);
    return names;
  };
}

/** No names are known of a catalog whose file cannot be parsed. */
function namesIn(validated: ValidatedCatalog<ReferredCatalog> | undefined): Names {
  if (!validated) return { ids: new Map(), rowIds: new Set(), isComplete: false, files: '' };
  const names = namesOfRows(
    validated.entries.map(({ row }) => row),
    filesOf(validated),
  );
  return { ...names, isComplete: names.isComplete && isComplete(validated) };
}
