import { BEFORE_COUNT, type NewsTable } from '../catalog/news-table.ts';
import type { NewsListItem } from '../catalog/records.ts';
import type { Piece } from './bodies.ts';

const EMPTY = new Uint8Array();

/**
 * The JSON of rows of the news, given their read counts, with commas between them. Rows that follow each other lie in
 * one piece, but for their counts, so that a page without a filter is copied in as few pieces as it has rows.
 */
export function listPieces(
  { json, starts, counts }: NewsTable,
  rows: readonly number[],
  reads: readonly number[],
): Piece[] {
  const pieces: Piece[] = [];
  const last = rows.length - 1;
  let start = starts[rows[0] ?? 0] ?? 0;
  for (const [index, row] of rows.entries()) {
    const count = counts[row] ?? 0;
    pieces.push(json.subarray(start, count), reads[index] ?? 0);
    start = count;
    const end = starts[row + 1] ?? 0;
    if (index === last) {
      pieces.push(json.subarray(start, end - 1)); // Without its comma.
    } else if (rows[index + 1] !== row + 1) {
      pieces.push(json.subarray(start, end));
      start = starts[rows[index + 1] ?? 0] ?? 0;
    }
  }
  return pieces;
}

/** Rows of the news as objects, in which `read` is 0. */
export function listItems(news: NewsTable, rows: readonly number[]): NewsListItem[] {
  const pieces = listPieces(
    news,
    rows,
    rows.map(() => 0),
  );
  return JSON.parse(`[${pieces.map(textOfPiece).join('')}]`);
}

function textOfPiece(piece: Piece): string {
  return typeof piece === 'number' ? String(piece) : Buffer.from(piece).toString();
}

/** The JSON of the detail of a row, before and after its read count. */
export function detailPieces(
  { json, starts, counts, details }: NewsTable,
  row: number,
): { before: Uint8Array[]; after: Uint8Array } {
  const shared = json.subarray(starts[row], (counts[row] ?? 0) - BEFORE_COUNT.length);
  const before = json.subarray(details[2 * row], details[2 * row + 1]);
  return { before: [shared, before], after: json.subarray(details[2 * row + 1], details[2 * row + 2]) };
}

/** The JSON of rows as details with their categories, given their read counts, with commas between them. */
export function cardPieces(news: NewsTable, rows: readonly number[], reads: readonly number[]): Piece[] {
  return rows.flatMap((row, index) => {
    const { before, after } = detailPieces(news, row);
    const [shared = EMPTY, ...rest] = before;
    const type = news.type_id[row];
    const opening = `${index > 0 ? ',' : ''}{${type ? `"type_id":${type},` : ''}`;
    return [Buffer.from(opening), shared.subarray(1), ...rest, reads[index] ?? 0, after];
  });
}
