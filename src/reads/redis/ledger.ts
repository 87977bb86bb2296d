import { MAX_COUNT } from '../counts.ts';
import { formatRow, mergeRows, parseRow, raiseRow, readsIn, sumOf } from './rows.ts';
import { MAX_ROWS } from './scripts.ts';

/** A request that waits for its count: the read after which the own column has `reads`. */
interface Waiting {
  reads: number;
  /** Receives the count after it, or undefined if it is unknown for now. */
  onCount(count: number | undefined): void;
}

/** Reads of a news item that Redis does not have yet, and the largest floor that they met. */
interface Pending {
  reads: number;
  floor: number;
  waiting: Waiting[];
}

/** What Redis should have of a news item: its `reads` are all in the own column. */
export interface Delta extends Pending {
  id: number;
}

export type Ledger = ReturnType<typeof openLedger>;

/** The rows as this process knows them, and its own reads that are not in them yet. */
export function openLedger(rows: Map<number, string>, firstColumn: string) {
  const pending = new Map<number, Pending>();
  /** News items with reads that were not sent since the last failure. */
  const unsent = new Set<number>();
  let column = firstColumn;
  let unsaved = 0;
  let revision = 0;
  let hasLost = false;

  const ownReads = (id: number) => readsIn(rows.get(id) ?? '', column);
  const settle = (id: number, reads: number) => {
    const own = pending.get(id);
    if (!own) return;
    const settled = Math.min(own.reads, reads);
    own.reads -= settled;
    unsaved -= settled;
    if (own.reads > 0) return;
    pending.delete(id);
    unsent.delete(id);
    giveUp(own.waiting);
  };
  /** Stores a row that Redis has. Keeps what only the known row has, and notes that Redis lost it. */
  const store = (id: number, row: string) => {
    const [before, stored, known] = [ownReads(id), parseRow(row, id), parseRow(rows.get(id) ?? '0', id)];
    // Only a process that knew all can make a newer version.
    const merged = stored.version > known.version ? row : formatRow(mergeRows(stored, known, new Set()));
    hasLost ||= merged !== row;
    rows.set(id, merged);
    revision += 1;
    settle(id, Math.max(0, ownReads(id) - before));
  };

  /** Counts the reads that Redis does not have, and later ones, in another column. */
  const countIn = (newColumn: string) => {
    column = newColumn;
    revision += 1;
    for (const { waiting } of pending.values()) giveUp(waiting);
  };

  return {
    rows: rows as ReadonlyMap<number, string>,
    store,
    /** Whether Redis may lack a row that is known here, which it has lost or never had, since the last comparison. */
    hasLost: () => hasLost,
    compareAgain(): void {
      hasLost = true;
    },
    /** The rows have been compared with those in Redis, where the own reads count in this column from now on. */
    compared(newColumn: string): void {
      hasLost = false;
      if (newColumn !== column) countIn(newColumn);
    },
    countIn,
    column: () => column,
    shown(id: number, floor: number): number {
      const row = rows.get(id);
      const count = row === undefined ? floor : Math.max(sumOf(row), floor);
      return Math.min(count + (pending.get(id)?.reads ?? 0), MAX_COUNT);
    },
    add(id: number, floor: number, onCount?: Waiting['onCount']): void {
      const own = pending.get(id) ?? { reads: 0, floor: 0, waiting: [] };
      own.reads += 1;
      own.floor = Math.max(own.floor, floor);
      if (onCount) own.waiting.push({ reads: ownReads(id) + own.reads, onCount });
      pending.set(id, own);
      unsent.add(id);
      unsaved += 1;
      revision += 1;
    },
    /** The next reads to send; none if all are sent. */
    take(): Delta[] {
      const deltas: Delta[] = [];
      for (const id of unsent) {
        if (deltas.length === MAX_ROWS) break;
        unsent.delete(id);
        const own = pending.get(id);
        if (own)
          deltas.push({
            id,
            reads: ownReads(id) + own.reads,
            floor: own.floor,
            waiting: own.waiting.splice(0),
          });
      }
      return deltas;
    },
    hasUnsent: () => unsent.size > 0,
    /** How many calls of `take` the unsent reads need. */
    batches: () => Math.ceil(unsent.size / MAX_ROWS),
    /** Redis has these reads; `before` is how many it had, and `row` what it has now. */
    acknowledge({ id, reads, waiting }: Delta, before: number, row: string): void {
      store(id, row);
      const sum = sumOf(row);
      for (const { reads: position, onCount } of waiting.splice(0))
        onCount(position > before ? Math.min(sum - (reads - position), MAX_COUNT) : undefined);
    },
    /** Sends all reads again that Redis did not acknowledge. */
    retry(): void {
      for (const [id, { waiting }] of pending) {
        unsent.add(id);
        giveUp(waiting);
      }
    },
    /** A number that differs after every change of a count. */
    revision: () => revision,
    /** Reads of this process that Redis does not have yet. */
    unsaved: () => unsaved,
    /** All news items with reads. */
    *ids(): IterableIterator<number> {
      yield* rows.keys();
      for (const id of pending.keys()) if (!rows.has(id)) yield id;
    },
    /** The row with the reads that Redis does not have yet. */
    rowToSave(id: number): string {
      const row = rows.get(id) ?? '0';
      const own = pending.get(id);
      if (!own) return row;
      return formatRow(raiseRow(parseRow(row, id), own.floor, column, ownReads(id) + own.reads));
    },
  };
}

/** Lets requests go on without a count. */
export function giveUp(waiting: Waiting[]): void {
  for (const { onCount } of waiting.splice(0)) onCount(undefined);
}
