import { MAX_COUNT } from '../counts.ts';
import { formatRow, mergeRows, parseRow, raiseRow, readsIn, sumOf } from './rows.ts';
import { CALL_ROWS } from './scripts.ts';

/** A request that waits for its count: its read is the one that raises the own column to `reads`. */
interface Waiting {
  reads: number;
  /** Receives the count; undefined if it is not known. */
  onCount(count: number | undefined): void;
}

/** Reads of a news item that Redis may not have yet, and the largest floor among them. */
export interface Pending {
  reads: number;
  floor: number;
  waiting: Waiting[];
}

/** What to send for a news item: `reads` is the new total of the own column. */
export interface Delta extends Pending {
  id: number;
}

export type Ledger = ReturnType<typeof openLedger>;

/** Opens a ledger: the rows as last known, and the own reads that are not in them yet. Mutable; keys are news ids. */
export function openLedger(rows: Map<number, string>, column: string) {
  return {
    column,
    rows,
    pending: new Map<number, Pending>(),
    /** News items with reads to send. */
    unsent: new Set<number>(),
    /** Own reads that Redis has not confirmed. */
    unsaved: 0,
    /** Rises with every change of a count. */
    revision: 0,
    /** Whether Redis may lack a known row or part of it, since the last comparison. */
    hasLost: false,
  };
}

export function shownIn({ rows, pending }: Ledger, id: number, floor: number): number {
  const count = Math.max(sumOf(rows.get(id) ?? '0'), floor);
  return Math.min(count + (pending.get(id)?.reads ?? 0), MAX_COUNT);
}

export function addRead(ledger: Ledger, id: number, floor: number, onCount?: Waiting['onCount']): void {
  const own = ledger.pending.get(id) ?? { reads: 0, floor: 0, waiting: [] };
  own.reads += 1;
  own.floor = Math.max(own.floor, floor);
  if (onCount) own.waiting.push({ reads: ownReads(ledger, id) + own.reads, onCount });
  ledger.pending.set(id, own);
  ledger.unsent.add(id);
  ledger.unsaved += 1;
  ledger.revision += 1;
}

/** Takes up to `CALL_ROWS` items to send. */
export function takeUnsent(ledger: Ledger): Delta[] {
  const deltas: Delta[] = [];
  for (const id of ledger.unsent) {
    if (deltas.length === CALL_ROWS) break;
    ledger.unsent.delete(id);
    const own = ledger.pending.get(id);
    if (!own) continue;
    const { floor, waiting } = own;
    deltas.push({ id, reads: ownReads(ledger, id) + own.reads, floor, waiting: waiting.splice(0) });
  }
  return deltas;
}

/** Handles the answer to a delta: Redis had `before` reads in the column, and now has `row`. */
export function acknowledge(ledger: Ledger, delta: Delta, before: number, row: string): void {
  const { id, reads, waiting } = delta;
  storeRow(ledger, id, row);
  const sum = sumOf(row);
  for (const { reads: position, onCount } of waiting.splice(0))
    onCount(position > before ? Math.min(sum - (reads - position), MAX_COUNT) : undefined);
}

/** Marks all unconfirmed reads to be sent again. */
export function sendAgain({ pending, unsent }: Ledger): void {
  for (const [id, { waiting }] of pending) {
    unsent.add(id);
    giveUp(waiting);
  }
}

/** Lets waiting requests continue without a count. */
export function giveUp(waiting: Waiting[]): void {
  for (const { onCount } of waiting.splice(0)) onCount(undefined);
}

/** Stores a row from Redis. What only the known row has is kept, and noted as lost in Redis. */
export function storeRow(ledger: Ledger, id: number, row: string): void {
  const { rows, pending, unsent } = ledger;
  const before = ownReads(ledger, id);
  const stored = parseRow(row, id);
  const known = parseRow(rows.get(id) ?? '0', id);
  // Only a process that knew all columns can make a newer version.
  const merged = stored.version > known.version ? row : formatRow(mergeRows(stored, known, new Set()));
  ledger.hasLost ||= merged !== row;
  rows.set(id, merged);
  ledger.revision += 1;
  const own = pending.get(id);
  if (!own) return;
  const settled = Math.min(own.reads, Math.max(0, ownReads(ledger, id) - before));
  own.reads -= settled;
  ledger.unsaved -= settled;
  if (own.reads > 0) return;
  pending.delete(id);
  unsent.delete(id);
  giveUp(own.waiting);
}

/** Counts in another column from now on, also unconfirmed reads. */
export function countIn(ledger: Ledger, column: string): void {
  ledger.column = column;
  ledger.revision += 1;
  for (const { waiting } of ledger.pending.values()) giveUp(waiting);
}

export function* idsIn({ rows, pending }: Ledger): IterableIterator<number> {
  yield* rows.keys();
  for (const id of pending.keys()) if (!rows.has(id)) yield id;
}

/** Returns the row including unconfirmed reads. */
export function rowToSave(ledger: Ledger, id: number): string {
  const row = ledger.rows.get(id) ?? '0';
  const own = ledger.pending.get(id);
  if (!own) return row;
  return formatRow(raiseRow(parseRow(row, id), own.floor, ledger.column, ownReads(ledger, id) + own.reads));
}

function ownReads({ rows, column }: Ledger, id: number): number {
  return readsIn(rows.get(id) ?? '', column);
}
