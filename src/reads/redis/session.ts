import { randomBytes } from 'node:crypto';
import type { Connection } from './connection.ts';
import { acknowledge, type Delta, type Ledger, storeRow } from './ledger.ts';
import { CALL_ROWS, type ScriptName } from './scripts.ts';

export type Session = ReturnType<typeof openSession>;

/** Returns a unique name for a column, an owner or an epoch. */
export function newName(): string {
  return `c${randomBytes(5).toString('hex')}`;
}

/** Opens a session: it calls the scripts, and remembers what Redis had when it last answered. */
export function openSession(connection: Connection, ledger: Ledger, previousOwner?: string) {
  const owner = newName();
  return {
    ...{ connection, ledger, owner },
    /** The column to count in after the next `join`. */
    column: ledger.column,
    /** The owner of the column in Redis, and whether it never had another. */
    columnOwner: previousOwner ?? owner,
    isOwn: previousOwner === undefined,
    epoch: '',
    revision: 0,
    stamp: 0,
    /** The revision up to which changes are known. */
    since: 0,
  };
}

/** Begins a new column, which counts after the next `join`. */
export function beginColumn(session: Session): string {
  session.column = newName();
  session.stamp = 0;
  session.isOwn = true;
  return session.column;
}

/** Joins in the column of the last process, or in a new one if that was folded or has another owner. */
export async function join(session: Session): Promise<void> {
  for (;;) {
    const { column, isOwn, owner, columnOwner, epoch, stamp, revision, ledger } = session;
    const known = [epoch, stamp, revision, newName(), Number(ledger.hasLost)];
    const args = [column, isOwn ? owner : columnOwner, owner, ...known];
    const [joined, ...reply] = await runScript(session, 'join', args);
    if (column !== session.column) continue;
    session.isOwn = true;
    if (joined !== undefined) {
      session.epoch = joined;
      session.columnOwner = owner;
      session.since = Number(reply[0]);
      return learn(session, reply[0], reply[1]);
    }
    beginColumn(session);
  }
}

/** Sends reads and stores the answer. Returns false if Redis has lost something: then compare all rows. */
export async function sendReads(session: Session, deltas: Delta[]): Promise<boolean> {
  const { ledger } = session;
  const sent = deltas.flatMap(({ id, reads, floor }) => [id, reads, floor]);
  const reply = await exchange(session, -1, sent);
  if (!reply) return false;
  for (const [index, line] of splitLines(reply.rows).entries()) {
    const delta = deltas[index];
    const [before, row] = split(line);
    if (delta) acknowledge(ledger, delta, before, row);
  }
  return !ledger.hasLost;
}

/** Fetches changed rows. Returns false as `sendReads` does. */
export async function receiveRows(session: Session): Promise<boolean> {
  const { ledger } = session;
  for (;;) {
    const reply = await exchange(session, session.since);
    if (!reply) return false;
    for (const [id, row] of splitLines(reply.changed).map(split)) storeRow(ledger, id, row);
    session.since = Number(reply.last);
    if (session.since >= reply.revision) return !ledger.hasLost;
  }
}

/** Yields all rows, in pieces. Some may come twice. */
export async function* scanRows(session: Session): AsyncGenerator<[number, string][]> {
  for (let cursor: string | undefined; cursor !== '0'; ) {
    const [next = '0', rows] = await runScript(session, 'scan', [cursor ?? 0]);
    yield splitLines(rows).map(split);
    cursor = next;
  }
}

/**
 * Replaces rows with what `change` returns for them. `stored` has the rows as last known, empty for missing ones; `change` is
 * called again for each that differs in Redis.
 * @throws Error if Redis loses something meanwhile.
 */
export async function changeRows(
  session: Session,
  stored: [number, string][],
  change: (id: number, row: string) => string,
): Promise<void> {
  const replace = async (part: [number, string][]): Promise<[number, string][]> => {
    const rows = part.map(([id, row]) => [id, row, change(id, row)] as const);
    const args = rows.filter(([, row, changed]) => row !== changed).flat();
    if (args.length === 0) return [];
    const [newRevision, differing] = await runScript(session, 'replace', [session.epoch, ...args]);
    if (newRevision === undefined) throw new Error('it lost something again');
    learn(session, newRevision);
    return splitLines(differing).map(split);
  };
  for (let left = stored; left.length > 0; ) {
    const differing: [number, string][] = [];
    for (let start = 0; start < left.length; start += CALL_ROWS)
      differing.push(...(await replace(left.slice(start, start + CALL_ROWS))));
    left = differing;
  }
}

/** Marks folded columns in Redis. Returns those of the `others` that must be folded as well. */
export function foldColumns(session: Session, folded: string[], others: string[]): Promise<string[]> {
  return runScript(session, 'fold', [folded.length, ...folded, ...others]);
}

/** Resolves to undefined if Redis has lost something. */
async function exchange(session: Session, from: number, sent: (string | number)[] = []) {
  const { epoch, column, owner, stamp, revision } = session;
  const args = [epoch, column, owner, stamp, revision, from, ...sent];
  const [newRevision, newStamp, rows, changed, last] = await runScript(session, 'exchange', args);
  if (newStamp === undefined) return undefined;
  learn(session, newRevision, newStamp);
  return { revision: Number(newRevision), rows, changed, last };
}

function learn(session: Session, revision: string | undefined, stamp: string | number = 0): void {
  session.revision = Math.max(session.revision, Number(revision));
  session.stamp = Math.max(session.stamp, Number(stamp));
}

async function runScript({ connection }: Session, script: ScriptName, args: (string | number)[]) {
  return (await connection.run(script, args)) as string[];
}

function splitLines(text = ''): string[] {
  return text === '' ? [] : text.split('\n');
}

function split(line: string): [number, string] {
  const end = line.indexOf(' ');
  return [Number(line.slice(0, end)), line.slice(end + 1)];
}
