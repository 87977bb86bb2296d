/**
 * The public report of what a set changed, as JSON in UTF-8. Without an object a change, a report of any length costs the
 * garbage collector nothing, and a page of it is copied in one piece.
 */
export interface ChangeTable {
  /** The object with everything but the list. */
  head: Uint8Array;
  /** The changes, each with a comma after it. */
  json: Uint8Array;
  /** Byte offset in `json` where each change begins; and, as one more, where the last one ends. */
  itemOffsets: Uint32Array;
}

const NEWLINE = 10;
const COMMA = 44;

/** A report as lines of JSON, for a file: first the head, then each change. */
export function linesOf({ head, json, itemOffsets }: ChangeTable): Buffer {
  const lines = Buffer.concat([head, Buffer.from('\n'), json]);
  for (const end of itemOffsets.subarray(1)) lines[head.length + end] = NEWLINE;
  return lines;
}

/** The report of {@link linesOf}. JSON has its line feeds escaped, so each one ends a line. */
export function fromLines(lines: Buffer): ChangeTable {
  const start = lines.indexOf(NEWLINE);
  const json = Buffer.from(lines.subarray(start + 1));
  const offsets = [0];
  for (let end = json.indexOf(NEWLINE); end >= 0; end = json.indexOf(NEWLINE, end)) {
    json[end] = COMMA;
    offsets.push(end + 1);
  }
  return { head: lines.subarray(0, start), json, itemOffsets: Uint32Array.from(offsets) };
}
