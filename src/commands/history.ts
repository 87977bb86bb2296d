import type { HistoryVersion } from '../contract/history.ts';
import { type Entry, eachEntry, historyIn, historyPath, readEntryFiles } from '../history/entries.ts';
import { describeVersion, isVersion } from '../history/versions.ts';
import {
  pinVersion,
  publishHeld,
  readControls,
  readHeld,
  unknownPin,
  unpinVersion,
} from '../live/control.ts';
import { plural, printable } from '../messages.ts';
import { commandLineFor } from '../process/command-name.ts';
import type { Call } from './call.ts';

/** `vitrine history`: lists the sets that were served, newest first, and says what is pinned and what is held back. */
export async function listHistory({ settings: read, flags, print, warn }: Call): Promise<void> {
  const settings = read();
  const dir = historyPath(settings.stateDir);
  const versions: HistoryVersion[] = [];
  for await (const { entry } of eachEntry(historyIn(settings.stateDir, warn)))
    versions.push(describeVersion(entry));
  const { pin, faults } = await readControls(dir, settings.catalogDir);
  for (const fault of faults) warn(fault);
  const held = await readHeld(dir);
  const [newest] = versions;
  if (newest) newest.state = 'served';
  // An empty pin keeps what is served.
  const isPinned = ({ version }: HistoryVersion) =>
    pin?.version === '' || (pin && isVersion(pin.version) && version.startsWith(pin.version));
  const isKnown = pin && pin !== unknownPin;
  const pinned = isKnown && versions.find(isPinned);
  if (pinned) pinned.state = 'pinned';
  else if (isKnown) warn(`version ${pin.version} is pinned, but not in the history`);
  if (flags.json) return print(`${JSON.stringify({ list: versions, held: held ?? null }, null, 2)}\n`);
  const none = `no set has been served with ${printable(dir)} yet`;
  const lines = versions.length === 0 ? [none] : versionLines(versions);
  if (held !== undefined)
    lines.unshift(`${held}  held back; to let it go live: ${commandLineFor(`publish ${held}`, settings)}`);
  print(lines.map(line => `${line}\n`).join(''));
}

/** Formats a line for each set: its version, state, first time, rows, and what it changed if that is known. */
function versionLines(versions: readonly HistoryVersion[]): string[] {
  const counts = versions.map(({ rows }) => plural(rows, 'row'));
  const width = Math.max(...counts.map(count => count.length));
  return versions.map(({ version, since, changes, state = '' }, index) =>
    `${version}  ${state.padEnd(6)}  since ${since}  ${counts[index]?.padStart(width)}  ${printable(changes ?? '')}`.trimEnd(),
  );
}

/** `vitrine rollback VERSION`. @throws Error as `pinVersion` does. */
export async function rollback({ settings: read, print, warn }: Call, text: string): Promise<void> {
  const settings = read();
  const history = historyIn(settings.stateDir, warn);
  const isWhole = async ({ files }: Entry) => (await readEntryFiles(history, files)) !== undefined;
  const version = await pinVersion(history, text, isWhole);
  const command = printable(commandLineFor('unpin', settings));
  print(
    `version ${version} is pinned: the service serves it and loads no changed files until you run '${command}'\n`,
  );
}

/** `vitrine unpin`. @throws Error as `unpinVersion` does. */
export async function unpin({ settings, print }: Call): Promise<void> {
  const own = settings();
  const before = await unpinVersion(own, `${own.catalogDir}/pin`);
  const change = before === undefined ? '' : ' now: the service loads the catalog files again';
  print(`nothing is pinned${change}\n`);
}

/** `vitrine publish VERSION`. @throws Error as `publishHeld` does. */
export async function publish({ settings: read, print }: Call, text: string): Promise<void> {
  const settings = read();
  const held = await readHeld(historyPath(settings.stateDir));
  if (held === undefined) throw new Error('no version is held back');
  const version = await publishHeld(settings, text, held);
  print(`version ${version} is confirmed: the service serves it\n`);
}
