import { type CatalogName, catalogNames, columnsOf, type NamedCatalog } from '../contract/columns.ts';
import { systemFs } from '../files/atomic-write.ts';
import type { FileDigest } from '../formats/formats.ts';
import { filesOf } from '../history/contents.ts';
import { historyPath, type OnDamage } from '../history/entries.ts';
import { type Entry, isReadAs, type KeptFile, type Reading } from '../history/entry.ts';
import { type Names, namesOfRows } from '../set/cells/references.ts';
import type { CatalogContent, FormerSet } from '../set/compare/differences.ts';
import { isSameFiles } from '../set/files.ts';
import { collectGarbage } from './limits.ts';
import { readContent } from './read-set.ts';

/** What is known of a set that another one replaces. */
export type Former = Pick<Entry, 'version' | 'files' | 'reading'>;

/** Identifies a catalog file and its content. */
type Identified = FileDigest & Pick<KeptFile, 'catalog'>;

/**
 * The catalogs whose content or reading is not that of the former set, and those that refer to them: whether a number there is
 * an id or a name depends on the names.
 */
export function changedCatalogs(
  former: Former,
  files: readonly Identified[],
  reading: Reading,
): CatalogName[] {
  if (!isReadAs(former.reading, reading)) return catalogNames;
  const filesOf = (list: readonly Identified[], name: CatalogName) =>
    list.filter(({ catalog }) => catalog === name);
  const isChanged = (name: CatalogName) => !isSameFiles(filesOf(files, name), filesOf(former.files, name));
  return catalogNames.filter(name => isChanged(name) || referredBy(name).some(isChanged));
}

/** The catalogs to whose rows a catalog may refer by name. */
function referredBy(catalog: CatalogName): NamedCatalog[] {
  return columnsOf(catalog).flatMap(({ schema }) => schema.references ?? []);
}

/**
 * Reads catalogs of a former set, each file once. Undefined if one is missing, damaged or invalid by
 * now.
 */
export async function readFormerSet(
  stateDir: string,
  former: Former,
  catalogs: readonly CatalogName[],
  onDamage: OnDamage,
): Promise<FormerSet | undefined> {
  const set = new Map<CatalogName, CatalogContent | undefined>();
  for await (const [catalog, content] of readCatalogs(stateDir, former, catalogs, onDamage)) {
    if (!content && hasCatalog(former, catalog)) return undefined;
    set.set(catalog, content);
  }
  return set;
}

/** All rows of a catalog of a former set. Undefined if it had none, or one is missing, damaged or invalid by now. */
export async function readFormerCatalog(
  stateDir: string,
  former: Former,
  catalog: CatalogName,
  onDamage: OnDamage,
): Promise<CatalogContent | undefined> {
  for await (const [, content] of readCatalogs(stateDir, former, [catalog], onDamage)) return content;
  return undefined;
}

export function hasCatalog({ files }: Pick<Former, 'files'>, catalog: CatalogName): boolean {
  return files.some(file => file.catalog === catalog);
}

/** Reads catalogs of a former set, one after the other, and before each those to whose rows it may refer by name. */
async function* readCatalogs(
  stateDir: string,
  former: Former,
  catalogs: readonly CatalogName[],
  onDamage: OnDamage,
): AsyncGenerator<[CatalogName, CatalogContent | undefined]> {
  const referred = new Set(catalogs.flatMap(referredBy));
  const isNeeded = (name: CatalogName) => catalogs.includes(name) || isIn(referred, name);
  const needed = former.files.filter(({ catalog }) => isNeeded(catalog));
  const files = (await filesOf(systemFs, historyPath(stateDir), needed, onDamage)) ?? [];
  const names = new Map<CatalogName, Names>();
  // Each catalog comes after those that it refers to.
  for (const catalog of catalogNames.filter(isNeeded)) {
    const own = files.filter(file => file.catalog === catalog);
    const content = await readContent(catalog, own, former.reading, name => names.get(name));
    if (content && isIn(referred, catalog)) names.set(catalog, namesOfRows(content.rows, catalog));
    if (catalogs.includes(catalog)) yield [catalog, content];
    // No more than one of them is in memory with its file.
    await collectGarbage();
  }
}

function isIn(referred: ReadonlySet<CatalogName>, catalog: CatalogName): catalog is NamedCatalog {
  return referred.has(catalog);
}
