import type { Fs } from '../../files/atomic-write.ts';
import { rfc3339 } from '../../time-zone.ts';
import { type EntryName, listEntries, type OnDamage, readEntry } from './entries.ts';
import type { Entry } from './entry.ts';

/** Some of the history. */
export interface EntryPage {
  entries: Entry[];
  /** The number of all entries. */
  total: number;
  /** The newest entry of a version, if it is on the page. */
  newestOf(version: string): Entry | undefined;
}

/** Reads a page of the entries, newest first. A damaged one is left out. @throws as `readEntry` does. */
export async function readEntryPage(
  fs: Fs,
  dir: string,
  { page, limit }: { page: number; limit: number },
  onDamage: OnDamage,
): Promise<EntryPage> {
  const names = (await listEntries(fs, dir)).reverse();
  const found = new Map<EntryName, Entry>();
  for (const name of names.slice((page - 1) * limit, page * limit)) {
    const entry = await readEntry(fs, dir, name, onDamage);
    if (entry) found.set(name, entry);
  }
  return {
    entries: [...found.values()],
    total: names.length,
    newestOf(version) {
      const newest = names.find(name => name.version === version);
      return newest && found.get(newest);
    },
  };
}

/** What people see of a set that was served. */
export function describeVersion({
  version,
  since,
  files,
  summary,
}: Pick<Entry, 'version' | 'since' | 'files' | 'summary'>) {
  return {
    version,
    since: rfc3339(since),
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    files: files.map(({ catalog, file, sheet, rows, bytes }) => ({
      catalog,
      file,
      ...(sheet !== undefined && { sheet }),
      ...{ rows, bytes },
    })),
    changes: summary ?? null,
  };
}
