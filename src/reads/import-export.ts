import { systemFs } from '../files/atomic-write.ts';
import { FORMAT, NewerFormatError, parseObject } from '../files/state-format.ts';
import type { Log } from '../messages.ts';
import { type Counts, mergeCounts, parseCounts } from './counts.ts';
import { countsFormat, countsPath, openCountsFile } from './file/file-counter.ts';
import { lockStateDir } from './file/lock.ts';
import { readState } from './file/read-state.ts';
import { saveWhole } from './file/state-file.ts';
import type { ReadsSettings } from './open.ts';
import { countsOf, parseRows } from './redis/rows-file.ts';
import { type OnCounts, raiseStored, readStored } from './redis/stored-counts.ts';

/** The stored counts, as the text of a counts file. @throws Error if they cannot be read. */
export async function exportCounts(settings: ReadsSettings, onCounts: OnCounts = () => {}): Promise<string> {
  const counts = await storedCounts(settings, onCounts);
  return `${JSON.stringify({ format: FORMAT, ...countsFormat.toJson(counts) }, null, countsFormat.indent)}\n`;
}

/** The stored counts; none if nothing has counted yet. Locks and changes nothing. @throws Error if they cannot be read. */
export function storedCounts(settings: ReadsSettings, onCounts: OnCounts = () => {}): Promise<Counts> {
  const isRedis = settings.redisUrl.length > 0;
  return isRedis ? readStored(settings, onCounts) : countsInFile(settings.stateDir);
}

/**
 * Raises the stored counts to these, where these are larger, so that a repeated import changes nothing. Returns how many
 * were larger.
 * @throws Error if they cannot be saved, or a running service uses the file.
 */
export async function importCounts(
  settings: ReadsSettings,
  counts: Counts,
  log: Log,
  onCounts: OnCounts = () => {},
): Promise<number> {
  const isRedis = settings.redisUrl.length > 0;
  const before = await (isRedis
    ? raiseStored(settings, counts, onCounts)
    : raiseInFile(settings.stateDir, counts, log));
  return [...counts].filter(([id, count]) => count > (before.get(id) ?? 0)).length;
}

/** Parses a counts file of either way, or its `counts` alone. @throws Error that names `source` if the text is neither. */
export function parseCountsText(text: string, source: string): Counts {
  try {
    const value = parseObject(text, source);
    const counts = 'counts' in value ? value.counts : value;
    const isRows = Object.values(Object(counts)).some(count => typeof count === 'string');
    return isRows ? countsOf(parseRows(counts)) : parseCounts(counts);
  } catch (error) {
    if (error instanceof NewerFormatError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${source}: expected read counts such as {"counts": {"12": 103}}, but ${reason}`);
  }
}

/** Does not lock the directory, so that you can export while a service runs. */
export async function countsInFile(stateDir: string): Promise<Counts> {
  const { state, broken } = await readState(systemFs, countsPath(stateDir), countsFormat);
  for (const { path, reason } of broken) throw new Error(`${path} is broken: ${reason}`);
  return state ?? new Map();
}

/** Returns the counts before the import. */
async function raiseInFile(stateDir: string, counts: Counts, log: Log): Promise<Counts> {
  const { renew, release } = await lockStateDir(stateDir, log);
  try {
    await renew();
    const file = openCountsFile(stateDir, log);
    const before = (await file.load()) ?? new Map();
    await saveWhole(file, mergeCounts(before, counts));
    return before;
  } finally {
    await release();
  }
}
