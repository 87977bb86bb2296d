import { MARKDOWN_FILES } from '../contract/catalog-files.ts';
import type { CatalogName } from '../contract/columns.ts';
import { systemFs } from '../files/atomic-write.ts';
import type { CatalogFile, FileDigest } from '../formats/formats.ts';
import { compress, hasContent, readKeptFile } from '../history/contents.ts';
import { historyPath, type OnDamage } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import { keepEntry } from '../history/keep.ts';
import { reasonOf } from '../messages.ts';
import { type ChangeTable, fromLines, linesOf, openPublicReport } from '../set/compare/changes.ts';
import { openSummary } from '../set/compare/lines.ts';
import { type FormerRow, type SetContent, walkChanges } from '../set/compare/walk.ts';
import { readMarkdownFiles, sha256 } from '../set/files.ts';
import { type HoldReason, holdsOfFiles, openHoldBack } from '../set/hold-back/hold-back.ts';
import { systemDirectory } from '../set/system-directory.ts';
import { type Beginning, beginningOfFile, lacksFew } from '../set/validate-set.ts';
import { rfc3339 } from '../time-zone.ts';
import type { Expectation, Surroundings } from './changed-set.ts';
import { changedCatalogs, type Former, readFormerSet } from './former-set.ts';
import type { CatalogSource, SetChanges, SetReport } from './read-set.ts';

/** What a set changes. */
export interface ComparedSet {
  changes: SetChanges;
  table: ChangeTable;
}

/** Compares a set that is read with the one that it replaces. */
interface Comparison {
  /**
   * Call this with the files of the set before they are read, when there is memory for those that they replace. Errors
   * lead to a set without a report. Returns the catalogs that may differ; undefined if it replaces no set.
   */
  readFormer(files: readonly CatalogFile[]): Promise<readonly CatalogName[] | undefined>;
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
  const beginnings = new Map<string, Beginning>();
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
      const beginning = beginningOfFile(was.file, shorter.content, content);
      if (beginning) beginnings.set(was.file, beginning);
    }
    return true;
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
    formerRows: catalog => former?.get(catalog)?.rows,
    compare(set, version, surroundings) {
      if (!before) return;
      const guarded =
        holdBack && surroundings ? guardedSet(before, set, surroundings, beginnings) : undefined;
      if (!former) {
        holds = guarded ? holdsOfFiles(before.files, guarded) : [];
        return;
      }
      const now = Date.now() / 1000;
      const report = openPublicReport();
      const summary = openSummary();
      const rules = guarded && openHoldBack({ ...guarded, now });
      walkChanges(former, set, rules ? [report, summary, rules] : [report, summary], now);
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
  { files }: Former,
  set: SetContent,
  { cutOff, gone }: Surroundings,
  beginnings: ReadonlyMap<string, Beginning>,
) {
  const all = new Map(cutOff);
  for (const { file, catalog } of files) {
    const { message, isProper } = beginnings.get(file) ?? {};
    const rowsBefore = files
      .filter(other => other.catalog === catalog)
      .reduce((sum, { rows }) => sum + rows, 0);
    const isWhole = isProper && lacksFew(rowsBefore, set[catalog]?.rows.length ?? 0);
    if (message !== undefined && !isWhole) all.set(file, message);
  }
  return { set, gone, cutOff: [...all.values()] };
}

function formerOf(served: SetReport): Former {
  const { version, files, reading } = served;
  return { version: String(version), files, reading };
}

/** The contents of the files that were read last and that the history does not have yet, by their hashes. */
const contents = new Map<string, Promise<Buffer>>();

/**
 * Compresses the files that the history does not have yet. Wait for it before they are parsed: that keeps the thread from
 * everything else, and the bytes of a file would stay in memory besides its rows.
 */
export async function compressNew({ stateDir }: CatalogSource, files: readonly CatalogFile[]): Promise<void> {
  contents.clear();
  // Whoever keeps a file sees the error.
  for (const { sha256: hash, content } of files) {
    if (contents.has(hash)) continue;
    if (await hasContent(systemFs, historyPath(stateDir), hash).catch(() => false)) continue;
    const compressed = compress(content);
    contents.set(hash, compressed);
    compressed.catch(() => {});
  }
  await Promise.allSettled(contents.values());
}

/** Compresses the report of a changed set. Returns what the entry says about it. */
function compressReport(table: ChangeTable): NonNullable<Entry['report']> {
  const lines = linesOf(table);
  const hash = sha256(lines);
  const compressed = compress(lines);
  contents.set(hash, compressed);
  compressed.catch(() => {});
  return { bytes: lines.length, sha256: hash };
}

/** Reads the report of a set that is in the history; undefined if it has none that can be read. */
export async function readReport(
  { stateDir }: Pick<CatalogSource, 'stateDir'>,
  { summary, report }: Entry,
  onDamage: OnDamage,
): Promise<ComparedSet | undefined> {
  if (summary === undefined || !report) return undefined;
  const digest = { file: 'report of changes', ...report };
  const lines = await readKeptFile(systemFs, historyPath(stateDir), digest, onDamage);
  return lines && { table: fromLines(lines), changes: { summary, report, isNew: false } };
}

/** Keeps a set; see {@link keepEntry}. */
export async function keepSet(source: CatalogSource, entry: Entry): Promise<number> {
  const dir = historyPath(source.stateDir);
  const missing = new Map<string, Buffer>();
  for (const file of entry.files) {
    if (missing.has(file.sha256) || (await hasContent(systemFs, dir, file.sha256))) continue;
    missing.set(file.sha256, await (contents.get(file.sha256) ?? compressAgain(source, file)));
  }
  const { report, ...others } = entry;
  const isKept = report && (await hasContent(systemFs, dir, report.sha256));
  const compressed = report && (await contents.get(report.sha256));
  if (report && compressed && !isKept) missing.set(report.sha256, compressed);
  // Only the process that read the set has its report.
  return keepEntry(systemFs, dir, isKept || compressed ? entry : others, missing);
}

/** For a set that could not be kept when it was read. */
async function compressAgain(source: CatalogSource, { file, sha256: hash }: FileDigest): Promise<Buffer> {
  const directory = systemDirectory(source);
  const ignore = () => {};
  const content =
    file === MARKDOWN_FILES
      ? await readMarkdownFiles(directory, await directory.listMarkdown(ignore), ignore)
      : await directory.read(file, ignore);
  if (!content || sha256(content) !== hash) throw new Error(`${file} has changed since`);
  return compress(content);
}
