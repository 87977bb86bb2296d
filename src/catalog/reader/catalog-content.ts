import { type CatalogName, catalogNames, columnsOf } from '../../contract/columns.ts';
import { openTimeZone } from '../../time-zone.ts';
import type { CatalogContent, SetContent } from '../changes/walk.ts';
import type { Reading } from '../history/entry.ts';
import { collectProblems } from '../problems/collector.ts';
import type { CatalogFile } from '../read/files.ts';
import { parseFile } from '../read/parse-file.ts';
import { columnsIn } from '../read/table.ts';
import { type ValidatedTable, type ValidatedTables, validateTable } from '../validate/validate-table.ts';

/** All rows of a valid set. */
export function setContent(tables: ValidatedTables): SetContent {
  // Each catalog is one of the names.
  return Object.fromEntries(catalogNames.map(name => [name, contentOf(name, tables[name])])) as SetContent;
}

/**
 * Reads one file of a set that was served, whose ambiguous numbers were decided then, and empties its content. Undefined if
 * it is invalid by now.
 */
export async function readContent(file: CatalogFile, reading: Reading): Promise<CatalogContent | undefined> {
  const { report, hasErrors } = collectProblems();
  const table = await parseFile(file, reading, report);
  const zone = openTimeZone(reading.timeZone);
  const validated = table && validateTable(file.catalog, table, zone, report, () => true);
  return hasErrors() ? undefined : contentOf(file.catalog, validated);
}

function contentOf(
  catalog: CatalogName,
  validated: Pick<ValidatedTable<CatalogName>, 'table' | 'rows'> | undefined,
): CatalogContent | undefined {
  if (!validated) return undefined;
  const { table, rows } = validated;
  const names = columnsIn(table);
  return { rows, columns: columnsOf(catalog).flatMap(({ name }) => (names.has(name) ? [name] : [])) };
}
