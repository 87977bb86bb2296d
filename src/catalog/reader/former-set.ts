import { type CatalogName, catalogNames } from '../../contract/columns.ts';
import { systemFs } from '../../files/atomic-write.ts';
import { type FormerRow, formerRow } from '../changes/former-rows.ts';
import type { CatalogContent, FormerSet } from '../changes/walk.ts';
import { historyPath, type OnDamage } from '../history/entries.ts';
import { type Entry, isReadAs, type KeptFile, type Reading } from '../history/entry.ts';
import { filesOf } from '../history/kept-sets.ts';
import { type CatalogFile, type FileDigest, isSameFiles } from '../read/files.ts';
import { readContent } from './catalog-content.ts';

/** What is known of a set that another one replaces. */
export type Former = Pick<Entry, 'version' | 'files' | 'reading'>;

/** Identifies a catalog file and its content. */
type Identified = FileDigest & Pick<KeptFile, 'catalog'>;

/** The catalogs whose content or reading is not that of the former set. */
export function changedCatalogs(
  former: Former,
  files: readonly Identified[],
  reading: Reading,
): CatalogName[] {
  if (!isReadAs(former.reading, reading)) return catalogNames;
  const filesOf = (list: readonly Identified[], name: CatalogName) =>
    list.filter(({ catalog }) => catalog === name);
  return catalogNames.filter(name => !isSameFiles(filesOf(files, name), filesOf(former.files, name)));
}

/**
 * Reads catalogs of a former set from the history, one at a time, and calls `collectGarbage` in between, so that no
 * more than one of them is in memory. `onFile` sees each before it is parsed. Undefined if one of them is missing, damaged or
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
    const kept = await readKeptCatalog(stateDir, files, catalog, onDamage);
    if (!kept) return undefined;
    kept.forEach(onFile);
    await collectGarbage();
    const content = await readContent(catalog, kept, reading);
    if (kept.length > 0 && !content) return undefined;
    former.set(catalog, content && { rows: content.rows.map(formerRow), columns: content.columns });
    await collectGarbage();
  }
  return former;
}

/** The files that a catalog had in a set of the history; undefined if one of them is missing or damaged. */
export function readKeptCatalog(
  stateDir: string,
  files: readonly KeptFile[],
  catalog: CatalogName,
  onDamage: OnDamage,
): Promise<CatalogFile[] | undefined> {
  const kept = files.filter(file => file.catalog === catalog);
  return filesOf(systemFs, historyPath(stateDir), kept, onDamage);
}
