import { dirname, join } from 'node:path';
import { type Fs, statsOf, syncDirectory, unlessMissing, writeWhole } from '../files/atomic-write.ts';
import { formatState } from '../files/state-format.ts';
import type { Settings } from '../settings/settings.ts';
import { DAY } from '../time-zone.ts';
import {
  contentPath,
  contentsPath,
  type Entry,
  eachEntry,
  entryPath,
  type HistoryPlace,
  listEntries,
} from './entries.ts';

const NO_ROOM =
  'the disk is nearly full, and its last 32 MB (or tenth) are for read counts: free some space, or lower HISTORY_MB';

/**
 * Stores a set as the newest entry; `contents` are the compressed files that the history lacks. Once this resolves, the entry
 * survives a power loss. If it rejects or is interrupted, the history is unchanged. Rejects if it would use the space reserved
 * for read counts.
 */
export async function keepEntry(fs: Fs, dir: string, entry: Entry, contents: ReadonlyMap<string, Buffer>) {
  const number = 1 + ((await listEntries({ fs, dir })).at(-1)?.number ?? 0);
  const { version, ...rest } = entry;
  const text = formatState(number, { catalogs: version, ...rest });
  const lengths = [Buffer.byteLength(text), ...Array.from(contents.values(), ({ length }) => length)];
  const bytes = lengths.reduce((sum, length) => sum + onDisk(length), 0);
  if (!(await hasRoom(fs, dirname(dir), bytes))) throw new Error(NO_ROOM);
  // Contents come first, so that every entry that is found can be read.
  await fs.mkdir(contentsPath(dir));
  for (const [hash, content] of contents) await writeWhole(fs, contentPath(dir, hash), content);
  await syncDirectory(fs, contentsPath(dir));
  await writeWhole(fs, entryPath(dir, { number, version }), text);
  await syncDirectory(fs, dir);
  await syncDirectory(fs, dirname(dir));
}

export type HistoryBounds = Pick<Settings, 'historyMb' | 'historyDays'>;

/** Files of the history, including what interrupted writes and damage left. */
const OWN_FILE = /^(\d{6,}-[0-9a-f]+\.json|[0-9a-f]{64}\.gz)(\.tmp|\.damaged)?$/;
/** The block size of most file systems. */
const BLOCK_BYTES = 4096;

/** Deletes the oldest entries beyond the bounds, but never the newest, and files without an entry. `now` is in Unix seconds. */
export async function prune(history: HistoryPlace, { historyMb, historyDays }: HistoryBounds, now: number) {
  const { fs, dir } = history;
  if ((await listEntries(history)).length === 0) return;
  const sizes = new Map<string, number>();
  for (const folder of [dir, contentsPath(dir)])
    for (const name of await fs.readdir(folder)) {
      const path = join(folder, name);
      if (OWN_FILE.test(name)) sizes.set(path, onDisk(Number((await statsOf(fs, path))?.size ?? 0)));
    }
  const maxBytes = historyMb * 2 ** 20;
  const kept = new Set<string>();
  let keptBytes = 0;
  let next = Number.POSITIVE_INFINITY;
  for await (const { name, entry } of eachEntry(history)) {
    const { files, report } = entry;
    const contents = [...files, ...(report ? [report] : [])].map(({ sha256 }) => contentPath(dir, sha256));
    const paths = [entryPath(dir, name), ...contents];
    const added = new Set(paths.filter(path => !kept.has(path)));
    for (const path of added) keptBytes += sizes.get(path) ?? 0;
    // Correct even if the clock was set back.
    const replacedAt = Math.max(entry.since, next);
    if (kept.size > 0 && (keptBytes > maxBytes || replacedAt < now - historyDays * DAY)) break;
    for (const path of added) kept.add(path);
    next = entry.since;
  }
  const isEntry = (path: string) => path.endsWith('.json');
  const gone = [...sizes.keys()].filter(path => !kept.has(path));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  // Damaged files stay while there is room.
  if (bytes <= maxBytes && !gone.some(isEntry)) return;
  for (const path of gone.filter(isEntry)) await fs.unlink(path).catch(unlessMissing);
  // After a power loss, no entry may reappear without its contents.
  await syncDirectory(fs, dir);
  for (const path of gone) if (!isEntry(path)) await fs.unlink(path).catch(unlessMissing);
}

/** Rounds up to whole blocks. */
export function onDisk(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** Space that is reserved for read counts: this many bytes, or this part of the disk if that is less. */
const RESERVED_BYTES = 32 * 2 ** 20;
const RESERVED_PART = 0.1;

/**
 * Whether a disk has room for so many bytes besides the space for read counts. Check before writing what the service can do
 * without. True if the disk does not say how full it is.
 */
export async function hasRoom(fs: Pick<Fs, 'statfs'>, dir: string, bytes: number): Promise<boolean> {
  const stats = await fs.statfs(dir).catch(() => undefined);
  if (!stats) return true;
  const { bsize, blocks, bavail } = stats;
  return bavail * bsize - bytes >= Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_PART);
}
