import { type CatalogName, catalogNames, columnsOf } from '../../../contract/columns.ts';
import type { CatalogFile } from '../../../formats/formats.ts';
import { columnsIn } from '../../../formats/table.ts';
import type { Reading } from '../../../history/entry.ts';
import { collectProblems } from '../../../set/collect-problems.ts';
import type { CatalogContent, SetContent } from '../../../set/compare/walk.ts';
import { renderContents } from '../../../set/contents.ts';
import type { NamesOf } from '../../../set/references.ts';
import {
  type ValidatedCatalog,
  type ValidatedCatalogs,
  validateCatalog,
} from '../../../set/validate-catalog.ts';
import { openTimeZone } from '../../../time-zone.ts';

/** All rows of a valid set. */
export function setContent(catalogs: ValidatedCatalogs): SetContent {
  // Each catalog is one of the names.
  return Object.fromEntries(catalogNames.map(name => [name, contentOf(name, catalogs[name])])) as SetContent;
}

/**
 * Reads the files of one catalog of a set that was served, whose ambiguous numbers were decided then, and empties their
 * contents. `namesOf` knows the names of the catalogs to whose rows they refer by name. Undefined if they are invalid by now.
 */
export async function readContent(
  catalog: CatalogName,
  files: readonly CatalogFile[],
  reading: Reading,
  namesOf: NamesOf,
): Promise<CatalogContent | undefined> {
  const { report, hasErrors } = collectProblems();
  const zone = openTimeZone(reading.timeZone);
  const validated = await validateCatalog(catalog, files, reading, zone, report, () => true, namesOf);
  if (validated && catalog === 'news')
    await renderContents(validated as ValidatedCatalog<'news'>, reading.markdownHtml, report);
  return hasErrors() ? undefined : contentOf(catalog, validated);
}

function contentOf(
  catalog: CatalogName,
  validated: Pick<ValidatedCatalog<CatalogName>, 'tables' | 'rows'> | undefined,
): CatalogContent | undefined {
  if (!validated) return undefined;
  const { tables, rows } = validated;
  const names = new Set(tables.flatMap(({ table }) => [...columnsIn(table)]));
  return { rows, columns: columnsOf(catalog).flatMap(({ name }) => (names.has(name) ? [name] : [])) };
}
