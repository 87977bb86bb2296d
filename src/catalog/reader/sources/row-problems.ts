import { type CatalogName, catalogNames } from '../../../contract/columns.ts';
import type { ValidatedCatalogs } from '../../../set/validate-catalog.ts';

/** The ids of rows with problems, each with the number of its problems; by catalog. */
export type RowProblems = Partial<Record<CatalogName, [id: number, count: number][]>>;

/** Finds the rows of a set without errors in which there are problems. */
export function rowProblems(catalogs: ValidatedCatalogs, countOf: ReadonlyMap<object, number>): RowProblems {
  const found: RowProblems = {};
  for (const catalog of countOf.size > 0 ? catalogNames : []) {
    const ofCatalog: [number, number][] = [];
    for (const { raw, row } of catalogs[catalog]?.entries ?? []) {
      const count = countOf.get(raw);
      if (count !== undefined && row.id !== undefined) ofCatalog.push([row.id, count]);
    }
    if (ofCatalog.length > 0) found[catalog] = ofCatalog;
  }
  return found;
}
