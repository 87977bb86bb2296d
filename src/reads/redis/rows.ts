import { join } from 'node:path';
import { systemFs } from '../../files/atomic-write.ts';
import type { StateParser } from '../../files/state-format.ts';
import { excerpt, type Log } from '../../messages.ts';
import { type Counts, isId, MAX_COUNT } from '../counts.ts';
import { openStateFile, type StateFile } from '../file/state-file.ts';

/** The row of the columns that were added to the bases. It is merged, sent and kept like that of a news item. */
export const FOLDED = 0;

/**
 * A row of the counts: `BASE[/VERSION] COLUMN=READS …`, such as `100 k3x9=2 p0qa=1`. Each process counts in a column of
 * its own, which only grows; the count of a news item is the sum of its row, 103. A plain number is a row, too.
 *
 * The base is what no running process counted: the floor of a catalog, an import, and the columns of processes that
 * ended. It grows within a version; a new version may lower it.
 */
export interface CountRow {
  base: number;
  version: number;
  columns: Map<string, number>;
}

const ROW = /^(-?\d+)(?:\/(\d+))?((?: [a-z][a-z0-9]*=\d+)*)$/;

/** @throws Error that names the news item. */
export function parseRow(text: string, id: number): CountRow {
  const [, base, version = 0, columns = ''] = ROW.exec(text) ?? [];
  if (base === undefined) throw new Error(`the count of news item ${id} is not a number: ${excerpt(text)}`);
  const pairs = columns.split(' ').slice(1);
  return {
    base: Number(base),
    version: Number(version),
    columns: new Map(pairs.map(pair => [pair.slice(0, pair.indexOf('=')), readsAfter(pair, 0)])),
  };
}

export function formatRow({ base, version, columns }: CountRow): string {
  const head = version > 0 ? `${base}/${version}` : String(base);
  return [head, ...[...columns].map(([column, reads]) => `${column}=${reads}`)].join(' ');
}

/** The count; it may be beyond `MAX_COUNT`. */
export function sumOf(row: string): number {
  let sum = Number.parseInt(row, 10);
  for (let at = row.indexOf('='); at !== -1; at = row.indexOf('=', at + 1)) sum += readsAfter(row, at);
  return sum;
}

/** The reads in a column; 0 if the row has no such column. */
export function readsIn(row: string, column: string): number {
  const at = row.indexOf(` ${column}=`);
  return at === -1 ? 0 : readsAfter(row, at);
}

/** The number behind the next `=`. */
function readsAfter(row: string, at: number): number {
  return Number.parseInt(row.slice(row.indexOf('=', at) + 1, row.indexOf('=', at) + 20), 10);
}

/** The row with its base raised so that the count is at least this, and then with so many reads in a column. */
export function raiseRow(row: CountRow, floor: number, column?: string, reads = 0): CountRow {
  const sum = sumOf(formatRow(row));
  const columns = new Map(row.columns);
  if (column) columns.set(column, reads);
  return { ...row, base: row.base + Math.max(0, floor - sum), columns };
}

/** Adds the columns of these processes to the base, as a new version. */
export function foldRow(row: CountRow, folded: ReadonlySet<string>): CountRow {
  const [gone, left] = [new Map<string, number>(), new Map<string, number>()];
  for (const [column, reads] of row.columns) (folded.has(column) ? gone : left).set(column, reads);
  if (gone.size === 0) return row;
  const base = [...gone.values()].reduce((sum, reads) => sum + reads, row.base);
  return { base, version: row.version + 1, columns: left };
}

/**
 * The larger of both in each column, which is right in any order and however often it is done. Only the newer version
 * has the base, and knows of folded columns.
 */
export function mergeRows(one: CountRow, other: CountRow, folded: ReadonlySet<string>): CountRow {
  const [newer, older] = one.version >= other.version ? [one, other] : [other, one];
  const isSame = newer.version === older.version;
  const columns = new Map(newer.columns);
  for (const [column, reads] of older.columns)
    if (isSame || !folded.has(column)) columns.set(column, Math.max(reads, columns.get(column) ?? 0));
  return { base: isSame ? Math.max(newer.base, older.base) : newer.base, version: newer.version, columns };
}

/** What a process that counts in Redis knows: the column in which it counts, the word that shows so in Redis, and rows. */
export interface Known {
  column: string | undefined;
  owner: string | undefined;
  /** By news id. */
  rows: Map<number, string>;
}

/** `{…, "column": "k3x9", "owner": "…", "counts": {"12": "100 k3x9=2"}}`. An edited file is broken. */
export const knownFormat: StateParser<Known> = {
  parse: ({ column, owner, counts }) => ({
    column: columnOrOwner(column),
    owner: columnOrOwner(owner),
    rows: parseRows(counts),
  }),
};

export function rowsPath(stateDir: string): string {
  return join(stateDir, 'redis-counts.json');
}

export function openRowsFile(stateDir: string, log: Log): StateFile<Known> {
  return openStateFile(rowsPath(stateDir), knownFormat, log, systemFs);
}

/** The counts in rows. */
export function countsOf(rows: Iterable<readonly [number, string]>): Counts {
  const items = [...rows].filter(([id]) => id !== FOLDED);
  return new Map(items.map(([id, row]) => [id, Math.min(sumOf(row), MAX_COUNT)]));
}

/** @throws Error if they are not rows by news id. */
export function parseRows(values: unknown): Map<number, string> {
  return new Map(
    Object.entries(Object(values)).map(([key, row]) => {
      const id = Number(key);
      if ((id !== FOLDED && !isId(key)) || typeof row !== 'string')
        throw new Error('a row has no news id or is no text');
      parseRow(row, id);
      return [id, row];
    }),
  );
}

function columnOrOwner(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z0-9]*$/.test(value) ? value : undefined;
}
