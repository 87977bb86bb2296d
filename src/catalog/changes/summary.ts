import { type CatalogName, catalogs } from '../../contract/columns.ts';
import { plural } from '../../messages.ts';
import type { RowPair } from './row-pairs.ts';
import { type CatalogPair, type ChangeVisitor, columnChanges } from './walk.ts';

/** What happens to a row. A price is renumbered if only the id of its record differs. */
const kinds = ['added', 'removed', 'changed', 'shown', 'hidden', 'renumbered'] as const;
type Kind = (typeof kinds)[number];

/** Counts changes of rows by catalog and kind. */
export interface Summary extends ChangeVisitor {
  /** One line such as `3 prices changed, 1 news item added, column hidden of configurations gone`. */
  text(): string;
}

export function openSummary(): Summary {
  const counts = new Map<CatalogName, Map<Kind, number>>();
  const ofFiles: string[] = [];
  return {
    catalog(pair) {
      counts.set(pair.catalog, new Map());
      ofFiles.push(...fileChanges(pair));
    },
    row(pair) {
      const kind = kindOf(pair);
      const ofCatalog = counts.get(pair.catalog);
      if (kind) ofCatalog?.set(kind, 1 + (ofCatalog.get(kind) ?? 0));
    },
    text() {
      const ofRows = Array.from(counts).flatMap(([catalog, ofCatalog]) =>
        kinds.flatMap(kind => {
          const count = ofCatalog.get(kind);
          return count ? [`${plural(count, catalogs[catalog].noun)} ${kind}`] : [];
        }),
      );
      return [...ofRows, ...ofFiles].join(', ') || 'nothing changed';
    },
  };
}

function kindOf({ before, after, columns }: RowPair): Kind | undefined {
  if (!before) return 'added';
  if (!after) return 'removed';
  if (columns.includes('hidden')) return after.hidden ? 'hidden' : 'shown';
  if (columns.length === 0) return undefined;
  return columns.every(column => column === 'id') ? 'renumbered' : 'changed';
}

/** What became of the file of a catalog: `column hidden of configurations gone`. */
function fileChanges(pair: CatalogPair): string[] {
  const { catalog, before, after } = pair;
  if (!before || !after) return before === after ? [] : [`catalog ${catalog} ${after ? 'new' : 'gone'}`];
  const { gained, lost } = columnChanges(pair);
  return [
    ...gained.map(column => `column ${column} of ${catalog} new`),
    ...lost.map(column => `column ${column} of ${catalog} gone`),
  ];
}
