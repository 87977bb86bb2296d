import type { OnDamage } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import type { CatalogSource } from '../reader/read-set.ts';
import { openReaderProcess } from '../reader/reader-process.ts';

/** Reads sets of the history without harm to the serving process, as loaders do: a child process of its own reads each time. */
export interface HistoryReader {
  /** Whether all files of a set can be read. @throws Error that says why that is not known. */
  isWhole(entry: Entry): Promise<boolean>;
  /** Aborts what is under way, which then rejects. */
  close(): void;
}

export function openHistoryReader(source: CatalogSource, onDamage: OnDamage): HistoryReader {
  const closing = new AbortController();
  const { signal } = closing;
  return {
    async isWhole(entry) {
      signal.throwIfAborted();
      const reader = openReaderProcess(source);
      try {
        const task = { task: 'verify', source, entry } as const;
        const { isWhole, damage } = await reader.ask(task, undefined, undefined, signal);
        damage.forEach(onDamage);
        return isWhole;
      } finally {
        reader.close();
      }
    },
    close: () => closing.abort(),
  };
}
