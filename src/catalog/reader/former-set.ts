import { type CatalogName, catalogNames } from '../../contract/columns.ts';
import { systemFs } from '../../files/atomic-write.ts';
import { type FormerRow, formerRow } from '../changes/former-rows.ts';
import type { CatalogContent, FormerSet } from '../changes/walk.ts';
import { readKeptFile } from '../history/contents.ts';
import { historyPath, type OnDamage } from '../history/entries.ts';
import { type Entry, isReadAs, type KeptFile, type Reading } from '../history/entry.ts';
import type { CatalogFile } from '../read/files.ts';
import { readContent } from './catalog-content.ts';

/** What is known of a set that another one replaces. */
export type Former = Pick<Entry, 'version' | 'files' | 'reading'>;

/** Identifies a catalog file and its content. */
type Identified = Pick<KeptFile, 'catalog' | 'file' | 'sha256'>;

/** The catalogs whose content or reading is not that of the former set. */
export function changedCatalogs(
  former: Former,
  files: readonly Identified[],
  reading: Reading,
): CatalogName[] {
  if (!isReadAs(former.reading, reading)) return catalogNames;
  const contentOf = (list: readonly Identified[], name: CatalogName) => {
    const found = list.find(({ catalog }) => catalog === name);
    return found && `${found.file} ${found.sha256}`;
  };
  return catalogNames.filter(name => contentOf(files, name) !== contentOf(former.files, name));
}

/**
 * Reads catalogs of a former set from the history, one at a time, and calls `collectGarbage` in between, so that no more
 * than one of its files is in memory. `onFile` sees each before it is parsed. Undefined if one of them is missing, damaged or
 * invalid by now.
 */
export async function readFormerSet(
  stateDir: string,
  { files, reading }: Former,
  catalogs: readonly CatalogName[],
  onFile: (file: CatalogFile) => void,
  onDamage: OnDamage,
  collectGarbage: () => Promise<void>,
): Promise<FormerSet | undefined> {
  const former = new Map<CatalogName, CatalogContent<FormerRow> | undefined>();
  for (const catalog of catalogs) {
    const kept = files.find(file => file.catalog === catalog);
    const file = kept && (await readKeptCatalog(stateDir, kept, onDamage));
    if (file) onFile(file);
    await collectGarbage();
    const content = file && (await readContent(file, reading));
    if (kept && !content) return undefined;
    former.set(catalog, content && { rows: content.rows.map(formerRow), columns: content.columns });
    await collectGarbage();
  }
  return former;
}

/** A catalog file of a set in the history; undefined if it is missing or damaged. */
export async function readKeptCatalog(
  stateDir: string,
  { catalog, file, bytes, sha256 }: KeptFile,
  onDamage: OnDamage,
): Promise<CatalogFile | undefined> {
  const content = await readKeptFile(systemFs, historyPath(stateDir), { file, bytes, sha256 }, onDamage);
  return content && { catalog, file, bytes, sha256, content };
}
