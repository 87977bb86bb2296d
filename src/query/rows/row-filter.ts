import type { CatalogName } from '../../contract/columns.ts';
import { fold, termsOf } from '../../snapshot/fold.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { changesWith } from '../changes/change-search.ts';
import { rowNames } from './row-names.ts';
import type { RowTable } from './row-table.ts';

const CHANGES_PER_STEP = 500;

/** Tests whether a row has each term of a keyword in a value of these columns, or in a name that an id stands for. */
export function keywordFilter(
  snapshot: Snapshot,
  catalog: CatalogName,
  table: RowTable,
  columns: readonly string[],
  keyword: string,
): (row: number) => boolean {
  const terms = termsOf(keyword);
  const namesOf = rowNames(snapshot, catalog);
  const folded = new Map<string, string>();
  /** Names recur. */
  const foldName = (name: string) => {
    const text = folded.get(name) ?? fold(name);
    folded.set(name, text);
    return text;
  };
  return row => {
    const fields = table.fields(row);
    const parts = Object.values(table.texts(row) ?? {});
    for (const column of columns) {
      const value = fields[column];
      if (typeof value === 'string') parts.push(fold(value));
      else if (value !== undefined) parts.push(String(value).toUpperCase());
    }
    for (const [, name] of namesOf(fields)) parts.push(foldName(name));
    return terms.every(term => parts.some(part => part.includes(term)));
  };
}

/** The ids of the rows of a catalog that the last change added or changed. Yields while it looks for them. */
export function* changedIds(
  { changes, prices }: Snapshot,
  catalog: CatalogName,
): Generator<undefined, Set<number>> {
  const ids = new Set<number>();
  let count = 0;
  for (const { change, key } of changesWith(changes, catalog, [])) {
    const { id, rel_id = 0, duration_id = 0 } = key;
    const row = prices.rowOf(rel_id, duration_id);
    const found = id ?? (row === undefined ? undefined : prices.id[row]);
    if (change !== 'removed' && found !== undefined) ids.add(found);
    count += 1;
    if (count % CHANGES_PER_STEP === 0) yield;
  }
  return ids;
}
