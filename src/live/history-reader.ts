import type { OnDamage } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import type { CatalogSource } from '../reader/load-set.ts';
import { openReaderProcess, type ReaderProcess } from '../reader/reader-process.ts';
import type { ComparedSide } from '../reader/sides.ts';
import type { ChangeTable } from '../set/compare/changes.ts';
import { openColumns, type SnapshotChunk } from '../snapshot/chunks.ts';

/** Reads sets of the history without harm to the serving process, as loaders do: a child process of its own reads each time. */
export interface HistoryReader {
  /**
   * What changes from one set to another, hidden rows included. Keeps the last comparison.
   * @throws BusyError while another comparison is under way, and Error that says why the two cannot be compared.
   */
  compare(from: ComparedSide, to: ComparedSide): Promise<ChangeTable>;
  /** Whether all files of a set can be read. @throws Error that says why that is not known. */
  isWhole(entry: Entry): Promise<boolean>;
  /** Aborts what is under way, which then rejects. */
  close(): void;
}

/** Only one comparison at a time has the memory that it may take. */
export class BusyError extends Error {}

export function openHistoryReader(source: CatalogSource, onDamage: OnDamage): HistoryReader {
  const closing = new AbortController();
  const { signal } = closing;
  let last: { key: string; table: Promise<ChangeTable> } | undefined;
  let isComparing = false;

  const read = async <Result>(use: (reader: ReaderProcess) => Promise<Result>): Promise<Result> => {
    signal.throwIfAborted();
    const reader = openReaderProcess(source);
    try {
      return await use(reader);
    } finally {
      reader.close();
    }
  };
  const compareNow = (from: ComparedSide, to: ComparedSide) =>
    read(async reader => {
      const columns = openColumns<ChangeTable>();
      const task = { task: 'compare', source, from, to } as const;
      const add = (chunk: SnapshotChunk) => {
        if (chunk.catalog === 'changes') columns.add(chunk);
      };
      const { damage } = await reader.ask(task, undefined, add, signal);
      damage.forEach(onDamage);
      return columns.table();
    });
  return {
    async compare(from, to) {
      const key = JSON.stringify([from, to]);
      if (last?.key === key) return last.table;
      if (isComparing) throw new BusyError('another comparison is under way');
      isComparing = true;
      // There is no need for the memory of both.
      last = undefined;
      const table = compareNow(from, to);
      last = { key, table };
      try {
        return await table;
      } catch (error) {
        last = undefined;
        throw error;
      } finally {
        isComparing = false;
      }
    },
    isWhole: entry =>
      read(async reader => {
        const task = { task: 'verify', source, entry } as const;
        const { isWhole, damage } = await reader.ask(task, undefined, undefined, signal);
        damage.forEach(onDamage);
        return isWhole;
      }),
    close: () => closing.abort(),
  };
}
