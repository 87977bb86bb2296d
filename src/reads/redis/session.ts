import { randomBytes } from 'node:crypto';
import type { Connection } from './connection.ts';
import type { Delta, Ledger } from './ledger.ts';
import { MAX_ROWS, type ScriptName } from './scripts.ts';

export type Session = ReturnType<typeof openSession>;

/** A name that nobody else has, for a column or an epoch. */
export function newName(): string {
  return `c${randomBytes(5).toString('hex')}`;
}

/** Calls the scripts for a process, and remembers what Redis had when it last answered. */
export function openSession(connection: Connection, ledger: Ledger, previousOwner?: string) {
  const owner = newName();
  let isOwn = previousOwner === undefined;
  let hasJoined = isOwn;
  let column = ledger.column();
  let epoch = '';
  let [revision, stamp, since] = [0, 0, 0];
  const run = async (script: ScriptName, args: (string | number)[]) =>
    (await connection.run(script, args)) as string[];
  const learn = (newRevision: string | undefined, newStamp: string | number) => {
    revision = Math.max(revision, Number(newRevision));
    stamp = Math.max(stamp, Number(newStamp));
  };

  /** Undefined if Redis has less than it had. */
  const exchange = async (from: number, sent: (string | number)[] = []) => {
    const head = [epoch, column, owner, stamp, revision, from];
    const [newRevision, newStamp, rows, changed, last] = await run('exchange', [...head, ...sent]);
    if (newStamp === undefined) return undefined;
    learn(newRevision, newStamp);
    return { revision: Number(newRevision), rows, changed, last };
  };

  /** Returns a new column, in which to count after the next `join`. */
  const beginColumn = () => {
    [column, stamp, isOwn] = [newName(), 0, true];
    return column;
  };

  return {
    column: () => column,
    /** The owner of the column in Redis. */
    owner: () => (hasJoined ? owner : previousOwner),
    beginColumn,
    /** Begins to count in the column of the process before, or in a new one if Redis folded it or has another owner. */
    async join(): Promise<void> {
      for (;;) {
        const asked = column;
        const other = isOwn ? owner : String(previousOwner);
        const known = [epoch, stamp, revision, newName(), Number(ledger.hasLost())];
        const [joined, ...reply] = await run('join', [asked, other, owner, ...known]);
        if (asked !== column) continue;
        isOwn = true;
        if (joined !== undefined) {
          epoch = joined;
          hasJoined = true;
          learn(reply[0], Number(reply[1]));
          since = Number(reply[0]);
          return;
        }
        beginColumn();
      }
    },
    /** Sends reads, and stores what Redis has. Returns false if Redis has less than it had: compare all rows. */
    async send(deltas: Delta[]): Promise<boolean> {
      const sent = deltas.flatMap(({ id, reads, floor }) => [id, reads, floor]);
      const reply = await exchange(-1, sent);
      if (!reply) return false;
      for (const [index, line] of lines(reply.rows).entries()) {
        const delta = deltas[index];
        const [before, row] = split(line);
        if (delta) ledger.acknowledge(delta, before, row);
      }
      return !ledger.hasLost();
    },
    /** Stores the rows that changed since the last time. Returns false as `send` does. */
    async receive(): Promise<boolean> {
      for (;;) {
        const reply = await exchange(since);
        if (!reply) return false;
        for (const [id, row] of lines(reply.changed).map(split)) ledger.store(id, row);
        since = Number(reply.last);
        if (since >= reply.revision) return !ledger.hasLost();
      }
    },
    /** All rows, in pieces; some may come twice. */
    async *scan(): AsyncGenerator<[number, string][]> {
      for (let cursor: string | undefined; cursor !== '0'; ) {
        const [next = '0', rows] = await run('scan', [cursor ?? 0]);
        yield lines(rows).map(split);
        cursor = next;
      }
    },
    /**
     * Replaces rows, of which the stored ones are given, as far as they are known; an empty row is a missing one. Asks
     * `change` again for a row that was another one.
     * @throws Error if Redis lost something meanwhile.
     */
    async change(stored: [number, string][], change: (id: number, row: string) => string): Promise<void> {
      const replace = async (part: [number, string][]): Promise<[number, string][]> => {
        const rows = part.map(([id, row]) => [id, row, change(id, row)] as const);
        const args = rows.filter(([, row, changed]) => row !== changed).flat();
        if (args.length === 0) return [];
        const [newRevision, differing] = await run('replace', [epoch, ...args]);
        if (newRevision === undefined) throw new Error('it lost something again');
        learn(newRevision, 0);
        return lines(differing).map(split);
      };
      for (let left = stored; left.length > 0; ) {
        const differing: [number, string][] = [];
        for (let start = 0; start < left.length; start += MAX_ROWS)
          differing.push(...(await replace(left.slice(start, start + MAX_ROWS))));
        left = differing;
      }
    },
    /** Marks folded columns, and returns the others whose processes ended long ago. */
    fold: (folded: string[], others: string[]) => run('fold', [folded.length, ...folded, ...others]),
  };
}

function lines(text = ''): string[] {
  return text === '' ? [] : text.split('\n');
}

/** A line that begins with a number. */
function split(line: string): [number, string] {
  const end = line.indexOf(' ');
  return [Number(line.slice(0, end)), line.slice(end + 1)];
}
