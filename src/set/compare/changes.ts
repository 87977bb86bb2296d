import {
  type Change,
  type ChangesHead,
  type ComparedCatalog,
  shortened,
  unservedColumns,
} from '../../contract/changes.ts';
import { type CatalogName, catalogs, columnNamesOf, isExtra, referencesOf } from '../../contract/columns.ts';
import { excerpt, plural } from '../../messages.ts';
import { rfc3339 } from '../../time-zone.ts';
import {
  type AnyRow,
  type CatalogDifference,
  isConfigurationPrice,
  type RowPair,
  type Value,
  withFields,
} from './differences.ts';

type ChangedValue = Change['columns'][number];

/** For visitors, long texts are cut, and unserved columns and the values of removed rows are left out. */
type Audience = 'editors' | 'visitors';

const isFor = (audience: Audience) => (column: string) =>
  audience === 'editors' || !unservedColumns.includes(column);

/** Returns the change of a row; undefined if no visible column differs. */
function changeOf(
  catalog: CatalogName,
  pair: Pick<RowPair, 'before' | 'after' | 'columns'>,
  audience: Audience,
): Change | undefined {
  const [before, after] = [pair.before && withFields(pair.before), pair.after && withFields(pair.after)];
  const row = after ?? before;
  if (!row) return undefined;
  const isChanged = before !== undefined && after !== undefined;
  const all = [...columnNamesOf(catalog), ...Object.keys(row).filter(isExtra)];
  const shown = (isChanged ? pair.columns : all).filter(
    column => isFor(audience)(column) && (isChanged || row[column] !== undefined),
  );
  if (shown.length === 0) return undefined;
  const { id, product_id, rel_id, duration_id, valid_from } = row;
  const date = valid_from !== undefined && audience === 'editors' && { valid_from: Number(valid_from) };
  const combination = { product_id: Number(product_id), rel_id: Number(rel_id) };
  const ids = { ...combination, duration_id: Number(duration_id), ...date };
  const key: Change['key'] = isConfigurationPrice(catalog, row) ? ids : { id };
  if (!after && audience === 'visitors') return { catalog, change: 'removed', key, columns: [] };
  const change = isChanged ? 'changed' : after ? 'added' : 'removed';
  const columns = shown.map(column => changedColumn(column, before?.[column], after?.[column], audience));
  return { catalog, change, key, columns };
}

function changedColumn(column: string, before: Value, after: Value, audience: Audience): ChangedValue {
  const shown = (value: Value) =>
    typeof value === 'string' && audience === 'visitors' ? shortened(value) : (value ?? null);
  const [from, to] = [shown(before), shown(after)];
  if (column !== 'price' || typeof from !== 'number' || typeof to !== 'number' || from === 0)
    return { column, from, to };
  return { column, from, to, percent: Math.round(((to - from) / from) * 10_000) / 100 };
}

/** Calls `onChange` with each change and counts them, except a new or missing file, which is not public. */
export function countChanges(
  { catalog, file, gained, lost, rows }: CatalogDifference,
  audience: Audience,
  onChange: (change: Change) => void,
): ComparedCatalog {
  const isAll = audience === 'editors';
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const { columns, seenBefore, seenAfter, ...all } of rows) {
    const shown = isAll ? all : { before: seenBefore, after: seenAfter };
    const change = changeOf(catalog, { ...shown, columns }, audience);
    if (!change) continue;
    counts[change.change] += 1;
    onChange(change);
  }
  return {
    catalog,
    ...(file && isAll && { file }),
    ...counts,
    columns_added: gained.filter(isFor(audience)),
    columns_removed: lost.filter(isFor(audience)),
  };
}

export function hasChanges(catalog: ComparedCatalog): boolean {
  const { file, added, removed, changed, columns_added, columns_removed } = catalog;
  return file !== undefined || added + removed + changed + columns_added.length + columns_removed.length > 0;
}

/** The maximum number of changes in a report, and of their characters. Others are only counted. */
const MAX_CHANGES = 100_000;
const MAX_LENGTH = 2 ** 25;

/** The public report of what a set changed, as JSON. */
export interface ChangeTable {
  /** Everything but the list, as an object. */
  head: string;
  /** The changes, sorted by catalog and key. */
  changes: readonly string[];
  /** What only clients with the token see; undefined if there is nothing. */
  own?: ChangeTable | undefined;
}

/**
 * Reports what changes for visitors. A row that becomes visible is added, one that ceases to be visible is removed. The report
 * has nothing that visitors could not see, nor values of rows that they no longer see. The prices of `coming` follow in full.
 */
