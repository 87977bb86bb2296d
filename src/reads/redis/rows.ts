import { join } from 'node:path';
import { systemFs } from '../../files/atomic-write.ts';
import type { StateParser } from '../../files/state-format.ts';
import { excerpt, type Log } from '../../messages.ts';
import { type Counts, isId, MAX_COUNT } from '../counts.ts';
import { openStateFile, type StateFile } from '../file/state-file.ts';

/** The key of the row that lists the folded columns. It is merged, sent and saved like that of a news item. */
export const FOLDED = 0;

/**
 * A row: `BASE[/VERSION] COLUMN=READS …`, such as `100 k3x9=2 p0qa=1`. The count is the sum, here 103. Each process counts in
 * its own column, which only grows. A plain number is a row, too. The base has what no running process counted: the floor of
 * the catalog, imports, and folded columns. It only grows within a version; a new version may lower it.
 */
export interface CountRow {
  base: number;
  version: number;
  columns: Map<string, number>;
}

const ROW = /^(-?\d+)(?:\/(\d+))?((?: [a-z][a-z0-9]*=\d+)*)$/;

/** @throws Error that names the news item. */
export function parseRow(text: string, id: number): CountRow {
  const [, base, version = 0, rest = ''] = ROW.exec(text) ?? [];
  if (base === undefined) throw new Error(`the count of news item ${id} is not a number: ${excerpt(text)}`);
  const pairs = rest.split(' ').slice(1);
  const columns = new Map(pairs.map(pair => [pair.slice(0, pair.indexOf('=')), readsAfter(pair, 0)]));
  return { base: Number(base), version: Number(version), columns };
}

export function formatRow({ base, version, columns }: CountRow): string {
  const head = version > 0 ? `${base}/${version}` : String(base);
  return [head, ...[...columns].map(([column, reads]) => `${column}=${reads}`)].join(' ');
}

/** Returns the count, which may be above `MAX_COUNT`. */
export function sumOf(row: string): number {
  let sum = Number.parseInt(row, 10);
  for (let at = row.indexOf('='); at !== -1; at = row.indexOf('=', at + 1)) sum += readsAfter(row, at);
  return sum;
}

export function readsIn(row: string, column: string): number {
  const at = row.indexOf(` ${column}=`);
  return at === -1 ? 0 : readsAfter(row, at);
}

function readsAfter(row: string, at: number): number {
  return Number.parseInt(row.slice(row.indexOf('=', at) + 1, row.indexOf('=', at) + 20), 10);
}

/** Raises the base so that the count is at least `floor`, then sets the reads of a column. */
export function raiseRow(row: CountRow, floor: number, column?: string, reads = 0): CountRow {
  const sum = sumOf(formatRow(row));
  const columns = new Map(row.columns);
  if (column) columns.set(column, reads);
  return { ...row, base: row.base + Math.max(0, floor - sum), columns };
}

/** Adds the `folded` columns to the base, as a new version. */
export function foldRow(row: CountRow, folded: ReadonlySet<string>): CountRow {
  const [gone, left] = [new Map<string, number>(), new Map<string, number>()];
  for (const [column, reads] of row.columns) (folded.has(column) ? gone : left).set(column, reads);
  if (gone.size === 0) return row;
  const base = [...gone.values()].reduce((sum, reads) => sum + reads, row.base);
  return { base, version: row.version + 1, columns: left };
}

/** Takes the larger number of each column, in any order and repetition. Base and folded columns are those of the newer. */
export function mergeRows(one: CountRow, other: CountRow, folded: ReadonlySet<string>): CountRow {
  const [newer, older] = one.version >= other.version ? [one, other] : [other, one];
  const isSame = newer.version === older.version;
  const columns = new Map(newer.columns);
  for (const [column, reads] of older.columns)
    if (isSame || !folded.has(column)) columns.set(column, Math.max(reads, columns.get(column) ?? 0));
  return { base: isSame ? Math.max(newer.base, older.base) : newer.base, version: newer.version, columns };
}

/** What a process saves: its column, the owner that Redis has for it, and the rows by news id. */
export interface Known {
  column: string | undefined;
  owner: string | undefined;
  rows: Map<number, string>;
}

/** `{…, "column": "k3x9", "owner": "…", "counts": {"12": "100 k3x9=2"}}`. An edited file counts as damaged. */
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
