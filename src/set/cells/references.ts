import type { NamedCatalog, ReferredCatalog } from '../../contract/columns.ts';
import { formatFile, type Reporter, type UnlocatedPlace } from '../../contract/problems.ts';
import type { Table } from '../../formats/table.ts';
import { excerpt, nearest } from '../../messages.ts';
import { cellText, isFormula } from './cells.ts';

/** The names of a catalog, which other catalogs may write in place of ids. */
export interface Names {
  /** The valid ids of the rows with a name. */
  ids: ReadonlyMap<string, readonly number[]>;
  rowIds: ReadonlySet<unknown>;
  /** Whether all names are known. */
  isComplete: boolean;
  /** The files, for messages. */
  files: string;
}

/** Returns undefined for a catalog without a file. */
export type NamesOf = (catalog: ReferredCatalog) => Names | undefined;

const MAX_SEARCHED = 100;

interface Tables {
  tables: readonly { table: Table }[];
}

/** Collects the names of a catalog. A catalog whose file cannot be parsed has none. */
export function namesIn(
  catalog: (Tables & { entries: readonly { row: Readonly<Record<string, unknown>> }[] }) | undefined,
): Names {
  const ids = new Map<string, number[]>();
  if (!catalog) return { ids, rowIds: new Set(), isComplete: false, files: '' };
  const rows = catalog.entries.map(({ row }) => row);
  for (const { id, name, product_id } of rows) {
    if (typeof name !== 'string') continue;
    // Configurations also by product, since each product may have one of this name.
    for (const key of [spelled(name), ...(product_id ? [`${product_id}\n${spelled(name)}`] : [])]) {
      const found = ids.get(key) ?? [];
      if (typeof id === 'number') found.push(id);
      ids.set(key, found);
    }
  }
  const areNamed = rows.every(({ name }) => typeof name === 'string');
  const rowIds = new Set(rows.map(({ id }) => id));
  return { ids, rowIds, isComplete: areNamed && isComplete(catalog), files: fileNames(catalog) };
}

/** Returns a cell as names are compared; undefined for a formula, and for what can only be an id. */
export function nameIn(cell: string, table: Pick<Table, 'format'>): string | undefined {
  const isName = table.format === 'json' ? cell.startsWith('"') : !isFormula(cell, table);
  return isName ? spelled(cellText(cell, table)) : undefined;
}

/**
 * Says whether the numbers in a column of references are ids or names: ids if each is one; names if each is one, and not each
 * an id. If each is both, but of different rows, both readings are possible.
 */
export function readNumbers(
  numbers: () => Iterable<{ id: number; name: string }>,
  names: Names | undefined,
): 'ids' | 'names' | 'either' {
  if (!names?.isComplete || ![...names.ids.keys()].some(name => /^\d+$/.test(name))) return 'ids';
  const found = Array.from(numbers(), ({ id, name }) => ({ id, named: idOf(name, names) }));
  if (found.some(({ named }) => named === undefined) || found.every(({ id, named }) => id === named))
    return 'ids';
  return found.every(({ id }) => names.rowIds.has(id)) ? 'either' : 'names';
}

/** Whether a text is meant as a name: it has a letter, or is the name of a row. */
export function isMeantAsName(text: string, names: Names | undefined): boolean {
  return /\p{L}/u.test(text) || names?.ids.has(text) === true;
}

/** Returns the id of the only row with a name. */
export function idOf(name: string, names: Names | undefined): number | undefined {
  const [id, ...others] = names?.ids.get(name) ?? [];
  return others.length === 0 ? id : undefined;
}

const CHOICE = /^(\d+) (.+)$/;

export function isChoice(text: string): boolean {
  return CHOICE.test(text);
}

/** Returns the id that a text such as `12 Small` begins with; undefined if the row has another name. */
export function idOfChoice(text: string, names: Names | undefined): number | undefined {
  const [, id, name] = CHOICE.exec(text) ?? [];
  if (name === undefined) return undefined;
  return !names?.isComplete || names.ids.get(name)?.includes(Number(id)) ? Number(id) : undefined;
}

/** Reports names of no row or several, unless a row with an error may be meant, and names that are also ids of others. */
export function reportName(
  place: UnlocatedPlace,
  column: string,
  name: string,
  catalog: NamedCatalog,
  names: Names | undefined,
  report: Reporter,
): void {
  const quoted = `${column} "${excerpt(name)}"`;
  const ids = names?.ids.get(name);
  const [id, second] = ids ?? [];
  if (!names) {
    const message = `${quoted} is a name, and no ${catalog} can be read: write an id, or add ${catalog}.csv`;
    report(place, 'UNKNOWN_REFERENCE', message);
  } else if (ids && second !== undefined) {
    const message = `${quoted} is the name of ${ids.length} rows of ${names.files}: write one of their ids, such as ${id} or ${second}`;
    report(place, 'AMBIGUOUS_NAME', message);
  } else if (id !== undefined) {
    const message = `${column} ${name} is the id of one row of ${names.files} and the name of another, with the id ${id}: give that row a name with letters`;
    report(place, 'AMBIGUOUS_NAME', message);
  } else if (!ids && names.isComplete) {
    const near = names.ids.size > MAX_SEARCHED ? undefined : nearest(name, [...names.ids.keys()]);
    const hint = near ? `did you mean "${excerpt(near)}"?` : 'write a name or an id from there';
    report(place, 'UNKNOWN_REFERENCE', `${quoted} is not a name in ${names.files}: ${hint}`);
  }
}

/** Names are equal if they look equal, whatever their Unicode form and spaces. */
function spelled(name: string): string {
  return name.normalize('NFC').replace(/\s+/g, ' ').trim();
}

export function isComplete({ tables }: Tables): boolean {
  return tables.every(({ table }) => table.complete);
}

export function fileNames({ tables }: Tables): string {
  return tables.map(({ table }) => formatFile(table)).join(' or ');
}
