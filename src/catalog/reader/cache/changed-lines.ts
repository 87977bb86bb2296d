import { MAX_ROWS, MAX_TITLE_ROWS } from '../../../formats/table.ts';
import type { KeptRows } from './kept-rows.ts';

/** The lines of a CSV file that changed, from the first one to the last. */
export interface ChangedLines {
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
export function changedLines(
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
