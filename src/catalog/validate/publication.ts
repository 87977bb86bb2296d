import type { Reporter } from '../../contract/problems.ts';
import { omissions, placeIn } from '../../formats/table.ts';
import type { TimeZone } from '../../time-zone.ts';
import type { ValidatedCatalog } from './validate-catalog.ts';

/** Reports each news item that is never shown, because its `unpublish_time` is not after its `publish_time`. */
export function checkPublication(
  { entries }: ValidatedCatalog<'news'>,
  zone: TimeZone,
  report: Reporter,
): void {
  for (const { table, raw, row } of entries) {
    const { publish_time, unpublish_time } = row;
    if (!publish_time || unpublish_time === undefined || unpublish_time > publish_time) continue;
    const message = `unpublish_time ${zone.format(unpublish_time)} is not after publish_time ${zone.format(publish_time)}: write a later time, or ${omissions[table.format]}`;
    report(placeIn(table, raw, 'unpublish_time'), 'NEVER_SHOWN', message);
  }
}
