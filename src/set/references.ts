import type { NamedCatalog } from '../contract/columns.ts';
import { formatFile, type Reporter, type UnlocatedPlace } from '../contract/problems.ts';
import type { Table } from '../formats/table.ts';
import { excerpt, nearest } from '../messages.ts';
import { cellText } from './cells/cells.ts';

/** The names of a catalog, which may stand for the ids of its rows in other catalogs. */
export interface Names {
  /** The valid ids of the rows that have a name. */
  ids: ReadonlyMap<string, readonly number[]>;
  /** Whether no row has another name. */
  isComplete: boolean;
  /** The files that have them, for messages. */
  files: string;
}

/** The names of a catalog; undefined if it has no file. */
export type NamesOf = (catalog: NamedCatalog) => Names | undefined;

/** More names than these are not searched for one that is alike. */
const MAX_SEARCHED = 100;

/** The names of rows of a catalog that can be referred to. `files` are where they are, for messages. */
export function namesOfRows(rows: readonly Readonly<Record<string, unknown>>[], files: string): Names {
  const ids = new Map<string, number[]>();
  let areKnown = true;
  for (const { id, name } of rows) {
    if (typeof name !== 'string') {
      areKnown = false;
      continue;
    }
    const found = ids.get(spelled(name)) ?? [];
    if (typeof id === 'number') found.push(id);
    ids.set(spelled(name), found);
  }
  return { ids, isComplete: areKnown, files };
}

/** The name in a cell: a text with a letter in it. A text without one can only be meant as an id. */
export function nameIn(cell: string, table: Pick<Table, 'format'>): string | undefined {
  const isText = table.format === 'csv' || table.format === 'markdown' || cell.startsWith('"');
  const name = isText ? spelled(cellText(cell, table)) : '';
  return /\p{L}/u.test(name) ? name : undefined;
}

/** The id of the only row with a name. */
export function idOf(name: string, names: Names | undefined): number | undefined {
  const [id, ...others] = names?.ids.get(name) ?? [];
  return others.length === 0 ? id : undefined;
}

/** Reports a name that is not that of one row, unless it may be that of a row with an error. */
export function reportName(
  place: UnlocatedPlace,
  column: string,
  name: string,
  catalog: NamedCatalog,
  names: Names | undefined,
  report: Reporter,
): void {
  const quoted = `${column} ${JSON.stringify(excerpt(name))}`;
  const ids = names?.ids.get(name);
  if (!names) {
    const message = `${quoted} is a name, and no ${catalog} can be read: write an id, or add ${catalog}.csv`;
    report(place, 'UNKNOWN_REFERENCE', message);
  } else if (ids && ids.length > 0) {
    const message = `${quoted} is the name of ${ids.length} rows of ${names.files}: write one of their ids, ${idList(ids)}`;
    report(place, 'AMBIGUOUS_NAME', message);
  } else if (!ids && names.isComplete) {
    const near = names.ids.size > MAX_SEARCHED ? undefined : nearest(name, [...names.ids.keys()]);
    const hint = near ? `did you mean ${JSON.stringify(excerpt(near))}?` : 'write a name or an id from there';
    report(place, 'UNKNOWN_REFERENCE', `${quoted} is not a name in ${names.files}: ${hint}`);
  }
}

/** `3 or 7`, and no more than three. */
function idList(ids: readonly number[]): string {
  return ids.length > 3
    ? `${ids.slice(0, 3).join(', ')} …`
    : `${ids.slice(0, -1).join(', ')} or ${ids.at(-1)}`;
}

/** Names are the same if they look the same. */
function spelled(name: string): string {
  return name.trim().normalize('NFC');
}

/** The part of a validated catalog that says where its rows are. */
interface Tables {
  tables: readonly { table: Table }[];
}

/** Whether all rows of a catalog are known. */
export function isComplete({ tables }: Tables): boolean {
  return tables.every(({ table }) => table.complete);
}

/** The files of a catalog, for messages. */
export function filesOf({ tables }: Tables): string {
  return tables.map(({ table }) => formatFile(table)).join(' or ');
}
