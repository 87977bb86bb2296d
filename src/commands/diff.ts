import { systemFs } from '../files/atomic-write.ts';
import { eachEntry, historyPath } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import { warn } from '../process/warn.ts';
import { changedCatalogs } from '../reader/former-set.ts';
import { openChangeList } from '../set/compare/changes.ts';
import { openChangeLines, openSummary } from '../set/compare/lines.ts';
import { type ChangeVisitor, walkCatalog } from '../set/compare/walk.ts';
import type { Settings } from '../settings/settings.ts';
import { type NamedSide, openSide, titleOf, versionSide } from './named-side.ts';

/** How `vitrine diff` writes changes. */
export interface DiffFormat {
  json: boolean;
  /** Whether the text has all changes. */
  all: boolean;
}

/**
 * `vitrine diff [A] [B]`: what changes from A to B, each a version of the history or a directory. Without arguments, what
 * the newest set of the history changed; with one, what changed since a version, or what a directory would change.
 * @throws Error if there is no such version, and CatalogError if a directory has errors.
 */
export async function diff(args: readonly string[], settings: Settings, format: DiffFormat): Promise<void> {
  const [from, to] = await sidesOf(args, settings);
  const summary = openSummary();
  if (format.json) {
    const list = openChangeList();
    await walkSides(from, to, [summary, list]);
    const report = { from: named(from), to: named(to), summary: summary.text(), ...list };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else {
    const lines = openChangeLines(format.all);
    await walkSides(from, to, [summary, lines]);
    process.stdout.write(`${titleOf(from)} → ${titleOf(to)}: ${summary.text()}\n${lines.text()}`);
  }
}

/** Shows the differences between two sets to visitors, one catalog after the other. */
async function walkSides(from: NamedSide, to: NamedSide, visitors: readonly ChangeVisitor[]): Promise<void> {
  for (const catalog of changedCatalogs(from, to.files, to.reading)) {
    const [before, after] = [await from.read(catalog), await to.read(catalog)];
    walkCatalog({ catalog, before, after }, visitors);
  }
}

async function sidesOf(args: readonly string[], settings: Settings): Promise<[NamedSide, NamedSide]> {
  const dir = historyPath(settings.stateDir);
  const ofEntry = (entry: Entry) => versionSide(settings, entry);
  const [one, other] = args;
  if (one !== undefined && other !== undefined)
    return [await openSide(one, settings), await openSide(other, settings)];
  const [newest, previous] = await newestEntries(dir);
  if (!newest) throw new Error(`the history in ${dir} is empty: name two directories`);
  if (one !== undefined) {
    const side = await openSide(one, settings);
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

function named({ version, directory }: NamedSide): { version: string; directory?: string } {
  return { version, ...(directory !== undefined && { directory }) };
}
