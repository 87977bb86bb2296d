import { stat } from 'node:fs/promises';
import { systemFs } from '../files/atomic-write.ts';
import { historyPath } from '../history/entries.ts';
import { findVersion, isVersion } from '../history/versions.ts';
import { CatalogError } from '../live/report.ts';
import { printable } from '../messages.ts';
import { warn } from '../process/warn.ts';
import { directorySide, type Side, versionSide } from '../reader/sides.ts';
import type { Settings } from '../settings/settings.ts';

/** A set, and the directory that it is in; undefined for one of the history. */
export interface NamedSide extends Side {
  directory?: string;
}

/** The set of a version, or its first digits, or of a directory. @throws Error if there is none, and CatalogError if it has errors. */
export async function openSide(text: string, settings: Settings): Promise<NamedSide> {
  if (await isDirectory(text)) return openDirectory(text, settings);
  const { stateDir } = settings;
  return versionSide(stateDir, await findVersion(systemFs, historyPath(stateDir), text, warn), warn);
}

/** How a message calls it. */
export function titleOf({ version, directory }: NamedSide): string {
  return directory === undefined ? version : `${version} (${printable(directory)})`;
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
