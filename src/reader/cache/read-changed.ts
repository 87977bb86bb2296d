import { type CatalogName, columnsOf, type Row } from '../../contract/columns.ts';
import { decimalStyle, isDecimal } from '../../formats/decimals.ts';
import { type CatalogFile, type CsvOptions, parseTextFile } from '../../formats/formats.ts';
import { MAX_ROWS, MAX_TITLE_ROWS } from '../../formats/table.ts';
import type { FormerRow } from '../../set/compare/walk.ts';
import type { ValidatedCatalog } from '../../set/validate-catalog.ts';
import type { ReadFile } from '../../set/validate-set.ts';
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

/** The lines of a CSV file that changed, from the first one to the last. */
interface ChangedLines {
  /** The first lines of the file, which did not change and decide how the others are read: the headings and `headRows`. */
  head: Buffer;
  headRows: number;
  /** The lines that there are now, and their number. */
  content: Buffer;
  count: number;
  /** The rows that they replace, as indexes. */
  from: number;
  to: number;
  /** Whether other lines follow them. */
  hasEnd: boolean;
}

/** Smaller files are read at once. Most price lists show their decimal sign in as many. */
const HEAD_BYTES = 4096;

const LF = 10;
const CR = 13;

/**
 * Finds the lines that changed in a CSV file since it had these rows. Undefined if a line may not be a row by itself, if the
 * first lines changed, or if no row is left after them.
 */
function changedLines(
  former: Buffer,
  bytes: Buffer,
  { table: { delimiter = '' }, names, places }: KeptRows,
): ChangedLines | undefined {
  const { start, end } = commonLines(former, bytes);
  const head = former.subarray(0, former.lastIndexOf(LF, HEAD_BYTES - 1) + 1);
  if (start < HEAD_BYTES) return undefined;
  const content = bytes.subarray(start, bytes.length - end);
  const lengthOf = (part: Buffer) => countLines(part, delimiter.charCodeAt(0), names.length);
  const headLines = lengthOf(head);
  const before = lengthOf(former.subarray(0, start));
  const gone = lengthOf(former.subarray(start, former.length - end));
  const count = lengthOf(content);
  const after = lengthOf(former.subarray(former.length - end));
  const areRows = before + gone + after === 1 + places.length && before + count + after <= MAX_ROWS;
  if (!areRows || headLines <= MAX_TITLE_ROWS || count + after === 0) return undefined;
  const from = before - 1;
  return { head, headRows: headLines - 1, content, count, from, to: from + gone, hasEnd: after > 0 };
}

/** How many bytes the lines take that two files have in common, at their starts and at their ends. */
function commonLines(one: Buffer, other: Buffer): { start: number; end: number } {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  start = one.subarray(0, start).lastIndexOf(LF) + 1;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const lineEnd = one.subarray(one.length - end).indexOf(LF);
  return { start, end: lineEnd === -1 ? 0 : end - 1 - lineEnd };
}

/** NaN if a line has not as many cells as there are headings, or may be more or less than a row. */
function countLines(bytes: Buffer, delimiter: number, width: number): number {
  let [lines, cells] = [0, 1];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === CR && bytes[at + 1] !== LF) return NaN;
    if (byte === delimiter) cells += 1;
    if (byte !== LF && at + 1 < bytes.length) continue;
    if (cells !== width) return NaN;
    lines += 1;
    cells = 1;
  }
  return lines;
}
