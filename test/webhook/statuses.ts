import type { CatalogStatus } from '../../src/live/status.ts';
import type { SetReport } from '../../src/reader/read-set.ts';
import { tabulatePrices } from '../../src/snapshot/price-table.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';

/** In Unix seconds. */
export const BEGIN = 1_900_000_000;

/** As much of a set as is announced: its version, and when its news items appear (Unix seconds). */
export function setOf(version: string, ...publish_time: number[]): Snapshot {
  const never = publish_time.map(() => Number.POSITIVE_INFINITY);
  return {
    version,
    prices: tabulatePrices([]),
    news: { publish_time, unpublish_time: never, img: [], type_id: [] },
  } as unknown as Snapshot;
}

/** A report of a set with these errors. */
export function reportOf(...messages: string[]): SetReport {
  const problems = messages.map(
    message => ({ severity: 'error', file: 'prices.csv', code: 'BAD_ENCODING', message }) as const,
  );
  return { problems, errors: problems.length, warnings: 0, files: [] } as unknown as SetReport;
}

/** A set that is served, and what differs from the usual. */
export function statusOf(snapshot: Snapshot, values: Partial<CatalogStatus> = {}): CatalogStatus {
  const served = { snapshot, report: reportOf(), since: BEGIN };
  return { ...({ held: undefined, pinned: undefined } as CatalogStatus), served, ...values };
}

/** A set that was refused for these errors. */
export function refused(...messages: string[]): Pick<CatalogStatus, 'attempt'> {
  return { attempt: { outcome: 'failed', time: BEGIN, report: reportOf(...messages) } };
}