export function publicReport(
  differences: readonly CatalogDifference[],
  about: Omit<ChangesHead, 'catalogs'>,
  coming: readonly CatalogDifference[] = [],
): ChangeTable {
  const changes: string[] = [];
  let length = 0;
  const add = (change: Change) => {
    if (changes.length === MAX_CHANGES || length >= MAX_LENGTH) return;
    const json = JSON.stringify(change);
    length += json.length;
    changes.push(json);
  };
  const catalogs = [
    ...differences.map(difference => countChanges(difference, 'visitors', add)),
    ...coming.map(difference => countChanges(difference, 'editors', add)),
  ];
  const head = { ...about, catalogs: catalogs.filter(hasChanges) } satisfies ChangesHead;
  return { head: JSON.stringify(head), changes };
}

/** Returns the name of a row, or the title of a news item. */
export type NameOf = (catalog: CatalogName, id: number) => string | undefined;

/** Adds the known names of the rows that a change is about. */
export function withNames(changes: readonly string[], nameOf: NameOf): string[] {
  return changes.map(change => {
    const names = namesOfChange(JSON.parse(change), nameOf);
    if (names.length === 0) return change;
    const shown = Object.fromEntries(names.map(([column, name]) => [column, shortened(name)]));
    return `${change.slice(0, -1)},"names":${JSON.stringify(shown)}}`;
  });
}

/** The own name of a removed row is no longer public. */
function namesOfChange({ catalog, change, key }: Change, nameOf: NameOf): [column: string, name: string][] {
  if (key.id === undefined) return rowNames(nameOf, catalog)(key);
  const name = change === 'removed' ? undefined : nameOf(catalog, key.id);
  return name === undefined ? [] : [['id', name]];
}

export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns a function that finds the names of the rows that a row refers to. */
export function rowNames(
  nameOf: NameOf,
  catalog: CatalogName,
): (row: Values) => [column: string, name: string][] {
  const references = referencesOf(catalog);
  return row =>
    references.flatMap(({ column, target }) => {
      const name = nameOf(target, Number(row[column]));
      return name === undefined ? [] : [[column, name]];
    });
}

/** Writes a report as lines of JSON: the head, then each change; after an empty line, the part for the token. */
export function toLines({ head, changes, own }: ChangeTable): string[] {
  return [head, ...changes, ...(own ? ['', ...toLines(own)] : [])];
}

export function fromLines(lines: readonly string[]): ChangeTable {
  const end = lines.indexOf('');
  const [head = '', ...changes] = end < 0 ? lines : lines.slice(0, end);
  return { head, changes, ...(end >= 0 && { own: fromLines(lines.slice(end + 1)) }) };
}

const MAX_LINES = 20;

/** A line in columns: what happened, to which row, and what differs. */
type Line = [change: string, row: string, values: string];

/** Formats the changes for people, a line each under the name of the catalog: all, or the first ones. Empty without changes. */
export function changeLines(differences: readonly CatalogDifference[], listAll: boolean): string {
  const ofCatalogs = differences.map(({ catalog, rows }) => {
    const lines = rows.flatMap(pair => {
      const change = changeOf(catalog, pair, 'editors');
      return change ? [lineOf(change, pair.after ?? pair.before)] : [];
    });
    const listed = listAll ? lines : lines.slice(0, MAX_LINES);
    const more = (lines.length - listed.length).toLocaleString('en');
    const rest = listed.length < lines.length ? `  … and ${more} more; --all lists all\n` : '';
    return lines.length === 0 ? '' : `\n${catalog}\n${align(listed).join('')}${rest}`;
  });
  return ofCatalogs.join('');
}

function lineOf({ change: what, key, columns }: Change, row: AnyRow | undefined): Line {
  const title = row?.title ?? row?.name;
  const from = key.valid_from ? `, from ${rfc3339(key.valid_from)}` : '';
  const combination = `product ${key.product_id}, configuration ${key.rel_id}, duration ${key.duration_id}${from}`;
  const named = `${key.id}${title === undefined ? '' : ` ${shown(title)}`}`;
  const who = key.id === undefined ? combination : named;
  if (what !== 'changed') return [what, who, row?.price === undefined ? '' : shown(row.price)];
  return [what, who, columns.map(writtenDifference).join(', ')];
}

function writtenDifference({ column, from, to, percent }: ChangedValue): string {
  const sign = percent !== undefined && percent > 0 ? '+' : '';
  const relative = percent === undefined ? '' : ` (${sign}${percent} %)`;
  const [before, after] =
    typeof from === 'string' && typeof to === 'string' ? whereTheyDiffer(from, to) : [from, to];
  return `${column} ${shown(before ?? undefined)} → ${shown(after ?? undefined)}${relative}`;
}

/** How much of a common beginning is shown before a difference in long texts, in UTF-16 units. */
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

/** Summarises changes, such as `3 prices changed, 1 news item added, column hidden of configurations gone`. */
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
