import { reasonOf } from '../../messages.ts';
import { rfc3339 } from '../../time-zone.ts';
import type { ChangeTable } from '../changes/change-table.ts';
import { type HoldReason, holdsOfFiles, openHoldBack } from '../changes/hold-back/hold-back.ts';
import { openPublicReport } from '../changes/public-report.ts';
import { openSummary } from '../changes/summary.ts';
import { visibleRows } from '../changes/visible-rows.ts';
import { type FormerSet, type SetContent, walkChanges } from '../changes/walk.ts';
import type { OnDamage } from '../history/entries.ts';
import type { CatalogFile } from '../read/files.ts';
import type { Expectation, Surroundings } from './changed-set.ts';
import { changedCatalogs, type Former, readFormerSet } from './former-set.ts';
import { compressReport, readReport } from './history-tasks.ts';
import { type CatalogSource, keptFiles, type SetChanges, type SetReport } from './load-set.ts';

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
  /** Call this with all rows of the set, if it has no errors, and where its files are from if they may be drastic. */
  compare(set: SetContent, version: string, surroundings?: Surroundings): void;
  /** Why the set is to be held back; empty if it is not. */
  holds(): HoldReason[];
  /** Undefined if there is no set before this one, or it cannot be read any more. */
  result(): ComparedSet | undefined;
}

export function openComparison(
  source: CatalogSource,
  { served, kept, holdBack }: Pick<Expectation, 'served' | 'kept' | 'holdBack'>,
  onDamage: OnDamage,
  collectGarbage: () => Promise<void>,
): Comparison {
  const before = served ? formerOf(served) : kept;
  const beginnings = new Map<string, string>();
  let former: FormerSet | undefined;
  let compared: ComparedSet | undefined;
  let holds: HoldReason[] = [];
  return {
    async readFormer(files) {
      if (!before) return;
      const changed = changedCatalogs(before, files, source);
      const onFile = (kept: CatalogFile) => {
        const file = files.find(({ file }) => file === kept.file);
        if (file && isBeginning(file.content, kept.content))
          beginnings.set(kept.file, beginningOf(kept.file));
      };
      try {
        // The set that was served before the start has the report that it had then.
        if (changed.length === 0)
          compared = kept && !served ? await readReport(source, kept, onDamage) : undefined;
        else former = await readFormerSet(source.stateDir, before, changed, onFile, onDamage, collectGarbage);
      } catch (error) {
        onDamage(`no report of what changes since version ${before.version}: ${reasonOf(error)}`);
      }
    },
    compare(set, version, surroundings = { cutOff: new Map(), gone: String }) {
      if (!before) return;
      const { gone } = surroundings;
      const cutOff = [...new Map([...surroundings.cutOff, ...beginnings]).values()];
      if (!former) {
        holds = holdBack ? holdsOfFiles(before.files, { set, cutOff, gone }) : [];
        return;
      }
      const now = Date.now() / 1000;
      const { configurations } = set;
      const were = former.has('configurations') ? former.get('configurations') : configurations;
      const wasVisible = visibleRows(were?.rows ?? [], now);
      const isVisible = visibleRows(configurations?.rows ?? [], now);
      const report = openPublicReport(wasVisible, isVisible);
      const summary = openSummary();
      const rules = openHoldBack({ set, wasVisible, isVisible, now, cutOff, gone });
      walkChanges(former, set, holdBack ? [report, summary, rules] : [report, summary]);
      const table = report.table({ from: before.version, to: version, time: rfc3339(now) });
      const digest = compressReport(table);
      compared = { table, changes: { summary: summary.text(), report: digest, isNew: true } };
      holds = holdBack ? rules.reasons() : [];
      former = undefined;
    },
    result: () => compared,
    holds: () => holds,
  };
}

/** Whether a file is the beginning of the one before, which goes on with more than line breaks. */
function isBeginning(content: Buffer, before: Buffer): boolean {
  const { length } = content;
  if (length === 0 || length >= before.length || !before.subarray(0, length).equals(content)) return false;
  return before.subarray(length).some(byte => !BLANKS.includes(byte));
}

/** Line breaks and spaces, in UTF-8 and UTF-16. */
const BLANKS = [0, 9, 10, 13, 32];

function beginningOf(file: string): string {
  return `${file} is only the beginning of the file that is served: save the whole file again`;
}

function formerOf(served: SetReport): Former {
  const { version, reading } = served;
  return { version: String(version), files: keptFiles(served), reading };
}
