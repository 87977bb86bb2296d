import { addressOf } from '../grid.ts';

/** A cell of a CSV text, without its quotes, and where it begins (UTF-16 units). */
export interface ParsedCell {
  start: number;
  address: string;
  text: string;
}

/** The rows of a CSV text in which every quote is in its place, as programs write it. */
export function parseRows(text: string, separator: string): ParsedCell[][] {
  const rows: ParsedCell[][] = [];
  let row: ParsedCell[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfCell(text, at, separator);
    const source = text.slice(at, end);
    const content = source.startsWith('"') ? source.slice(1, -1).replaceAll('""', '"') : source;
    row.push({ start: at, address: addressOf(rows.length, row.length), text: content });
    const next = /^(?:\r\n|\n|\r)/.exec(text.slice(end, end + 2))?.[0];
    at = end + (next ?? separator).length;
    if (next === undefined && at < text.length) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** The offset of the first separator or line end that is not in quotes. */
function endOfCell(text: string, start: number, separator: string): number {
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === separator || sign === '\n' || sign === '\r')) return at;
  }
  return text.length;
}
