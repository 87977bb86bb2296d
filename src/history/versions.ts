import { ApiError } from '../errors.ts';
import { nearest, printable } from '../messages.ts';
import { rfc3339 } from '../time-zone.ts';
import { type Entry, type EntryName, type HistoryPlace, listEntries, readEntry } from './entries.ts';

/** Reads a page of the entries, newest first, without damaged ones. @throws as `readEntry` does. */
export async function readEntryPage(history: HistoryPlace, { page, limit }: { page: number; limit: number }) {
  const names = (await listEntries(history)).reverse();
  const found = new Map<EntryName, Entry>();
  for (const name of names.slice((page - 1) * limit, page * limit)) {
    const entry = await readEntry(history, name);
    if (entry) found.set(name, entry);
  }
  return {
    entries: [...found.values()],
    total: names.length,
    /** The newest entry of a version, if it is on the page. */
    newestOf(version: string): Entry | undefined {
      const newest = names.find(name => name.version === version);
      return newest && found.get(newest);
    },
  };
}

/** Describes a set for people. */
export function describeVersion(entry: Pick<Entry, 'version' | 'since' | 'files' | 'summary'>) {
  const { version, since, files, summary } = entry;
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

/** The minimum number of digits that name a version; names of directories rarely are as long. */
const MIN_DIGITS_TO_FIND = 4;

/** Whether a text can be a version or its first digits. */
export function isVersion(text: string): boolean {
  return /^[0-9a-f]+$/.test(text) && text.length >= MIN_DIGITS_TO_FIND;
}

/**
 * Finds the newest entry of a version, given as a whole or by its first digits.
 * @throws ApiError that names the nearest version if there is none, or all if there are several; and as `readEntry` does.
 */
export async function findVersion(history: HistoryPlace, text: string): Promise<Entry> {
  const entries = await listEntries(history);
  const asked = printable(text, 40);
  if (entries.length === 0)
    throw notFound(asked, 'is not in the history: no set has been served with this STATE_DIR yet');
  const versions = [...new Set(entries.map(({ version }) => version))];
  const found = isVersion(text) ? versions.filter(version => version.startsWith(text)) : [];
  if (found.length > 1) throw notFound(asked, `can be ${found.join(' or ')}: write more of it`);
  const [version] = found;
  if (version === undefined) {
    const near = nearest(text, versions);
    const hint = near ? `did you mean ${near}?` : `the newest is ${versions.at(-1)}`;
    throw notFound(asked, `is not in the history: ${hint}`);
  }
  for (const name of entries.filter(entry => entry.version === version).reverse()) {
    const entry = await readEntry(history, name);
    if (entry) return entry;
  }
  throw new ApiError('VERSION_DAMAGED', { version, problem: 'of the history is damaged' });
}

function notFound(version: string, problem: string): ApiError {
  return new ApiError('VERSION_NOT_FOUND', { version, problem });
}
