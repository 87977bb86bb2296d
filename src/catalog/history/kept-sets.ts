import { resolve } from 'node:path';
import type { Fs } from '../../files/atomic-write.ts';
import type { CatalogFile } from '../../formats/formats.ts';
import { readKeptFile } from './contents.ts';
import { eachEntry, type OnDamage } from './entries.ts';
import type { Entry, KeptFile } from './entry.ts';

/** A set of the history with the contents of its files. */
export interface KeptSet {
  entry: Entry;
  files: CatalogFile[];
}

/**
 * The sets of a catalog directory of which nothing is damaged or missing, newest first.
 * @throws as `readEntry` does.
 */
export async function* keptSets(
  fs: Fs,
  dir: string,
  catalogDir: string,
  onDamage: OnDamage,
): AsyncGenerator<KeptSet> {
  for await (const { entry } of eachEntry(fs, dir, onDamage)) {
    if (entry.catalogDir !== resolve(catalogDir)) continue;
    const files = await filesOf(fs, dir, entry.files, onDamage);
    if (files) yield { entry, files };
  }
}

/** Whether the contents of all files of an entry are there and undamaged. Reads them one at a time. */
export async function isWholeEntry(
  fs: Fs,
  dir: string,
  { files }: Pick<Entry, 'files'>,
  onDamage: OnDamage,
): Promise<boolean> {
  for (const file of files) if (!(await readKeptFile(fs, dir, file, onDamage))) return false;
  return true;
}

/** Files of an entry with their contents; undefined if one of them is damaged or missing. */
export async function filesOf(
  fs: Fs,
  dir: string,
  files: readonly KeptFile[],
  onDamage: OnDamage,
): Promise<CatalogFile[] | undefined> {
  const found: CatalogFile[] = [];
  for (const { catalog, file, bytes, sha256 } of files) {
    // A workbook can have several catalogs.
    const same = found.find(other => other.file === file);
    const content = same?.content ?? (await readKeptFile(fs, dir, { file, bytes, sha256 }, onDamage));
    if (content) found.push({ catalog, file, bytes, sha256, content });
  }
  return found.length === files.length ? found : undefined;
}
