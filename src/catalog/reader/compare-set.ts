import { reasonOf } from '../../messages.ts';
import { rfc3339 } from '../../time-zone.ts';
import type { ChangeTable } from '../changes/change-table.ts';
import { openPublicReport } from '../changes/public-report.ts';
import { openSummary } from '../changes/summary.ts';
import { visibleRows } from '../changes/visible-rows.ts';
import { type FormerSet, type SetContent, walkChanges } from '../changes/walk.ts';
import type { OnDamage } from '../history/entries.ts';
import type { CatalogFile } from '../read/files.ts';
import { changedCatalogs, type Former, readFormerSet } from './former-set.ts';
import { compressReport, readReport } from './history-tasks.ts';
import {
  type CatalogSource,
  type Expectation,
  keptFiles,
  type SetChanges,
  type SetReport,
} from './load-set.ts';

/** What a set changes. */
export interface ComparedSet {
  changes: SetChanges;
  table: ChangeTable;
}

/** Compares a set that is read with the one that it replaces. */
export interface Comparison {
  /**
   * Call this with the files of the set before they are read, when there is memory for those that they replace. Errors
   * lead to a set without a report.
   */
  readFormer(files: readonly CatalogFile[]): Promise<void>;
  /** Call this with all rows of the set, if it has no errors. */
  compare(set: SetContent, version: string): void;
  /** Undefined if there is no set before this one, or it cannot be read any more. */
  result(): ComparedSet | undefined;
}

export function openComparison(
  source: CatalogSource,
  { served, kept }: Pick<Expectation, 'served' | 'kept'>,
  onDamage: OnDamage,
  collectGarbage: () => Promise<void>,
): Comparison {
  const before = served ? formerOf(served) : kept;
  let former: FormerSet | undefined;
  let compared: ComparedSet | undefined;
  return {
    async readFormer(files) {
      if (!before) return;
      const changed = changedCatalogs(before, files, source);
      try {
        // The set that was served before the start has the report that it had then.
        if (changed.length === 0)
          compared = kept && !served ? await readReport(source, kept, onDamage) : undefined;
        else former = await readFormerSet(source.stateDir, before, changed, onDamage, collectGarbage);
      } catch (error) {
        onDamage(`no report of what changes since version ${before.version}: ${reasonOf(error)}`);
      }
    },
    compare(set, version) {
      if (!before || !former) return;
      const now = Date.now() / 1000;
      const { configurations } = set;
      const were = former.has('configurations') ? former.get('configurations') : configurations;
      const report = openPublicReport(
        visibleRows(were?.rows ?? [], now),
        visibleRows(configurations?.rows ?? [], now),
      );
      const summary = openSummary();
      walkChanges(former, set, [report, summary]);
      const table = report.table({ from: before.version, to: version, time: rfc3339(now) });
      const digest = compressReport(table);
      compared = { table, changes: { summary: summary.text(), report: digest, isNew: true } };
      former = undefined;
    },
    result: () => compared,
  };
}

function formerOf(served: SetReport): Former {
  const { version, reading } = served;
  return { version: String(version), files: keptFiles(served), reading };
}
