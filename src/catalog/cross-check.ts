import { imageKinds, isImageName } from './images.ts';
import { formatPlace, type Report } from './problems.ts';
import { CONFIGURATION_PRICE } from './relation.ts';
import type { CatalogName } from './schemas.ts';
import type { RawRow, Table } from './table.ts';
import type { Sheet } from './validate.ts';

/** The catalogs of a set; those without a readable file are undefined. */
export type Sheets = { [Name in CatalogName]: Sheet<Name> | undefined };

/** What the checks of one catalog go by. */
type Entries<Name extends CatalogName> = Pick<Sheet<Name>, 'table' | 'entries'>;

/** The same of any catalog that has these columns of numbers. */
interface Numbers<Column extends string> {
  table: Table;
  entries: { raw: RawRow; row: { [C in Column]?: number | undefined } }[];
}

/** Checks what no row can show alone: unique ids, references that lead somewhere, prices that agree with their configurations. */
export function crossCheck(sheets: Sheets, imageNames: ReadonlySet<string>, report: Report): void {
  const { products, configurations, durations, news_types, news } = sheets;
  for (const sheet of Object.values(sheets)) if (sheet) idsAreUnique(sheet, report);
  const prices = sheets.prices && configurationPrices(sheets.prices, report);
  referencesLead(configurations, 'product_id', products, report);
  const lost = referencesLead(prices, 'product_id', products, report);
  referencesLead(prices, 'rel_id', configurations, report);
  referencesLead(prices, 'duration_id', durations, report);
  referencesLead(news, 'type_id', news_types, report);
  if (prices) pricesAreUnique(prices, report);
  if (prices && configurations) {
    productsAgree(prices, configurations, lost, report);
    configurationsHavePrices(configurations, prices, report);
  }
  if (news) imagesExist(news, imageNames, report);
}

function idsAreUnique({ table, entries }: Numbers<'id'>, report: Report): void {
  const first = new Map<number, RawRow>();
  for (const { raw, row } of entries) {
    if (row.id === undefined) continue;
    const other = first.get(row.id);
    if (other === undefined) {
      first.set(row.id, raw);
    } else {
      const also = table.place(other, 'id');
      const message = `id ${row.id} stands already at ${formatPlace(also)}: give each row its own`;
      report(table.place(raw, 'id'), 'DUPLICATE_ID', message, also);
    }
  }
}

/** The prices of configurations; the others are left out with a warning, and nothing more is asked of them. */
function configurationPrices({ table, entries }: Entries<'prices'>, report: Report): Entries<'prices'> {
  const isOther = ({ row }: { row: { rel_type?: number } }) =>
    (row.rel_type ?? CONFIGURATION_PRICE) !== CONFIGURATION_PRICE;
  for (const { raw, row } of entries.filter(isOther)) {
    const message = `rel_type ${row.rel_type}: only prices of configurations (${CONFIGURATION_PRICE}) are served; the row is left out`;
    report(table.place(raw, 'rel_type'), 'OTHER_RELATION', message);
  }
  return { table, entries: entries.filter(entry => !isOther(entry)) };
}

/**
 * Reports references to rows that do not exist, and returns the rows that make them. Without the catalog that is
 * referred to, or with rows of it lost, nothing can be said.
 */
function referencesLead<Column extends string>(
  from: Numbers<Column> | undefined,
  column: Column,
  to: Numbers<'id'> | undefined,
  report: Report,
): Set<RawRow> {
  const lost = new Set<RawRow>();
  if (!from || !to?.table.complete) return lost;
  const ids = new Set(to.entries.map(({ row }) => row.id));
  for (const { raw, row } of from.entries) {
    const id = row[column];
    if (id === undefined || ids.has(id)) continue;
    lost.add(raw);
    const message = `${column} ${id} is not in ${to.table.file}: write the id of a row there, or add the row`;
    report(from.table.place(raw, column), 'UNKNOWN_REFERENCE', message);
  }
  return lost;
}

function pricesAreUnique({ table, entries }: Entries<'prices'>, report: Report): void {
  const first = new Map<string, RawRow>();
  for (const { raw, row } of entries) {
    if (row.product_id === undefined || row.rel_id === undefined || row.duration_id === undefined) continue;
    const key = `${row.product_id}/${row.rel_id}/${row.duration_id}`;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, raw);
    } else {
      const also = table.place(other);
      const message = `product ${row.product_id}, configuration ${row.rel_id} and duration ${row.duration_id} have a price already at ${formatPlace(also)}: delete one of the two`;
      report(table.place(raw), 'DUPLICATE_PRICE', message, also);
    }
  }
}

function productsAgree(
  prices: Entries<'prices'>,
  configurations: Entries<'configurations'>,
  lost: ReadonlySet<RawRow>,
  report: Report,
): void {
  const owners = new Map(configurations.entries.map(entry => [entry.row.id, entry]));
  for (const { raw, row } of prices.entries) {
    const owner = row.rel_id === undefined ? undefined : owners.get(row.rel_id);
    if (owner?.row.product_id === undefined || row.product_id === undefined) continue;
    if (owner.row.product_id === row.product_id || lost.has(raw)) continue;
    const also = configurations.table.place(owner.raw, 'product_id');
    const message = `product_id ${row.product_id}: configuration ${row.rel_id} belongs to product ${owner.row.product_id} at ${formatPlace(also)}`;
    report(prices.table.place(raw, 'product_id'), 'WRONG_PRODUCT', message, also);
  }
}

function configurationsHavePrices(
  configurations: Entries<'configurations'>,
  prices: Entries<'prices'>,
  report: Report,
): void {
  const priced = new Set(prices.entries.map(({ row }) => row.rel_id));
  if (!prices.table.complete || priced.has(undefined)) return;
  for (const { raw, row } of configurations.entries) {
    if (row.id === undefined || row.hidden || priced.has(row.id)) continue;
    report(configurations.table.place(raw), 'NO_PRICE', `configuration ${row.id} has no price`);
  }
}

function imagesExist(news: Entries<'news'>, imageNames: ReadonlySet<string>, report: Report): void {
  for (const { raw, row } of news.entries) {
    if (!row.img) continue;
    const place = news.table.place(raw, 'img');
    if (!isImageName(row.img)) {
      const message = `img ${row.img} is of no kind that is served: make it one of ${imageKinds.join(', ')}`;
      report(place, 'UNKNOWN_IMAGE_KIND', message);
    } else if (!imageNames.has(row.img)) {
      report(place, 'NO_IMAGE', `img ${row.img} is not in the images directory`);
    }
  }
}
