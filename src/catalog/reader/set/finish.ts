import { catalogNames } from '../../../contract/columns.ts';
import { type Reading, readingOf } from '../../history/entry.ts';
import type { collectProblems } from '../../problems/collector.ts';
import { type DirectoryContent, digestOf } from '../../read/files.ts';
import type { LoadedFile } from '../../read/table.ts';
import { type CatalogRows, sortRows } from '../../snapshot/sort.ts';
import { versionOf } from '../../snapshot/version.ts';
import type { ValidatedCatalogs } from '../../validate/validate-catalog.ts';
import type { ValidatedSet } from '../../validate/validate-set.ts';
import type { SetCache } from '../cache/set-cache.ts';
import type { ReadSet } from '../load-set.ts';
import { rowProblems } from '../sources/row-problems.ts';
import { rowSources } from '../sources/row-sources.ts';

/** Sorts the rows for serving, if there is no error. */
export function finish(
  { files, markdown, damaged, lookAlikes }: DirectoryContent,
  { catalogs, awaitedImages }: ValidatedSet,
  reading: Reading,
  problems: ReturnType<typeof collectProblems>,
  cache?: Pick<SetCache, 'remember'>,
): ReadSet {
  const rows = problems.hasErrors() ? undefined : rowsOf(catalogs);
  const loaded = filesOf(catalogs, files);
  const digests = [...[...files, ...damaged].map(digestOf), ...markdown];
  const sorted = rows && sortRows(rows);
  const summary = problems.summarize(loaded.map(({ file }) => file));
  const known = sorted && cache?.remember(catalogs, sorted);
  const version = sorted && versionOf(sorted, known?.newsJson);
  return {
    report: {
      version,
      ...summary,
      files: loaded,
      digests,
      notRead: lookAlikes.map(({ file }) => file),
      awaitedImages,
      rowProblems: sorted && rowProblems(catalogs, problems.byRow),
      reading: readingOf(reading),
      cacheKeys: known?.keys,
    },
    rows: sorted,
    sources: sorted && rowSources(catalogs, sorted),
  };
}

function rowsOf(catalogs: ValidatedCatalogs): CatalogRows {
  // Each one has the rows of its own catalog.
  return Object.fromEntries(catalogNames.map(name => [name, catalogs[name]?.rows])) as CatalogRows;
}

/** The files that could be parsed, of those that were read. */
function filesOf(catalogs: ValidatedCatalogs, files: DirectoryContent['files']): LoadedFile[] {
  const areRead = new Set(files.map(({ file }) => file));
  return catalogNames.flatMap(catalog => {
    const tables = catalogs[catalog]?.tables.filter(({ table }) => areRead.has(table.file)) ?? [];
    return tables.map(({ table, hasDecimalComma, refersTo }) => {
      const { file, sheet, rows, encoding, delimiter, lastRow } = table;
      return {
        ...{ catalog, file, sheet, rows: rows.length, encoding, delimiter, lastRow },
        decimal: hasDecimalComma ? ',' : undefined,
        refersTo: refersTo.length > 0 ? refersTo : undefined,
      } as const;
    });
  });
}
