import { join } from 'node:path';
import { systemFs } from '../../files/atomic-write.ts';
import type { StateFormat } from '../../files/state-format.ts';
import type { Log } from '../../messages.ts';
import { type Counts, isId, MAX_COUNT } from '../counts.ts';
import { foldInWorker } from '../file/fold-in-worker.ts';
import { readState } from '../file/read-state.ts';
import { openStateFile, type StateFile } from '../file/state-file.ts';
import { FOLDED } from './compare.ts';
import { formatRow, parseRow, raiseRow, sumOf } from './rows.ts';

/** Rows of counts by news id. */
type Rows = Map<number, string>;

/** What a process that counts in Redis knows: the column in which it counts, the word that shows so in Redis, and rows. */
export interface Known {
  column: string | undefined;
  owner: string | undefined;
  rows: Rows;
}

/** `{…, "column": "k3x9", "owner": "…", "counts": {"12": "100 k3x9=2"}}`. An edited file is broken. */
export const knownFormat: StateFormat<Known> = {
  empty: () => ({ column: undefined, owner: undefined, rows: new Map() }),
  toJson: ({ column, owner, rows }) => ({ column, owner, counts: Object.fromEntries(rows) }),
  parse: ({ column, owner, counts }) => ({
    column: nameOf(column),
    owner: nameOf(owner),
    rows: parseRows(counts),
  }),
  apply(known, { column, owner, ...values }) {
    for (const [id, row] of parseRows(values)) known.rows.set(id, row);
    known.column = nameOf(column) ?? known.column;
    known.owner = nameOf(owner) ?? known.owner;
  },
  indent: 0,
};

export function rowsPath(stateDir: string): string {
  return join(stateDir, 'redis-counts.json');
}

export function openRowsFile(stateDir: string, log: Log): StateFile<Known> {
  const path = rowsPath(stateDir);
  return openStateFile(path, knownFormat, log, systemFs, foldInWorker('redis', path, log));
}

/** What versions before 0.2 left: the counts, and the reads that Redis does not have. */
const leftoverFormat: StateFormat<Known> = {
  ...knownFormat,
  parse({ counts, unsent }) {
    const rows: Rows = new Map(
      Object.entries(Object(counts)).map(([id, count]) => [Number(id), String(count)]),
    );
    for (const { instance, deltas } of unsent as { instance: string; deltas: [number, number, number][] }[])
      for (const [id, reads, floor] of deltas) {
        const column = `c${instance.slice(0, 8)}`;
        const row = parseRow(rows.get(id) ?? '0', id);
        rows.set(id, formatRow(raiseRow(row, floor, column, reads + (row.columns.get(column) ?? 0))));
      }
    return { column: undefined, owner: undefined, rows };
  },
};

/** @throws Error if it is broken: nothing else has its reads. */
export async function readLeftover(stateDir: string): Promise<Known | undefined> {
  const { state, broken } = await readState(systemFs, join(stateDir, 'redis-leftover.json'), leftoverFormat);
  for (const { path, reason } of broken) throw new Error(`${path} is broken: ${reason}`);
  return state;
}

/** The counts in rows. */
export function countsOf(rows: Iterable<readonly [number, string]>): Counts {
  const items = [...rows].filter(([id]) => id !== FOLDED);
  return new Map(items.map(([id, row]) => [id, Math.min(sumOf(row), MAX_COUNT)]));
}

/** @throws Error if they are not rows by news id. */
export function parseRows(values: unknown): Rows {
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

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z0-9]*$/.test(value) ? value : undefined;
}
