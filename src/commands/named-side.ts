import { stat } from 'node:fs/promises';
import type { CatalogName } from '../contract/columns.ts';
import { systemFs } from '../files/atomic-write.ts';
import { historyPath } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import { findVersion, isVersion } from '../history/versions.ts';
import { CatalogError } from '../live/report.ts';
import { printable } from '../messages.ts';
import { warn } from '../process/warn.ts';
import { type Former, hasCatalog, readFormerCatalog } from '../reader/former-set.ts';
import { readSet } from '../reader/read-set.ts';
import type { CatalogContent } from '../set/compare/walk.ts';
import { systemDirectory } from '../set/system-directory.ts';
import type { Settings } from '../settings/settings.ts';

/** A version of the history, or the set of a directory. */
export interface NamedSide extends Former {
  /** Undefined for one of the history. */
  directory?: string;
  /** All rows of a catalog; undefined if it has no file. */
  read(catalog: CatalogName): Promise<CatalogContent | undefined>;
}

/** The set of a version, or its first digits, or of a directory. @throws Error if there is none, and CatalogError if it has errors. */
export async function openSide(text: string, settings: Settings): Promise<NamedSide> {
  if (await isDirectory(text)) return openDirectory(text, settings);
  return versionSide(settings, await findVersion(systemFs, historyPath(settings.stateDir), text, warn));
}

/** The set of a version, of which it reads one catalog at a time. */
export function versionSide({ stateDir }: Pick<Settings, 'stateDir'>, entry: Entry): NamedSide {
  return {
    ...entry,
    async read(catalog) {
      const content = await readFormerCatalog(stateDir, entry, catalog, warn);
      if (!content && hasCatalog(entry, catalog))
        throw new Error(`${catalog} of version ${entry.version} cannot be read any more`);
      return content;
    },
  };
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
  const { report, content } = await readSet(
    systemDirectory({ ...settings, catalogDir: directory }),
    settings,
  );
  const { version, files, reading } = report;
  if (version === undefined) throw new CatalogError(report);
  return { version, files, reading, directory, read: async catalog => content?.[catalog] };
}
