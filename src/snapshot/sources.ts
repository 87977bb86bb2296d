import { type CatalogName, catalogNames } from '../contract/columns.ts';
import type { RawRow } from '../formats/table.ts';
import { printable } from '../messages.ts';
import type { ValidatedCatalogs } from '../set/validate-catalog.ts';
import type { CatalogRows } from './sort.ts';

/**
 * Where the rows of a set are, for editors. A place is the number of a row or line in the file of the catalog, or from
 * {@link MARKDOWN} on that of a Markdown file. Takes eight bytes per row.
 */
export interface RowSources {
  /** `unit` is what places count, from 1: rows of a spreadsheet, or lines. */
  files: Partial<Record<CatalogName, { file: string; sheet: string | undefined; unit: 'row' | 'line' }>>;
  /** The Markdown files, in the order of their rows. */
  markdown: string[];
  /** The place of each served row, in the order of the snapshot. */
  places: Record<CatalogName, Uint32Array>;
  /** The numbers of these rows, in the order of the file. */
  order: Record<CatalogName, Uint32Array>;
}

/** Places from here on are Markdown files. No file has as many lines. */
export const FIRST_MARKDOWN_PLACE = 2 ** 31;

/** `served` are the rows that go live, in the order of the snapshot. */
export function rowSources(catalogs: ValidatedCatalogs, served: CatalogRows): RowSources {
  const files: RowSources['files'] = {};
  const markdown: string[] = [];
  const places: Partial<RowSources['places']> = {};
  const order: Partial<RowSources['order']> = {};
  for (const catalog of catalogNames) {
    const { tables = [], rows = [] } = catalogs[catalog] ?? {};
    const written = new Uint32Array(rows.length);
    let count = 0;
    for (const { table } of tables) {
      const { file, sheet, format, rows, lines, locate } = table;
      const pathOf = (row: RawRow) => FIRST_MARKDOWN_PLACE + markdown.push(printable(locate(row).file)) - 1;
      const placeIn = format === 'markdown' ? pathOf : ({ number = 0 }: RawRow) => number;
      if (format !== 'markdown')
        files[catalog] = { file, sheet: sheet && printable(sheet), unit: format === 'json' ? 'line' : 'row' };
      written.set(lines?.() ?? Uint32Array.from(rows, placeIn), count);
      count += rows.length;
    }
    const all: readonly { id: number }[] = rows;
    const placeOf = new Map(all.map(({ id }, row) => [id, written[row] ?? 0]));
    const shown: readonly { id: number }[] = served[catalog] ?? [];
    const placed = Uint32Array.from(shown.map(({ id }) => placeOf.get(id) ?? 0));
    places[catalog] = placed;
    const placeAt = (row: number) => placed[row] ?? 0;
    // Several rows may be on one line.
    order[catalog] = Uint32Array.from(placed.keys()).sort((a, b) => placeAt(a) - placeAt(b) || a - b);
  }
  return { files, markdown, places, order } as RowSources;
}

/** The ids of rows with problems, with the number of their problems. */
export type RowProblems = Partial<Record<CatalogName, [id: number, count: number][]>>;

export function rowProblems(catalogs: ValidatedCatalogs, countOf: ReadonlyMap<object, number>): RowProblems {
  const found: RowProblems = {};
  for (const catalog of countOf.size > 0 ? catalogNames : []) {
    const ofCatalog: [number, number][] = [];
    for (const { raw, row } of catalogs[catalog]?.entries ?? []) {
      const count = countOf.get(raw);
      if (count !== undefined && row.id !== undefined) ofCatalog.push([row.id, count]);
    }
    if (ofCatalog.length > 0) found[catalog] = ofCatalog;
  }
  return found;
}
