import type { CatalogStatus } from '../../../live/status.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import type { RowProblems } from '../../../snapshot/sources.ts';

/** Tells which rows of a set have problems. */
export type ProblemsOf = (snapshot: Snapshot) => RowProblems;

/** The rows with problems of a set that is served or held back. What is around its files can change them. */
export function problemsIn({ served, held }: CatalogStatus, { version }: Snapshot): RowProblems {
  const report = [served, held].find(set => set?.report.version === version)?.report;
  return report?.rowProblems ?? {};
}
