import { dirname } from 'node:path';
import { type Fs, syncDirectory, writeWhole } from '../../files/atomic-write.ts';
import { hasRoom } from '../../files/room.ts';
import { formatState } from '../../files/state-format.ts';
import { writeContents } from './contents.ts';
import { entryPath, listEntries } from './entries.ts';
import { type Entry, entryFormat } from './entry.ts';
import { onDisk } from './prune.ts';

/** Safe to show to clients. */
const NO_ROOM =
  'the disk is nearly full, and its last 32 MB (or tenth) are for read counts: free some space, or lower HISTORY_MB';

/**
 * Keeps a set that is about to go live as the newest entry; `contents` are the compressed files that the history does not have yet.
 * Once it resolves, to the bytes that it takes, the entry survives a power loss; if it rejects or is interrupted, the
 * history is as it was. Rejects if the disk must keep its room for read counts.
 */
export async function keepEntry(
  fs: Fs,
  dir: string,
  entry: Entry,
  contents: ReadonlyMap<string, Buffer>,
): Promise<number> {
  const number = 1 + ((await listEntries(fs, dir)).at(-1)?.number ?? 0);
  const text = formatState(number, entry, entryFormat);
  const lengths = [Buffer.byteLength(text), ...Array.from(contents.values(), ({ length }) => length)];
  const bytes = lengths.reduce((sum, length) => sum + onDisk(length), 0);
  if (!(await hasRoom(fs, dirname(dir), bytes))) throw new Error(NO_ROOM);
  // An entry is written only when its contents are safe, so that each one that is found can be read.
  await writeContents(fs, dir, contents);
  await writeWhole(fs, entryPath(dir, { number, version: entry.version }), text);
  await syncDirectory(fs, dir);
  await syncDirectory(fs, dirname(dir));
  return bytes;
}
