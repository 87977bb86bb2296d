import type { CatalogName } from '../contract/columns.ts';
import type { OnDamage } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import {
  type CatalogContent,
  type ChangeVisitor,
  type SetContent,
  walkCatalog,
} from '../set/compare/walk.ts';
import { changedCatalogs, type Former, hasCatalog, readFormerCatalog } from './former-set.ts';
import { type CatalogSource, keptFiles, readSet } from './load-set.ts';
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

function sideOf(report: SetReport, content: SetContent | undefined): Side | undefined {
  const { version, reading } = report;
  if (version === undefined) return undefined;
  return { version, files: keptFiles(report), reading, read: async catalog => content?.[catalog] };
}

/** Shows the differences between two sets to visitors, one catalog after the other. */
export async function walkSides(from: Side, to: Side, visitors: readonly ChangeVisitor[]): Promise<void> {
  for (const catalog of changedCatalogs(from, to.files, to.reading)) {
    const [before, after] = [await from.read(catalog), await to.read(catalog)];
    walkCatalog({ catalog, before, after }, visitors);
  }
}
