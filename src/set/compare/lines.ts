import type { Change } from '../../contract/changes.ts';
import { catalogs } from '../../contract/columns.ts';
import { excerpt, plural } from '../../messages.ts';
import { changeOf } from './changes.ts';
import type { AnyRow, CatalogDifference, RowPair, Value } from './differences.ts';

const MAX_LISTED = 20;

/** A change in columns: what happened to it, which row it is, and what differs. */
type Line = [change: string, row: string, values: string];

/** The changes of each catalog for people, a line each under its name: all, or the first ones. Empty without changes. */
export function changeLines(differences: readonly CatalogDifference[], listAll: boolean): string {
  const ofCatalogs = differences.map(({ catalog, rows }) => {
    const lines = rows.flatMap(({ before, after, columns }) => {
      const change = changeOf(catalog, before, after, columns, 'editors');
      return change ? [lineOf(change, after ?? before)] : [];
    });
    const listed = listAll ? lines : lines.slice(0, MAX_LISTED);
    const more = (lines.length - listed.length).toLocaleString('en');
    const rest = listed.length < lines.length ? `  … and ${more} more; --all lists all\n` : '';
    return lines.length === 0 ? '' : `\n${catalog}\n${align(listed).join('')}${rest}`;
  });
  return ofCatalogs.join('');
}

function lineOf({ change: what, key, columns }: Change, row: AnyRow | undefined): Line {
  const title = row?.title ?? row?.name;
  const who =
    key.id === undefined
      ? `product ${key.product_id}, configuration ${key.rel_id}, duration ${key.duration_id}`
      : `${key.id}${title === undefined ? '' : ` ${shown(title)}`}`;
  if (what !== 'changed') return [what, who, row?.price === undefined ? '' : shown(row.price)];
  return [what, who, columns.map(differenceOf).join(', ')];
}

function differenceOf({ column, from, to, percent }: Change['columns'][number]): string {
  const sign = percent !== undefined && percent > 0 ? '+' : '';
  const relative = percent === undefined ? '' : ` (${sign}${percent} %)`;
  const [before, after] =
    typeof from === 'string' && typeof to === 'string' ? whereTheyDiffer(from, to) : [from, to];
  return `${column} ${shown(before ?? undefined)} → ${shown(after ?? undefined)}${relative}`;
}

/** How much of what two long texts have in common is shown before their difference, in UTF-16 units. */
const COMMON_LENGTH = 15;

function whereTheyDiffer(one: string, other: string): [string, string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  if (at <= 2 * COMMON_LENGTH) return [one, other];
  const cut = (text: string) => `…${text.slice(at - COMMON_LENGTH).toWellFormed()}`;
  return [cut(one), cut(other)];
}

function shown(value: Value): string {
  return typeof value === 'string' ? `"${excerpt(value)}"` : String(value ?? 'none');
}

function align(lines: readonly Line[]): string[] {
  const width = lines.reduce((most, [, row]) => Math.max(most, row.length), 0);
  return lines.map(([change, row, values]) => {
    const columns = [change.padEnd('changed'.length), row.padEnd(width), values];
    return `  ${columns.join('  ').trimEnd()}\n`;
  });
}

/** What happens to a row. A price is renumbered if only the id of its record differs. */
const kinds = ['added', 'removed', 'changed', 'shown', 'hidden', 'renumbered'] as const;

/** One line such as `3 prices changed, 1 news item added, column hidden of configurations gone`. */
export function summaryOf(differences: readonly CatalogDifference[]): string {
  const ofRows = differences.flatMap(({ catalog, rows }) => {
    const found = rows.map(kindOf);
    return kinds.flatMap(kind => {
      const count = found.filter(other => other === kind).length;
      return count > 0 ? [`${plural(count, catalogs[catalog].noun)} ${kind}`] : [];
    });
  });
  const ofFiles = differences.flatMap(({ catalog, file, gained, lost }) => [
    ...(file ? [`catalog ${catalog} ${file === 'added' ? 'new' : 'gone'}`] : []),
    ...gained.map(column => `column ${column} of ${catalog} new`),
    ...lost.map(column => `column ${column} of ${catalog} gone`),
  ]);
  return [...ofRows, ...ofFiles].join(', ') || 'nothing changed';
}

function kindOf({ before, after, columns }: RowPair): (typeof kinds)[number] | undefined {
  if (!before) return 'added';
  if (!after) return 'removed';
  if (columns.includes('hidden')) return after.hidden ? 'hidden' : 'shown';
  if (columns.length === 0) return undefined;
  return columns.every(column => column === 'id') ? 'renumbered' : 'changed';
}
