import { shortened } from '../../contract/changes.ts';
import type { CatalogName } from '../../contract/columns.ts';
import type { CatalogRow, RowPlace } from '../../contract/page.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { MARKDOWN } from '../../snapshot/sources.ts';
import { changesWith } from '../changes/change-search.ts';
import { rowNames } from './row-names.ts';
import type { Values } from './row-table.ts';

/** A row as it is shown, with what the last change did to it; `place` is as in {@link RowSources}, and 0 if it is not known. */
export function catalogRow(
  snapshot: Snapshot,
  catalog: CatalogName,
  columns: readonly string[],
  record: Values,
  place: number,
): CatalogRow {
  const { id, product_id, rel_id, duration_id } = record;
  const key = catalog === 'prices' ? [product_id, rel_id, duration_id] : [id];
  const [found] = changesWith(snapshot.changes, catalog, key.map(Number));
  const names = rowNames(snapshot, catalog)(record);
  const where = placeOf(snapshot, catalog, place);
  return {
    row: Object.fromEntries(
      columns.flatMap(column => {
        const value = record[column];
        return value === undefined || value === '' ? [] : [[column, shown(value)]];
      }),
    ),
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    ...(where && { place: where }),
    ...(found && found.change !== 'removed' && { change: found.change }),
    ...(found?.change === 'changed' && {
      was: Object.fromEntries(found.columns.map(({ column, from }) => [column, from])),
    }),
  };
}

function shown(value: string | number | boolean): string | number | boolean {
  return typeof value === 'string' ? shortened(value) : value;
}

function placeOf({ sources }: Snapshot, catalog: CatalogName, place: number): RowPlace | undefined {
  if (!sources || place === 0) return undefined;
  if (place >= MARKDOWN) return { file: sources.markdown[place - MARKDOWN] ?? '' };
  const { file = '', sheet, unit } = sources.files[catalog] ?? {};
  return { file, ...(sheet !== undefined && { sheet }), [unit ?? 'line']: place };
}
