import type { CatalogName } from '../../contract/columns.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Values } from './row-table.ts';

/** A column of ids, and the rows that they refer to. */
type Reference = readonly [column: string, rows: ReadonlyMap<number, { name: string }> | undefined];

/** Finds the names that the ids of rows of a catalog stand for. */
export function rowNames(
  { products, configurations, durations, newsTypes }: Snapshot,
  catalog: CatalogName,
): (row: Values) => [column: string, name: string][] {
  const product: Reference = ['product_id', products];
  const references: Partial<Record<CatalogName, readonly Reference[]>> = {
    configurations: [product],
    prices: [product, ['rel_id', configurations], ['duration_id', durations]],
    news: [['type_id', newsTypes]],
  };
  const ofCatalog = references[catalog] ?? [];
  return row => {
    const names: [string, string][] = [];
    for (const [column, rows] of ofCatalog) {
      const name = rows?.get(Number(row[column]))?.name;
      if (name !== undefined) names.push([column, name]);
    }
    return names;
  };
}
