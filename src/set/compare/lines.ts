import type { Change } from '../../contract/changes.ts';
import { type CatalogName, catalogs } from '../../contract/columns.ts';
import { excerpt, plural } from '../../messages.ts';
import { changeOf, wholeChange } from './changes.ts';
import {
  type AnyRow,
  type CatalogPair,
  type ChangeVisitor,
  columnChanges,
  type FormerRow,
  type FormerValue,
  type RowPair,
} from './walk.ts';

/** How many changes of a catalog are listed, unless all are asked for. */
const MAX_LISTED = 20;

/** Lists changes for people, a catalog after the other. */
interface ChangeLines extends ChangeVisitor {
  /** One line for each change, under the name of its catalog; empty without changes. */
  text(): string;
}

/** A change in columns: what happened to it, which row it is, and what differs. */
type Line = [change: string, row: string, values: string];

/** Lists all changes if `listAll`, or else the first of each catalog. */
export function openChangeLines(listAll: boolean): ChangeLines {
  const catalogs: { name: string; lines: Line[]; more: number }[] = [];
  return {
    catalog: ({ catalog }) => void catalogs.push({ name: catalog, lines: [], more: 0 }),
    row(pair) {
      const change = changeOf(pair, wholeChange);
      const ofCatalog = catalogs.at(-1);
      if (!change || !ofCatalog) return;
      if (listAll || ofCatalog.lines.length < MAX_LISTED) ofCatalog.lines.push(lineOf(change, pair));
      else ofCatalog.more += 1;
    },
    text: () =>
      catalogs
        .filter(({ lines }) => lines.length > 0)
        .map(({ name, lines, more }) => `\n${name}\n${align(lines).join('')}${restOf(more)}`)
        .join(''),
  };
}

function lineOf(
  change: Change,
  { before, after }: { before?: FormerRow | undefined; after?: AnyRow | undefined },
): Line {
  const { change: what, key, columns } = change;
  const row = after ?? before;
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

/** Two texts without most of what they have in common at the start. */
function whereTheyDiffer(one: string, other: string): [string, string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  if (at <= 2 * COMMON_LENGTH) return [one, other];
  const cut = (text: string) => `…${text.slice(at - COMMON_LENGTH).toWellFormed()}`;
  return [cut(one), cut(other)];
}

function shown(value: FormerValue): string {
  if (typeof value === 'object') return shown(`${value.start}…`);
  return typeof value === 'string' ? `"${excerpt(value)}"` : String(value ?? 'none');
}

function align(lines: readonly Line[]): string[] {
  const width = Math.max(...lines.map(([, row]) => row.length));
  return lines.map(([change, row, values]) => {
    const columns = [change.padEnd('changed'.length), row.padEnd(width), values];
    return `  ${columns.join('  ').trimEnd()}\n`;
  });
}

function restOf(more: number): string {
  return more === 0 ? '' : `  … and ${more.toLocaleString('en')} more; --all lists all\n`;
}

/** What happens to a row. A price is renumbered if only the id of its record differs. */
const kinds = ['added', 'removed', 'changed', 'shown', 'hidden', 'renumbered'] as const;
type Kind = (typeof kinds)[number];

/** Counts changes of rows by catalog and kind. */
interface Summary extends ChangeVisitor {
  /** One line such as `3 prices changed, 1 news item added, column hidden of configurations gone`. */
  text(): string;
}

export function openSummary(): Summary {
  const counts = new Map<CatalogName, Map<Kind, number>>();
  const ofFiles: string[] = [];
  return {
    catalog(pair) {
      counts.set(pair.catalog, new Map());
      ofFiles.push(...fileChanges(pair));
    },
    row(pair) {
      const kind = kindOf(pair);
      const ofCatalog = counts.get(pair.catalog);
      if (kind) ofCatalog?.set(kind, 1 + (ofCatalog.get(kind) ?? 0));
    },
    text() {
      const ofRows = Array.from(counts).flatMap(([catalog, ofCatalog]) =>
        kinds.flatMap(kind => {
          const count = ofCatalog.get(kind);
          return count ? [`${plural(count, catalogs[catalog].noun)} ${kind}`] : [];
        }),
      );
      return [...ofRows, ...ofFiles].join(', ') || 'nothing changed';
    },
  };
}

function kindOf({ before, after, columns }: RowPair): Kind | undefined {
  if (!before) return 'added';
  if (!after) return 'removed';
  if (columns.includes('hidden')) return after.hidden ? 'hidden' : 'shown';
  if (columns.length === 0) return undefined;
  return columns.every(column => column === 'id') ? 'renumbered' : 'changed';
}

/** What became of the file of a catalog: `column hidden of configurations gone`. */
function fileChanges(pair: CatalogPair): string[] {
  const { catalog, before, after } = pair;
  if (!before || !after) return before === after ? [] : [`catalog ${catalog} ${after ? 'new' : 'gone'}`];
  const { gained, lost } = columnChanges(pair);
  return [
    ...gained.map(column => `column ${column} of ${catalog} new`),
    ...lost.map(column => `column ${column} of ${catalog} gone`),
  ];
}
