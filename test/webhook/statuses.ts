import { type CatalogStatus, nothingServed } from '../../src/live/status.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { reportOf, snapshotOf } from '../support/sets.ts';

/** In Unix seconds. */
export const BEGIN = 1_900_000_000;

/** A report of a set with these errors. */
export function errorsOf(...messages: string[]) {
  const place = { severity: 'error', file: 'prices.csv', code: 'BAD_ENCODING' } as const;
  const problems = messages.map(message => ({ ...place, message }));
  return reportOf(undefined, { problems, errors: problems.length });
}

/** A set that is served, by its version if nothing else matters, and what differs from the usual. */
export function statusOf(set: Snapshot | string, values: Partial<CatalogStatus> = {}): CatalogStatus {
  const snapshot = typeof set === 'string' ? snapshotOf(set) : set;
  return {
    ...nothingServed,
    served: { snapshot, report: reportOf(snapshot.version), since: BEGIN },
    ...values,
  };
}

/** A set that was refused for these errors. */
export function refused(...messages: string[]): Pick<CatalogStatus, 'attempt'> {
  return { attempt: { outcome: 'failed', time: BEGIN, report: errorsOf(...messages) } };
}
