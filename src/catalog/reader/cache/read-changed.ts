import { type CatalogName, columnsOf, type Row } from '../../../contract/columns.ts';
import { decimalStyle, isDecimal } from '../../../formats/decimals.ts';
import { type CatalogFile, type CsvOptions, parseTextFile } from '../../../formats/formats.ts';
import type { FormerRow } from '../../../set/compare/walk.ts';
import type { ValidatedCatalog } from '../../../set/validate-catalog.ts';
import type { ReadFile } from '../../../set/validate-set.ts';
import { changedLines } from './changed-lines.ts';
import { type KeptRows, keptCatalog } from './kept-rows.ts';

/** A file of the former set. */
export interface FormerFile {
  kept: KeptRows;
  rows(): readonly FormerRow[];
  /** Its bytes, from the history; undefined if they cannot be read. */
  content(): Promise<Buffer | undefined>;
}

/**
 * Reads the lines of a CSV file that changed, and takes the other rows from the former file. Undefined if these may mean
 * something else now, or if there is a problem: then the file is to be read as a whole.
 */
export async function readChanged<Name extends CatalogName>(
  catalog: Name,
  file: CatalogFile,
  former: FormerFile,
  options: CsvOptions,
  read: ReadFile<Name>,
): Promise<ValidatedCatalog<Name> | undefined> {
  const { table, problems, refersTo } = former.kept;
  // The rows of news items lack their texts.
  if (catalog === 'news' || table.format !== 'csv' || table.file !== file.file) return undefined;
  if (table.encoding !== 'utf-8' || problems.length > 0 || refersTo.length > 0) return undefined;
  const content = await former.content();
  const lines = content && changedLines(content, file.content, former.kept);
  if (!lines || !provesDecimals(catalog, { ...file, content: lines.head }, options)) return undefined;

  let hasProblem = false;
  const onProblem = () => {
    hasProblem = true;
  };
  const part = Buffer.concat([lines.head, lines.content]);
  const found = await read(onProblem, { ...file, content: part, bytes: part.length });
  const [changed] = found?.tables ?? [];
  const rows = changed?.rows.slice(lines.headRows) ?? [];
  if (!changed || hasProblem || changed.refersTo.length > 0) return undefined;
  if (changed.table.encoding !== table.encoding || rows.length !== lines.count) return undefined;
  // They are rows of this catalog.
  const others = former.rows() as unknown as readonly Row<Name>[];
  const all = [...others.slice(0, lines.from), ...rows, ...others.slice(lines.to)];
  const lastRow = lines.hasEnd ? table.lastRow : changed.table.lastRow;
  // The first row follows the headings.
  const places = Uint32Array.from(all, (_row, index) => index + 2);
  return keptCatalog({ ...former.kept, table: { ...table, lastRow }, places }, file, options, all);
}

/** Whether the first lines alone decide how the decimals of all others are read. */
function provesDecimals(catalog: CatalogName, head: CatalogFile, options: CsvOptions): boolean {
  const table = parseTextFile(head, options, () => {});
  const columns = columnsOf(catalog).filter(column => isDecimal(column) && table?.header?.has(column.name));
  return table !== undefined && columns.every(({ name }) => decimalStyle(table, name).isProven);
}
