// A set: the catalog files of a directory, read and validated as a whole.
//
// `files.ts` reads the files of a `Directory` (`directory.ts`), and `look-alikes.ts` warns of others that look like them. This
// file validates them: `validate-catalog.ts` the rows of each catalog, `cells` their cells, then the references between them.
// `collect-problems.ts` collects what is wrong. `compare-sets.ts` compares two sets: `compare` finds the differences,
// `hold-back` those that are so drastic that somebody must confirm them. `stability.ts` decides whether a set is complete.
//
import { dateIn, markdownName } from '../contract/catalog-files.ts';
import {
  type CatalogName,
  CONFIGURATION_PRICE,
  catalogNames,
  type ReferredCatalog,
} from '../contract/columns.ts';
import { formatPlace, type Reporter } from '../contract/problems.ts';
import type { CatalogFile, CsvOptions } from '../formats/formats.ts';
import { type AmbiguousNumber, omissions, placeIn, type RawRow, type Table } from '../formats/table.ts';
import { excerpt } from '../messages.ts';
import type { Settings } from '../settings/settings.ts';
import { DAY, openTimeZone, type TimeZone } from '../time-zone.ts';
import { fileNames, isComplete, type Names, type NamesOf, namesIn } from './cells/references.ts';
import { TooManyErrors } from './collect-problems.ts';
import { type AnyRow, dateOf, inForce, servedRows } from './compare/differences.ts';
import { checkImages, type NamedImages, renderContents } from './contents.ts';
import type { ImageFiles } from './directory.ts';
import { type ValidatedCatalog, type ValidatedCatalogs, validateCatalog } from './validate-catalog.ts';

export interface Follower {
  /** Called for each row, with the part of all bytes read, from 0 to 1. */
  onRow?: ((part: number) => void) | undefined;
  /** Called before work on a file, with its length; without a name at the end. */
  onFile?: ((file: string, length: number) => void) | undefined;
}

/** What the meaning of the files depends on: settings, and what earlier releases did not read. */
export interface Reading extends CsvOptions, Pick<Settings, 'timeZone' | 'markdownHtml'> {
  /** 1 for a set of a release that ignored own fields, `valid_from`, dates in file names and `.markdown` files. */
  rules?: 1 | 2 | undefined;
}

export type ValidatedSet = Awaited<ReturnType<typeof validateSet>>;

/**
 * Parses and validates the files of a set, then checks the catalogs against each other. Stops early after too many errors.
 * `accepts` decides whether an ambiguous number is a decimal; by default it is an error. Without `images`, none is missing.
 */
export async function validateSet(
  files: readonly CatalogFile[],
  options: Reading,
  images: ImageFiles | undefined,
  report: Reporter,
  { onRow, onFile = () => {} }: Follower = {},
  accepts: (number: AmbiguousNumber) => boolean = () => false,
) {
  const zone = openTimeZone(options.timeZone);
  const catalogs: ValidatedCatalogs = {};
  const allBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let readBytes = 0;
  const onBytes = (bytes: number) => {
    readBytes += bytes;
    onRow?.(readBytes / allBytes);
  };
  const namesOf = openNames(catalogs, files);
  const validation = { options, zone, accepts, namesOf, report, onRow: onBytes, onFile };
  let named: NamedImages = { missing: [], found: [] };
  try {
    // Catalogs come after those that they refer to.
    for (const name of catalogNames)
      Object.assign(catalogs, { [name]: await validateCatalog(name, files, validation) });
    crossCheck(catalogs, zone, report);
    if (catalogs.news) {
      checkPublication(catalogs.news, zone, report);
      const inContents = await renderContents(catalogs.news, options.markdownHtml, report, onFile);
      onFile('', 0);
      named = await checkImages(catalogs.news, inContents, images, report);
    }
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
  }
  return { catalogs, images: named };
}

/** Returns the names of validated catalogs. Each is indexed on first use. */
function openNames(catalogs: ValidatedCatalogs, files: readonly CatalogFile[]): NamesOf {
  const indexes = new Map<ReferredCatalog, Names>();
  return catalog => {
    if (!files.some(file => file.catalog === catalog)) return undefined;
    const names = indexes.get(catalog) ?? namesIn(catalogs[catalog]);
    indexes.set(catalog, names);
    return names;
  };
}

type Entries<Name extends CatalogName> = Pick<ValidatedCatalog<Name>, 'tables' | 'entries'>;

interface ColumnEntries<Column extends string> {
  tables: { table: Table }[];
  entries: { table: Table; raw: RawRow; row: { [C in Column]?: number | undefined } }[];
}

