import { stat } from 'node:fs/promises';
import type { Change } from '../contract/changes.ts';
import type { CatalogName } from '../contract/columns.ts';
import { type Entry, eachEntry, historyIn } from '../history/entries.ts';
import { findVersion, isVersion } from '../history/versions.ts';
import { CatalogError } from '../live/report.ts';
import { printable } from '../messages.ts';
import { changedCatalogs, type Former, readFormer } from '../reader/changed-set.ts';
import { readSet } from '../reader/read-set.ts';
import { changeLines, countChanges, hasChanges, summaryOf } from '../set/compare/changes.ts';
import { differenceOf, type FormerSet } from '../set/compare/differences.ts';
import { systemDirectory } from '../set/directory.ts';
import type { Settings } from '../settings/settings.ts';
import type { Call } from './call.ts';

/**
 * `vitrine diff [A] [B]`: shows what changes from A to B, each a version of the history or a directory. Without arguments,
 * shows what the newest set of the history changed. With one, shows what changed since a version, or what a directory would
 * change.
 * @throws Error if there is no such version, and CatalogError if a directory has errors.
 */
export async function diff(call: Call, one?: string, other?: string): Promise<void> {
  const [from, to] = await sidesOf(call, one, other);
  const changed = changedCatalogs(from, to.files, to.reading);
  const [before, after] = [await from.read(changed), await to.read(changed)];
  const differences = changed.map(name => differenceOf(name, before.get(name), after.get(name)));
  const summary = summaryOf(differences);
  if (call.flags.json) {
    const changes: Change[] = [];
    const counts = differences.map(found => countChanges(found, 'editors', change => changes.push(change)));
    const named = ({ version, directory }: NamedSide) => ({ version, directory });
    const catalogs = counts.filter(hasChanges);
    const report = { from: named(from), to: named(to), summary, catalogs, changes };
    call.print(`${JSON.stringify(report, null, 2)}\n`);
  } else {
    const lines = changeLines(differences, call.flags.all === true);
    call.print(`${titleOf(from)} → ${titleOf(to)}: ${summary}\n${lines}`);
  }
}

async function sidesOf(call: Call, one?: string, other?: string): Promise<[NamedSide, NamedSide]> {
  const settings = call.settings();
  const history = historyIn(settings.stateDir, call.warn);
  const ofEntry = (entry: Entry) => versionSide(settings, entry, call.warn);
  if (one !== undefined && other !== undefined)
    return [await openSide(one, settings, call.warn), await openSide(other, settings, call.warn)];
  const found: Entry[] = [];
  for await (const { entry } of eachEntry(history)) if (found.push(entry) === 2) break;
  const [newest, previous] = found;
  if (!newest) throw new Error(`the history in ${history.dir} is empty: name two directories`);
  if (one !== undefined) {
    const side = await openSide(one, settings, call.warn);
    return side.directory === undefined ? [side, ofEntry(newest)] : [ofEntry(newest), side];
  }
  if (previous) return [ofEntry(previous), ofEntry(newest)];
  throw new Error(
    `the history in ${history.dir} has one set, version ${newest.version}: there is none before it`,
  );
}

/** A version of the history, or the set of a directory. */
export interface NamedSide extends Former {
  /** Undefined for a version of the history. */
  directory?: string;
  read(catalogs: readonly CatalogName[]): Promise<FormerSet>;
}

/** Opens a directory, or a version by its first digits. @throws Error if there is none, and CatalogError if it has errors. */
export async function openSide(text: string, settings: Settings, warn: Call['warn']): Promise<NamedSide> {
  if (await isDirectory(text)) return openDirectory(text, settings);
  return versionSide(settings, await findVersion(historyIn(settings.stateDir, warn), text), warn);
}

function versionSide({ stateDir }: Settings, entry: Entry, warn: Call['warn']): NamedSide {
  return {
    ...entry,
    async read(catalogs) {
      const contents = await readFormer(stateDir, entry, catalogs, warn);
      if (!contents) throw new Error(`version ${entry.version} cannot be read any more: name another one`);
      return contents;
    },
  };
}

/** What messages call it. */
export function titleOf({ version, directory }: NamedSide): string {
  return directory === undefined ? version : `${version} (${printable(directory)})`;
}

/** A text that could be both is a version. */
async function isDirectory(text: string): Promise<boolean> {
  if (/[/\\.]/.test(text)) return true;
  const stats = await stat(text).catch(() => undefined);
  return stats?.isDirectory() === true && !isVersion(text);
}

async function openDirectory(directory: string, settings: Settings): Promise<NamedSide> {
  const own = systemDirectory({ ...settings, catalogDir: directory });
  const { report, content } = await readSet(own, settings);
  const { version, files, reading } = report;
  if (version === undefined) throw new CatalogError(report);
  const read = async (catalogs: readonly CatalogName[]) =>
    new Map(catalogs.map(name => [name, content?.[name]]));
  return { version, files, reading, directory, read };
}
