import type { CatalogName } from '../../contract/columns.ts';
import { systemFs } from '../../files/atomic-write.ts';
import type { CatalogFile, FileDigest } from '../../formats/formats.ts';
import { readKeptFile } from '../../history/contents.ts';
import { historyPath, type OnDamage } from '../../history/entries.ts';
import { isReadAs } from '../../history/entry.ts';
import { reasonOf } from '../../messages.ts';
import { type ChangeTable, openPublicReport } from '../../set/compare/changes.ts';
import { openSummary } from '../../set/compare/lines.ts';
import { type FormerRow, type SetContent, visibleRows, walkChanges } from '../../set/compare/walk.ts';
import { type HoldReason, holdsOfFiles, openHoldBack } from '../../set/hold-back/hold-back.ts';
import { cutOffFile } from '../../set/validate-set.ts';
import { rfc3339 } from '../../time-zone.ts';
import type { FormerFile } from './cache/read-changed.ts';
import type { Expectation, Surroundings } from './changed-set.ts';
import { changedCatalogs, type Former, readFormerSet } from './former-set.ts';
import { compressReport, readReport } from './history-tasks.ts';
import { type CatalogSource, keptFiles } from './load-set.ts';
import type { SetChanges, SetReport } from './set/finish.ts';

/** What a set changes. */
export interface ComparedSet {
  changes: SetChanges;
  table: ChangeTable;
}

/** Compares a set that is read with the one that it replaces. */
export interface Comparison {
  /**
   * Call this with the files of the set before they are read, when there is memory for those that they replace. Errors
   * lead to a set without a report. Returns the catalogs that may differ; undefined if it replaces no set.
   */
  readFormer(files: readonly CatalogFile[]): Promise<readonly CatalogName[] | undefined>;
  /** The file of such a catalog in the former set; undefined unless its rows are in the cache and it was read alike. */
  formerFile(catalog: CatalogName): FormerFile | undefined;
  /** The rows of such a catalog in the former set, in the order of its file; undefined if they cannot be read any more. */
  formerRows(catalog: CatalogName): readonly FormerRow[] | undefined;
  /** Call this with all rows of the set, if it has no errors, and with its surroundings if it is held back when it is drastic. */
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
  let former: Awaited<ReturnType<typeof readFormerSet>>;
  let compared: ComparedSet | undefined;
  let holds: HoldReason[] = [];

  /** Finds the files that are the beginning of those before; false if one of these cannot be read any more. */
  const findBeginnings = async ({ files: were }: Former, files: readonly CatalogFile[]) => {
    for (const was of were) {
      const shorter = files.find(({ file, bytes }) => file === was.file && bytes < was.bytes);
      if (!shorter) continue;
      const content = await readKeptFile(systemFs, historyPath(source.stateDir), was, onDamage);
      if (!content) return false;
      const message = cutOffFile(was.file, shorter.content, content);
      if (message) beginnings.set(was.file, message);
    }
    return true;
  };
  /** Undefined if the content of a former file cannot be read: nothing depends on it. */
  const readBytes = async (was: FileDigest) => {
    try {
      return await readKeptFile(systemFs, historyPath(source.stateDir), was, onDamage);
    } catch (error) {
      onDamage(`cannot read a former ${was.file}: ${reasonOf(error)}`);
      return undefined;
    }
  };
  return {
    async readFormer(files) {
      if (!before) return undefined;
      const changed = changedCatalogs(before, files, source);
      try {
        // The set that was served before the start has the report that it had then.
        if (changed.length === 0)
          compared = kept && !served ? await readReport(source, kept, onDamage) : undefined;
        else if (await findBeginnings(before, files))
          former = await readFormerSet(source.stateDir, before, changed, { onDamage, collectGarbage });
      } catch (error) {
        onDamage(`no report of what changes since version ${before.version}: ${reasonOf(error)}`);
      }
      return changed;
    },
    formerFile(catalog) {
      const content = former?.get(catalog);
      const was = before?.files.find(file => file.catalog === catalog);
      if (!before || !was || !content?.kept || !isReadAs(before.reading, source)) return undefined;
      const { kept } = content;
      return { kept, rows: () => content.rows, content: () => readBytes(was) };
    },
    formerRows: catalog => former?.get(catalog)?.rows,
    compare(set, version, surroundings) {
      if (!before) return;
      const guarded = holdBack && surroundings ? guardedSet(set, surroundings, beginnings) : undefined;
      if (!former) {
        holds = guarded ? holdsOfFiles(before.files, guarded) : [];
        return;
      }
      const now = Date.now() / 1000;
      const { configurations } = set;
      const were = former.has('configurations') ? former.get('configurations') : configurations;
      const visibility = {
        before: visibleRows(were?.rows ?? [], now),
        after: visibleRows(configurations?.rows ?? [], now),
      };
      const report = openPublicReport();
      const summary = openSummary();
      const rules = guarded && openHoldBack({ ...guarded, now });
      walkChanges(former, set, rules ? [report, summary, rules] : [report, summary], visibility);
      const table = report.table({ from: before.version, to: version, time: rfc3339(now) });
      const digest = compressReport(table);
      compared = { table, changes: { summary: summary.text(), report: digest, isNew: true } };
      holds = rules?.reasons() ?? [];
      former = undefined;
    },
    result: () => compared,
    holds: () => holds,
  };
}

/** What the rules of holding back need of a set that they apply to. A file is reported as cut off once. */
function guardedSet(
  set: SetContent,
  { cutOff, gone }: Surroundings,
  beginnings: ReadonlyMap<string, string>,
) {
  return { set, gone, cutOff: [...new Map([...cutOff, ...beginnings]).values()] };
}

function formerOf(served: SetReport): Former {
  const { version, reading } = served;
  return { version: String(version), files: keptFiles(served), reading };
}
