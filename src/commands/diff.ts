import { stat } from 'node:fs/promises';
import { openChangeLines } from '../catalog/changes/change-lines.ts';
import { openChangeList } from '../catalog/changes/change-list.ts';
import { openSummary } from '../catalog/changes/summary.ts';
import { type ChangeVisitor, walkCatalog } from '../catalog/changes/walk.ts';
import { eachEntry, historyPath } from '../catalog/history/entries.ts';
import type { Entry } from '../catalog/history/entry.ts';
import { findVersion, isVersion } from '../catalog/history/find-version.ts';
import { changedCatalogs } from '../catalog/reader/former-set.ts';
import { directorySide, type Side, versionSide } from '../catalog/reader/sides.ts';
import { CatalogError } from '../catalog/report.ts';
import { systemFs } from '../files/atomic-write.ts';
import { printable } from '../messages.ts';
import type { Settings } from '../settings/settings.ts';
import { warn } from './warn.ts';

/** How `vitrine diff` writes changes. */
export interface DiffFormat {
  json: boolean;
  /** Whether the text has all changes. */
  all: boolean;
}

/** A set to compare, and the directory that it is in; undefined for one of the history. */
interface NamedSide extends Side {
  directory?: string;
}

/**
 * `vitrine diff [A] [B]`: what changes from A to B, each a version of the history or a directory. Without arguments, what
 * the newest set of the history changed; with one, what changed since a version, or what a directory would change.
 * @throws Error if there is no such version, and CatalogError if a directory has errors.
 */
export async function diff(args: readonly string[], settings: Settings, format: DiffFormat): Promise<void> {
  const [from, to] = await sidesOf(args, settings);
  const summary = openSummary();
  const catalogs = changedCatalogs(from, to.files, to.reading);
  const walk = async (visitor: ChangeVisitor) => {
    for (const catalog of catalogs) {
      const [before, after] = [await from.read(catalog), await to.read(catalog)];
      walkCatalog({ catalog, before, after }, [summary, visitor]);
    }
  };
  if (format.json) {
    const list = openChangeList();
    await walk(list);
    const report = { from: named(from), to: named(to), summary: summary.text(), ...list };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else {
    const lines = openChangeLines(format.all);
    await walk(lines);
    process.stdout.write(`${titleOf(from)} → ${titleOf(to)}: ${summary.text()}\n${lines.text()}`);
  }
}

async function sidesOf(args: readonly string[], settings: Settings): Promise<[NamedSide, NamedSide]> {
  const dir = historyPath(settings.stateDir);
  const ofEntry = (entry: Entry) => versionSide(settings.stateDir, entry, warn);
  const sideOf = async (text: string): Promise<NamedSide> =>
    (await isDirectory(text))
      ? openDirectory(text, settings)
      : ofEntry(await findVersion(systemFs, dir, text, warn));
  const [one, other] = args;
  if (one !== undefined && other !== undefined) return [await sideOf(one), await sideOf(other)];
  const [newest, previous] = await newestEntries(dir);
  if (!newest) throw new Error(`the history in ${dir} is empty: name two directories`);
  if (one !== undefined) {
    const side = await sideOf(one);
    return side.directory === undefined ? [side, ofEntry(newest)] : [ofEntry(newest), side];
  }
  if (previous) return [ofEntry(previous), ofEntry(newest)];
  throw new Error(`the history in ${dir} has one set, version ${newest.version}: there is none before it`);
}

/** The newest two entries, as far as there are any. */
async function newestEntries(dir: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const { entry } of eachEntry(systemFs, dir, warn)) if (found.push(entry) === 2) break;
  return found;
}

/** A version is looked for in the history, unless a path says that it is a directory. */
async function isDirectory(text: string): Promise<boolean> {
  if (/[/\\.]/.test(text)) return true;
  const isThere = await stat(text).then(
    stats => stats.isDirectory(),
    () => false,
  );
  return isThere && !isVersion(text);
}

async function openDirectory(directory: string, settings: Settings): Promise<NamedSide> {
  const side = await directorySide({ ...settings, catalogDir: directory });
  if ('read' in side) return { ...side, directory };
  throw new CatalogError(side);
}

function titleOf({ version, directory }: NamedSide): string {
  return directory === undefined ? version : `${version} (${printable(directory)})`;
}

function named({ version, directory }: NamedSide): { version: string; directory?: string } {
  return { version, ...(directory !== undefined && { directory }) };
}