/** Checks what concerns several rows: unique ids and prices, references, and the products of prices. */
function crossCheck(catalogs: ValidatedCatalogs, zone: TimeZone, report: Reporter): void {
  const { products, configurations, durations, news_types, news } = catalogs;
  for (const catalog of Object.values(catalogs)) if (catalog) checkUniqueIds(catalog, report);
  const prices = catalogs.prices && configurationPrices(catalogs.prices, report);
  checkReferences(configurations, 'product_id', products, report);
  const dangling = checkReferences(prices, 'product_id', products, report);
  checkReferences(prices, 'rel_id', configurations, report);
  checkReferences(prices, 'duration_id', durations, report);
  checkReferences(news, 'type_id', news_types, report);
  if (prices) checkCombinations(prices, zone, report);
  if (prices && configurations) {
    checkProductsOfPrices(prices, configurations, products, dangling, report);
    warnOfMissingPrices(catalogs, configurations, prices, zone, report);
  }
}

function checkUniqueIds({ entries }: ColumnEntries<'id'>, report: Reporter): void {
  const firsts = new Map<number, (typeof entries)[number]>();
  const twice: [entry: (typeof entries)[number], first: (typeof entries)[number]][] = [];
  for (const entry of entries) {
    if (entry.row.id === undefined) continue;
    const first = firsts.get(entry.row.id);
    if (first) twice.push([entry, first]);
    else firsts.set(entry.row.id, entry);
  }
  for (const [{ table, raw, row }, first] of twice) {
    const also = first.table.locate(first.raw, 'id');
    const day = dateIn(markdownName(table.locate(raw).file) ?? '')?.replaceAll('-', '');
    const isOfDay = day === String(row.id);
    let free = Number(day) * 100 + 1;
    while (firsts.has(free)) free += 1;
    if (isOfDay) firsts.set(free, first);
    const remedy = isOfDay ? `write id: ${free} into the newer one` : 'give each row its own id';
    const message = `id ${row.id} is already used at ${formatPlace(also)}: ${remedy}`;
    report(placeIn(table, raw, 'id'), 'DUPLICATE_ID', message, also);
  }
}

/** Each combination has one price per date, which differs from the price before. */
function checkCombinations({ entries }: Entries<'prices'>, zone: TimeZone, report: Reporter): void {
  // Later dates, such as one in 2206, are probably typing errors.
  const latest = Date.now() / 1000 + 2 * 366 * DAY;
  const last = new Map<string, (typeof entries)[number]>();
  for (const entry of entries.toSorted((one, other) => dateOf(one.row) - dateOf(other.row))) {
    const { table, raw, row } = entry;
    const date = () => `valid_from ${zone.format(dateOf(row))}`;
    if (dateOf(row) > latest)
      report(placeIn(table, raw, 'valid_from'), 'FAR_DATE', `${date()} is years away: correct the year`);
    const ids = [row.product_id, row.rel_id, row.duration_id];
    const key = ids.join('/');
    // An invalid date was reported already.
    if (ids.includes(undefined) || !('valid_from' in row)) continue;
    const before = last.get(key);
    if (!before || dateOf(before.row) < dateOf(row)) last.set(key, entry);
    if (!before) continue;
    const also = () => before.table.locate(before.raw);
    if (dateOf(before.row) === dateOf(row)) {
      const price = dateOf(row) > 0 ? `a price with ${date()}` : 'a price';
      const message = `product ${row.product_id}, configuration ${row.rel_id} and duration ${row.duration_id} already have ${price} at ${formatPlace(also())}: delete one of the two`;
      report(placeIn(table, raw), 'DUPLICATE_PRICE', message, also());
    } else if (before.row.price === row.price && before.row.hidden === row.hidden) {
      const message = `price ${row.price} is also that of the date before, at ${formatPlace(also())}: correct it, or delete the row`;
      report(placeIn(table, raw, 'price'), 'SAME_PRICE', message, also());
    }
  }
}

function configurationPrices({ tables, entries }: Entries<'prices'>, report: Reporter): Entries<'prices'> {
  const kept = entries.filter(({ table, raw, row: { rel_type = CONFIGURATION_PRICE } }) => {
    if (rel_type === CONFIGURATION_PRICE) return true;
    const message = `rel_type ${rel_type} is not served, so this row is ignored: write ${CONFIGURATION_PRICE} for the price of a configuration`;
    report(placeIn(table, raw, 'rel_type'), 'OTHER_RELATION', message);
    return false;
  });
  return { tables, entries: kept };
}

/**
 * Reports and returns the rows with a reference to a missing row, unless the other table is missing, incomplete, or has a row
 * without a valid id, which may be the one.
 */
