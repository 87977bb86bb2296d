import { join } from 'node:path';
import { systemFs } from '../../files/atomic-write.ts';
import type { StateParser } from '../../files/state-format.ts';
import type { Log } from '../../messages.ts';
import { type Counts, isId, MAX_COUNT } from '../counts.ts';
import { openStateFile, type StateFile } from '../file/state-file.ts';
import { FOLDED } from './compare.ts';
import { parseRow, sumOf } from './rows.ts';

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
    column: nameOf(column),
    owner: nameOf(owner),
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

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z0-9]*$/.test(value) ? value : undefined;
}
