import type { CatalogName } from '../../contract/columns.ts';
import type { RowState } from '../../contract/page.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { timeOf } from '../published.ts';
import type { RowTable } from './row-table.ts';

/** Why visitors do not see a row of a catalog at `now` (Unix seconds); undefined if they do. */
export function rowState(
  snapshot: Snapshot,
  catalog: CatalogName,
  { served }: RowTable,
  now: number,
): (row: number) => RowState | undefined {
  const { publish_time, unpublish_time } = snapshot.news;
  const time = timeOf(snapshot, now);
  return row => {
    if (row >= served) return 'hidden';
    if (catalog !== 'news') return undefined;
    if ((publish_time[row] ?? 0) > time) return 'scheduled';
    return (unpublish_time[row] ?? 0) <= time ? 'expired' : undefined;
  };
}
