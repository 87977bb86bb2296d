import { setImmediate } from 'node:timers/promises';
import { type Log, plural } from '../../messages.ts';
import { countIn, type Ledger, storeRow } from './ledger.ts';
import { FOLDED, foldRow, formatRow, mergeRows, parseRow, sumOf } from './rows.ts';
import { changeRows, foldColumns, join, type Session, scanRows } from './session.ts';

const STEP = 2000;

/**
 * Compares all rows with those in Redis: takes what Redis has, adds what it lacks, and folds the columns of processes that
 * ended long ago. Works in pieces, between which requests are answered.
 */
export async function compareAll(session: Session, log: Log): Promise<void> {
  const { ledger } = session;
  await join(session);
  const missing = new Set(ledger.rows.keys());
  const differing = new Map<number, string>();
  const columns = new Set<string>();
  for await (const rows of scanRows(session))
    for (const [id, row] of rows) {
      missing.delete(id);
      const known = ledger.rows.get(id);
      if (known === undefined) storeRow(ledger, id, row);
      else if (known !== row) differing.set(id, row);
      for (const column of [...columnsOfRow(row), ...columnsOfRow(known)]) columns.add(column);
    }
  for await (const id of inSteps(missing)) {
    differing.set(id, '');
    for (const column of columnsOfRow(ledger.rows.get(id))) columns.add(column);
  }
  const { before, folded } = await findFolded(session, columns, differing);
  if (folded.size > 0)
    for await (const [id, row] of inSteps(ledger.rows))
      if (id !== FOLDED && !differing.has(id) && columnsOfRow(row).some(column => folded.has(column)))
        differing.set(id, row);
  const lacked = new Map<number, number>();
  await changeRows(session, [...differing], (id, stored) => {
    const known = ledger.rows.get(id) ?? '0';
    const merged =
      stored === '' ? parseRow(known, id) : mergeRows(parseRow(known, id), parseRow(stored, id), before);
    const row = formatRow(foldRow(merged, folded));
    if (row !== known) storeRow(ledger, id, row);
    const reads = sumOf(row) - (stored === '' ? 0 : sumOf(stored));
    if (reads > 0) lacked.set(id, reads);
    return row;
  });
  ledger.hasLost = false;
  if (session.column !== ledger.column) countIn(ledger, session.column);
  if (lacked.size === 0) return;
  const reads = [...lacked.values()].reduce((sum, reads) => sum + reads, 0);
  log.warn(
    `Redis lacked ${plural(reads, 'read')} of ${plural(lacked.size, 'news item')} that are known here: added them`,
  );
}

/** Merges rows that another process has saved. Redis may lack reads in them, so all rows are compared again. */
export function mergeSaved(ledger: Ledger, saved: ReadonlyMap<number, string>): void {
  const folded = new Set([ledger.rows.get(FOLDED), saved.get(FOLDED)].flatMap(columnsOfRow));
  for (const [id, row] of saved) {
    const known = ledger.rows.get(id);
    const merged =
      known === undefined ? row : formatRow(mergeRows(parseRow(known, id), parseRow(row, id), folded));
    if (merged === known) continue;
    storeRow(ledger, id, merged);
    ledger.hasLost = true;
  }
}

/** Finds the columns to fold, and announces them before any row changes. Returns those folded before, and all. */
async function findFolded(session: Session, columns: ReadonlySet<string>, differing: Map<number, string>) {
  const { ledger } = session;
  const stored = differing.get(FOLDED) ?? ledger.rows.get(FOLDED) ?? '';
  const before = new Set([ledger.rows.get(FOLDED), stored].flatMap(columnsOfRow));
  const folded = new Set(before);
  const others = [...columns].filter(column => column !== session.column && !folded.has(column));
  for (const column of await foldColumns(session, [...folded], others)) folded.add(column);
  if (folded.size > before.size || differing.has(FOLDED))
    await changeRows(session, [[FOLDED, stored]], (_, row) => {
      // Another process may have folded more.
      for (const column of columnsOfRow(row)) before.add(column);
      const all = new Map([...before, ...folded].map(column => [column, 1]));
      const merged = formatRow({ base: 0, version: 0, columns: all });
      storeRow(ledger, FOLDED, merged);
      return merged;
    });
  differing.delete(FOLDED);
  return { before, folded: new Set([...before, ...folded]) };
}

function columnsOfRow(row = ''): string[] {
  return row.match(/[a-z][a-z0-9]*(?==)/g) ?? [];
}

/** Yields the items, with pauses in which requests are answered. */
async function* inSteps<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let count = 0;
  for (const item of items) {
    yield item;
    count += 1;
    if (count % STEP === 0) await setImmediate();
  }
}
