import type { ComparisonHead } from '../contract/changes.ts';
import type { CatalogName } from '../contract/columns.ts';
import type { OnDamage } from '../history/entries.ts';
import type { Entry, KeptFile } from '../history/entry.ts';
import { type ChangeTable, openChangeReport } from '../set/compare/changes.ts';
import { openSummary } from '../set/compare/lines.ts';
import {
  type CatalogContent,
  type ChangeVisitor,
  type SetContent,
  walkCatalog,
} from '../set/compare/walk.ts';
import { isSameFiles, readFiles } from '../set/files.ts';
import { systemDirectory } from '../set/system-directory.ts';
import { changedCatalogs, type Former, hasCatalog, readFormerCatalog } from './former-set.ts';
import { type CatalogSource, keptFiles, readKeptSet, readSet } from './load-set.ts';
import type { SetReport } from './read-directory.ts';

/** A set to compare: a version of the history, or a directory. */
export interface Side extends Former {
  /** All rows of a catalog; undefined if it has no file. */
  read(catalog: CatalogName): Promise<CatalogContent | undefined>;
}

/** The set of a version, of which it reads one catalog at a time. */
export function versionSide(stateDir: string, entry: Entry, onDamage: OnDamage): Side {
  return {
    ...entry,
    async read(catalog) {
      const content = await readFormerCatalog(stateDir, entry, catalog, { onDamage });
      if (!content && hasCatalog(entry, catalog))
        throw new Error(`${catalog} of version ${entry.version} cannot be read any more`);
      return content;
    },
  };
}

/** The set of a directory, or its report if it has errors. */
export async function directorySide(source: CatalogSource): Promise<Side | SetReport> {
  let content: SetContent | undefined;
  const { report } = await readSet(source, false, undefined, rows => {
    content = rows;
  });
  return sideOf(report, content) ?? report;
}

/** The set that is held back, which has these files. @throws Error if the directory has others by now. */
async function heldSide(source: CatalogSource, held: readonly KeptFile[]): Promise<Side> {
  let content: SetContent | undefined;
  const { files } = await readFiles(systemDirectory(source.catalogDir, source.maxFileMb), () => {});
  const isHeld = isSameFiles(files, held);
  // It has no ambiguous numbers: all were decided when it was held back.
  const set = isHeld && (await readKeptSet(files, source, source, undefined, rows => (content = rows)));
  const side = set && sideOf(set.report, content);
  if (!side) throw new Error('the files have changed since they were held back');
  return side;
}

function sideOf(report: SetReport, content: SetContent | undefined): Side | undefined {
  const { version, reading } = report;
  if (version === undefined) return undefined;
  return { version, files: keptFiles(report), reading, read: async catalog => content?.[catalog] };
}

/** A version of the history, or the set that is held back. */
export type ComparedSide = Entry | { held: readonly KeptFile[] };

/** What changes from one set to another, hidden rows included. @throws Error that says why they cannot be compared. */
export async function compareSides(
  source: CatalogSource,
  from: ComparedSide,
  to: ComparedSide,
  onDamage: OnDamage,
): Promise<ChangeTable> {
  const open = (side: ComparedSide) =>
    'held' in side ? heldSide(source, side.held) : versionSide(source.stateDir, side, onDamage);
  const [before, after] = [await open(from), await open(to)];
  const [summary, report] = [openSummary(), openChangeReport<ComparisonHead>()];
  await walkSides(before, after, [summary, report]);
  return report.table({ from: before.version, to: after.version, summary: summary.text() });
}

/** Shows the differences between two sets to visitors, one catalog after the other. */
export async function walkSides(from: Side, to: Side, visitors: readonly ChangeVisitor[]): Promise<void> {
  for (const catalog of changedCatalogs(from, to.files, to.reading)) {
    const [before, after] = [await from.read(catalog), await to.read(catalog)];
    walkCatalog({ catalog, before, after }, visitors);
  }
}
