import { type Counts, MAX_COUNT } from '../counts.ts';
import { openConnection } from './connection.ts';
import { openLedger } from './ledger.ts';
import { formatRow, parseRow, type Row, raiseRow, sumOf } from './rows.ts';
import { countsOf } from './rows-file.ts';
import { SCRIPTS } from './scripts.ts';
import { openSession, type Session } from './session.ts';

interface Place {
  redisUrl: string[];
  redisPrefix: string;
}

const SILENT = { info() {}, warn() {}, error() {} };

/** Called with the number of counts so far. */
export type OnCounts = (done: number) => void;

/** All counts in Redis. @throws Error if it fails. */
export function readStored(place: Place, onCounts: OnCounts): Promise<Counts> {
  return withSession(place, async session => {
    const counts: Counts = new Map();
    for await (const rows of session.scan()) {
      for (const [id, row] of rows) parseRow(row, id);
      for (const [id, count] of countsOf(rows)) counts.set(id, count);
      onCounts(counts.size);
    }
    return counts;
  });
}

/** Raises the counts in Redis to at least these. Returns the counts before. @throws Error if it fails. */
export function raiseStored(place: Place, counts: Counts, onCounts: OnCounts): Promise<Counts> {
  return changeStored(place, [...counts.keys()], onCounts, (row, id) => raiseRow(row, counts.get(id) ?? 0));
}

/** Sets a count in Redis, also to a smaller one. Returns the count before. @throws Error if it fails. */
export async function setStored(place: Place, id: number, count: number): Promise<number> {
  const before = await changeStored(
    place,
    [id],
    () => {},
    row => {
      const reads = sumOf(formatRow({ ...row, base: 0 }));
      return { ...row, base: count - reads, version: row.version + 1 };
    },
  );
  return before.get(id) ?? 0;
}

/** Changes rows, and returns the counts before. */
function changeStored(
  place: Place,
  ids: number[],
  onCounts: OnCounts,
  change: (row: Row, id: number) => Row,
): Promise<Counts> {
  return withSession(place, async session => {
    const before: Counts = new Map();
    const unknown = ids.map((id): [number, string] => [id, '']);
    await session.change(unknown, (id, text) => {
      const row = parseRow(text || '0', id);
      before.set(id, Math.min(sumOf(text || '0'), MAX_COUNT));
      onCounts(before.size);
      return formatRow(change(row, id));
    });
    return before;
  });
}

async function withSession<Result>(
  place: Place,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const connection = await openConnection(place, SCRIPTS, SILENT);
  try {
    return await use(openSession(connection, openLedger(new Map(), '')));
  } catch (error) {
    throw new Error(`Redis failed: ${error instanceof Error ? error.message : error}`);
  } finally {
    connection.close();
  }
}
