import type { Column } from '../../../contract/columns.ts';
import type { Reporter } from '../../../contract/problems.ts';
import { cellOf, placeIn, type RawRow, type Table } from '../../../formats/table.ts';
import { formatLocal, type TimeZone } from '../../../time-zone.ts';
import { cellText, cellTypes } from './cell-types.ts';
import { damageIn } from './damaged-text.ts';
import { skippedTime } from './time-cell.ts';

/** Whether {@link warnOfRow} looks at the cells of a column. */
export function canWarn({ schema }: Column): boolean {
  const { cellType = 'text' } = schema;
  return cellType === 'text' || cellType === 'fileName' || cellTypes[cellType].code === 'BAD_TIME';
}

/** Warns of the valid cells of a row that are not what an editor means: damaged text, and times that clocks skip. */
export function warnOfRow(
  table: Table,
  raw: RawRow,
  columns: readonly Column[],
  row: Record<string, unknown>,
  zone: TimeZone,
  report: Reporter,
): void {
  for (const { name } of columns) {
    const value = row[name];
    if (typeof value === 'string') {
      const damage = damageIn(value);
      const message = `${name} ${damage}: type it again, or restore it from a file that was saved as UTF-8`;
      if (damage) report(placeIn(table, raw, name), 'DAMAGED_TEXT', message);
    } else if (typeof value === 'number') {
      const cell = cellOf(raw, name);
      const skipped = cell && skippedTime(cellText(cell, table), value, zone);
      if (!skipped) continue;
      const message = `${name} ${formatLocal(skipped)} does not exist in ${zone.name}, because the clocks go forward: ${zone.format(value)} is served; write the time that you mean`;
      report(placeIn(table, raw, name), 'SKIPPED_TIME', message);
    }
  }
}
