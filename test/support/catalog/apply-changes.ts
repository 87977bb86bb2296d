import type { Change } from '../../../src/contract/changes.ts';
import { type CatalogName, catalogNames } from '../../../src/contract/columns.ts';
import { type AnyRow, isConfigurationPrice } from '../../../src/set/compare/differences.ts';

/** The rows of each catalog. */
export type Rows = { [Name in CatalogName]?: readonly AnyRow[] | undefined };

/** What a report identifies a row by. */
export function keyOf(catalog: CatalogName, row: AnyRow): string {
  const { id, product_id, rel_id, duration_id } = row;
  return isConfigurationPrice(catalog, row) ? `${product_id}/${rel_id}/${duration_id}` : `id ${id}`;
}

/** The rows after the changes of a report, sorted by what identifies them. */
export function applyChanges(rows: Rows, changes: readonly Change[]): Rows {
  return Object.fromEntries(
    catalogNames.map(catalog => [catalog, applyTo(catalog, rows[catalog] ?? [], changes)]),
  );
}

function applyTo(catalog: CatalogName, rows: readonly AnyRow[], changes: readonly Change[]): AnyRow[] {
  const byKey = new Map(rows.map(row => [keyOf(catalog, row), row]));
  for (const { catalog: of, change, key, columns } of changes) {
    if (of !== catalog) continue;
    const name = key.id === undefined ? `${key.product_id}/${key.rel_id}/${key.duration_id}` : `id ${key.id}`;
    const row = byKey.get(name);
    if ((change === 'added') !== (row === undefined)) throw new Error(`${change} ${catalog} ${name}`);
    if (change === 'removed') byKey.delete(name);
    else byKey.set(name, withColumns(row, columns));
  }
  return sorted(catalog, [...byKey.values()]);
}

function withColumns(row: AnyRow | undefined, columns: Change['columns']): AnyRow {
  const values = columns.map(({ column, to }) => [column, to ?? undefined]);
  return { ...row, ...Object.fromEntries(values) };
}

export function sorted(catalog: CatalogName, rows: readonly AnyRow[]): AnyRow[] {
  return rows.toSorted((one, other) => (keyOf(catalog, one) < keyOf(catalog, other) ? -1 : 1));
}
