import { type CatalogName, CONFIGURATION_PRICE } from '../../contract/columns.ts';
import type { FormerRow } from './former-rows.ts';

/** Whether visitors see a row of a catalog. */
export type IsVisible = (catalog: CatalogName, row: FormerRow) => boolean;

/**
 * Tells what visitors see of a set with these configurations at `now` (Unix seconds): no hidden rows, no prices but those
 * of configurations that are not hidden, and no news items before or after their time.
 */
export function visibleRows(configurations: readonly FormerRow[], now: number): IsVisible {
  const shown = new Set(configurations.filter(({ hidden }) => !hidden).map(({ id }) => id));
  return (catalog, row) => {
    switch (catalog) {
      case 'configurations':
        return !row.hidden;
      case 'prices':
        return row.rel_type === CONFIGURATION_PRICE && shown.has(Number(row.rel_id));
      case 'news':
        return !row.hidden && Number(row.publish_time) <= now && now < Number(row.unpublish_time ?? Infinity);
      default:
        return true;
    }
  };
}