function checkReferences<Column extends string>(
  from: ColumnEntries<Column> | undefined,
  column: Column,
  to: ColumnEntries<'id'> | undefined,
  report: Reporter,
): Set<RawRow> {
  const dangling = new Set<RawRow>();
  if (!from || !to || !isComplete(to)) return dangling;
  const ids = new Set(to.entries.map(({ row }) => row.id));
  if (ids.has(undefined)) return dangling;
  for (const { table, raw, row } of from.entries) {
    const id = row[column];
    if (id === undefined || ids.has(id)) continue;
    dangling.add(raw);
    const message = `${column} ${id} is not in ${fileNames(to)}: write an id from there, or add a row with this id`;
    report(placeIn(table, raw, column), 'UNKNOWN_REFERENCE', message);
  }
  return dangling;
}

/** A price has the product of its configuration. Ignores prices of missing products, which are reported. */
function checkProductsOfPrices(
  prices: Entries<'prices'>,
  configurations: Entries<'configurations'>,
  products: Entries<'products'> | undefined,
  dangling: ReadonlySet<RawRow>,
  report: Reporter,
): void {
  const owners = new Map(configurations.entries.map(entry => [entry.row.id, entry]));
  const names = new Map(products?.entries.map(({ row }) => [row.id, row.name]));
  const named = (id: number | undefined, name = '') => `${id}${name && ` "${excerpt(name)}"`}`;
  for (const { table, raw, row } of prices.entries) {
    const owner = row.rel_id === undefined ? undefined : owners.get(row.rel_id);
    if (owner?.row.product_id === undefined || row.product_id === undefined) continue;
    if (owner.row.product_id === row.product_id || dangling.has(raw)) continue;
    const also = owner.table.locate(owner.raw, 'product_id');
    const configuration = named(owner.row.id, owner.row.name);
    const [itsProduct, other] = [owner.row.product_id, row.product_id].map(id => named(id, names.get(id)));
    const message = `configuration ${configuration} belongs to product ${itsProduct} at ${formatPlace(also)}, not to product ${other}: correct product_id or rel_id`;
    report(placeIn(table, raw, 'product_id'), 'WRONG_PRODUCT', message, also);
  }
}

function warnOfMissingPrices(
  catalogs: ValidatedCatalogs,
  configurations: Entries<'configurations'>,
  prices: Entries<'prices'>,
  zone: TimeZone,
  report: Reporter,
): void {
  if (!isComplete(prices) || prices.entries.some(({ row }) => row.rel_id === undefined)) return;
  const isServed = servedRows(name => catalogs[name]?.entries.map(({ row }) => row as AnyRow));
  const now = Date.now() / 1000;
  const rows = prices.entries.map(({ row }) => row as AnyRow).filter(row => isServed('prices', row));
  const isSeen = ({ hidden }: AnyRow) => !hidden;
  const priced = new Set(
    inForce({ rows, columns: [] }, now)
      ?.rows.filter(isSeen)
      .map(row => row.rel_id),
  );
  const first = new Map<unknown, number>();
  for (const row of rows.filter(row => isSeen(row) && dateOf(row) > now))
    first.set(row.rel_id, Math.min(dateOf(row), first.get(row.rel_id) ?? Infinity));
  for (const { table, raw, row } of configurations.entries) {
    const date = first.get(row.id);
    if (row.id === undefined || priced.has(row.id) || !isServed('configurations', row as AnyRow)) continue;
    const until = date === undefined ? '' : ` until ${zone.format(date)}`;
    const message = `configuration ${row.id} has no price${until}: add one, or hide the configuration`;
    report(placeIn(table, raw), date === undefined ? 'NO_PRICE' : 'NO_PRICE_YET', message);
  }
}

/** Reports news items that are never published. Warns of those that show before their `create_time`. */
function checkPublication({ entries }: ValidatedCatalog<'news'>, zone: TimeZone, report: Reporter): void {
  const now = Date.now() / 1000;
  for (const { table, raw, row } of entries) {
    const { create_time = 0, publish_time, unpublish_time, hidden } = row;
    if (create_time > now && !publish_time && !hidden) {
      const message = `create_time ${zone.format(create_time)} is in the future, but the item shows at once: write the time into publish_time, too, to show it then`;
      report(placeIn(table, raw, 'create_time'), 'FUTURE_TIME', message);
    }
    if (!publish_time || unpublish_time === undefined || unpublish_time > publish_time) continue;
    const message = `unpublish_time ${zone.format(unpublish_time)} is not after publish_time ${zone.format(publish_time)}: write a later time, or ${omissions[table.format]}`;
    report(placeIn(table, raw, 'unpublish_time'), 'NEVER_SHOWN', message);
  }
}
