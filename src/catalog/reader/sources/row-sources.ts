import { type CatalogName, catalogNames } from '../../../contract/columns.ts';
import type { Table } from '../../../formats/table.ts';
import { printable } from '../../../messages.ts';
import type { ValidatedCatalogs } from '../../../set/validate-catalog.ts';
import type { CatalogRows } from '../../snapshot/sort.ts';
import { MARKDOWN, type RowSources, type SourceFile } from '../../snapshot/sources/row-sources.ts';
import { openHiddenRows } from './hidden-rows.ts';
import { placesById } from './places-by-id.ts';

/** Where the rows of a set without errors are; `served` are those that go live, in the order of the snapshot. */
export function rowSources(catalogs: ValidatedCatalogs, served: CatalogRows): RowSources {
  const files: RowSources['files'] = {};
  const markdown: string[] = [];
  const places: [CatalogName, Uint32Array][] = [];
  const hidden = openHiddenRows();
  for (const catalog of catalogNames) {
    const { tables = [], rows = [] } = catalogs[catalog] ?? {};
    const written = new Uint32Array(rows.length);
    let count = 0;
    for (const { table } of tables) {
      const isMarkdown = table.format === 'markdown';
      if (!isMarkdown) files[catalog] = fileOf(table);
      written.set(isMarkdown ? markdownPlaces(table, markdown) : numbersOf(table), count);
      count += table.rows.length;
    }
    const all: readonly { id: number }[] = rows;
    const shown: readonly { id: number }[] = served[catalog] ?? [];
    const placeOf = placesById(all, written);
    places.push([catalog, Uint32Array.from(shown.map(placeOf))]);
    hidden.add(withoutThose(shown, all), placeOf);
  }
  // Each catalog is one of the names.
  const byName = Object.fromEntries(places) as RowSources['places'];
  return { files, markdown, places: byName, hidden: hidden.rows() };
}

/** Names are shown to people. */
function fileOf({ file, sheet, format }: Table): SourceFile {
  return { file, sheet: sheet && printable(sheet), unit: format === 'json' ? 'line' : 'row' };
}

/** The row or the line of each row of a table in its file. */
export function numbersOf({ rows, lines }: Table): Uint32Array {
  return lines?.() ?? Uint32Array.from(rows.map(({ number = 0 }) => number));
}

/** Adds the paths of the rows to `paths`. */
function markdownPlaces({ rows, locate }: Table, paths: string[]): Uint32Array {
  return Uint32Array.from(rows, row => MARKDOWN + paths.push(printable(locate(row).file)) - 1);
}

function withoutThose<Item>(some: readonly Item[], all: readonly Item[]): readonly Item[] {
  if (some.length === all.length) return [];
  const known = new Set(some);
  return all.filter(item => !known.has(item));
}
