import { deserialize } from 'node:v8';
import { type CatalogName, catalogNames, type NamedCatalog } from '../contract/columns.ts';
import { systemFs } from '../files/atomic-write.ts';
import type { FileDigest } from '../formats/formats.ts';
import { filesOf } from '../history/contents.ts';
import { historyPath, type OnDamage } from '../history/entries.ts';
import { type Entry, isReadAs, type KeptFile, type Reading } from '../history/entry.ts';
import { type CatalogContent, formerRow } from '../set/compare/walk.ts';
import { isSameFiles } from '../set/files.ts';
import { type Names, type NamesOf, namesOfRows } from '../set/references.ts';
import { keyOf, readCached } from './cache/cache-store.ts';
import { type FormerContent, formerContent } from './cache/kept-rows.ts';
import { readContent } from './read-directory.ts';

/** What is known of a set that another one replaces. */
export type Former = Pick<Entry, 'version' | 'files' | 'reading'>;

/** Identifies a catalog file and its content. */
type Identified = FileDigest & Pick<KeptFile, 'catalog'>;

/** The catalogs whose content or reading is not that of the former set, and those that refer to them by name. */
export function changedCatalogs(
  former: Former,
  files: readonly Identified[],
  reading: Reading,
): CatalogName[] {
  if (!isReadAs(former.reading, reading)) return catalogNames;
  const filesOf = (list: readonly Identified[], name: CatalogName) =>
    list.filter(({ catalog }) => catalog === name);
  const isChanged = (name: CatalogName) => !isSameFiles(filesOf(files, name), filesOf(former.files, name));
  return catalogNames.filter(name => isChanged(name) || referredBy(former, name).some(isChanged));
}

/** The catalogs to whose rows a catalog of the former set refers by name. */
function referredBy({ files }: Pick<Former, 'files'>, catalog: CatalogName): NamedCatalog[] {
  const own = files.filter(file => file.catalog === catalog);
  return [...new Set(own.flatMap(({ refersTo = [] }) => refersTo))];
}

/** How a former set is read from the history. */
interface KeptReading {
  onDamage: OnDamage;
  /** Called between files, so that no more than one of them is in memory. */
  collectGarbage?(): Promise<void>;
}

/**
 * Reads catalogs of a former set, one at a time: from the cache, or else from its files. Undefined if one of them is missing,
 * damaged or invalid by now.
 */
export async function readFormerSet(
  stateDir: string,
  former: Former,
  catalogs: readonly CatalogName[],
  how: KeptReading,
): Promise<ReadonlyMap<CatalogName, FormerContent | undefined> | undefined> {
  const set = new Map<CatalogName, FormerContent | undefined>();
  for (const catalog of catalogs) {
    const content = await readCompact(stateDir, former, catalog, how);
    if (!content && hasCatalog(former, catalog)) return undefined;
    set.set(catalog, content);
    await how.collectGarbage?.();
  }
  return set;
}

/** The rows of a catalog without its long texts. */
async function readCompact(
  stateDir: string,
  former: Former,
  catalog: CatalogName,
  how: KeptReading,
): Promise<FormerContent | undefined> {
  const key = keyOf(catalog, former.files, former.reading);
  const [rows] = (key && (await readCached(stateDir, catalog, key, 'rows', how.onDamage))) || [];
  if (rows) return formerContent(catalog, deserialize(rows));
  const content = await readFormerCatalog(stateDir, former, catalog, how);
  return content && { rows: content.rows.map(formerRow), columns: content.columns };
}

/** All rows of a catalog of a former set. Undefined if it had none, or one is missing, damaged or invalid by now. */
export async function readFormerCatalog(
  stateDir: string,
  former: Former,
  catalog: CatalogName,
  how: KeptReading,
): Promise<CatalogContent | undefined> {
  const names = new Map<NamedCatalog, Names>();
  for (const referred of referredBy(former, catalog)) {
    const content = await readKept(stateDir, former, referred, () => undefined, how);
    if (content) names.set(referred, namesOfRows(content.rows, referred));
  }
  return readKept(stateDir, former, catalog, referred => names.get(referred), how);
}

export function hasCatalog({ files }: Pick<Former, 'files'>, catalog: CatalogName): boolean {
  return files.some(file => file.catalog === catalog);
}

async function readKept(
  stateDir: string,
  { files, reading }: Former,
  catalog: CatalogName,
  namesOf: NamesOf,
  { onDamage, collectGarbage }: KeptReading,
): Promise<CatalogContent | undefined> {
  const own = files.filter(file => file.catalog === catalog);
  const kept = await filesOf(systemFs, historyPath(stateDir), own, onDamage);
  if (!kept) return undefined;
  await collectGarbage?.();
  return readContent(catalog, kept, reading, namesOf);
}
