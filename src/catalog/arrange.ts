import { createHash } from 'node:crypto';
import { CONFIGURATION_PRICE } from './relation.ts';
import { type CatalogName, catalogNames, type Duration, durationUnits, type Row } from './schemas.ts';

/** The rows of each catalog of a whole valid set; undefined where there is no such catalog. */
export type CatalogRows = { [Name in CatalogName]: Row<Name>[] | undefined };

/**
 * The rows that are served, each catalog in the order of its lists: configurations by `order`, then id; prices by the
 * unit, num and id of their durations; news newest first, then larger id first. Hidden rows are left out.
 */
export function arrange(rows: CatalogRows): CatalogRows {
  const configurations = rows.configurations
    ?.filter(configuration => !configuration.hidden)
    .sort((a, b) => a.order - b.order || a.id - b.id);
  const visible = new Set(configurations?.map(({ id }) => id));
  const rank = durationRank(rows.durations);
  const prices = rows.prices
    ?.filter(price => price.rel_type === CONFIGURATION_PRICE && visible.has(price.rel_id))
    .sort((a, b) => rank(a.duration_id) - rank(b.duration_id));
  const news = rows.news
    ?.filter(item => !item.hidden)
    .sort((a, b) => b.create_time - a.create_time || b.id - a.id);
  return { ...rows, configurations, prices, news };
}

/**
 * A short hash of all rows, the same wherever the same rows are served. They count in the order of their ids, so that
 * neither the files' notation nor their order matters.
 */
export function versionOf(rows: CatalogRows): string {
  const hash = createHash('sha256');
  for (const name of catalogNames) {
    const sorted = rows[name]?.toSorted((a, b) => a.id - b.id);
    hash.update(JSON.stringify([name, sorted ?? null]));
  }
  return hash.digest('hex').slice(0, 12);
}

/** Gives a duration its place among all: by unit, num, id; by id alone where there is no durations catalog. */
function durationRank(durations: Duration[] | undefined): (durationId: number) => number {
  const sorted = durations?.toSorted(
    (a, b) => durationUnits.indexOf(a.unit) - durationUnits.indexOf(b.unit) || a.num - b.num || a.id - b.id,
  );
  const ranks = new Map(sorted?.map(({ id }, rank) => [id, rank]));
  return durationId => ranks.get(durationId) ?? durationId;
}
