import { dirname } from 'node:path';
import { type Fs, syncDirectory, writeWhole } from '../../files/atomic-write.ts';
import { formatState } from '../../files/state-format.ts';
import { writeContents } from './contents.ts';
import { entryPath, listEntries } from './entries.ts';
import { type Entry, entryFormat } from './entry.ts';
import { onDisk } from './prune.ts';

/**
 * Keeps a set that is about to go live as the newest entry; `contents` are the compressed files that the history does not have yet.
 * Once it resolves, to the bytes that it takes, the entry survives a power loss; if it rejects or is interrupted, the
 * history is as it was.
 */
export async function keepEntry(
  fs: Fs,
  dir: string,
  entry: Entry,
  contents: ReadonlyMap<string, Buffer>,
): Promise<number> {
  // An entry is written only when its contents are safe, so that each one that is found can be read.
  await writeContents(fs, dir, contents);
  const number = 1 + ((await listEntries(fs, dir)).at(-1)?.number ?? 0);
  const path = entryPath(dir, { number, version: entry.version });
  const text = formatState(number, entry, entryFormat);
  await writeWhole(fs, path, text);
  await syncDirectory(fs, dir);
  await syncDirectory(fs, dirname(dir));
  return [...contents.values()].reduce(
    (sum, { length }) => sum + onDisk(length),
    onDisk(Buffer.byteLength(text)),
  );
}
