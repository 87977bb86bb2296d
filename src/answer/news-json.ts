import { type NewsInclude, newsIncludes } from '../contract/queries.ts';
import type { NewsListItem } from '../contract/records.ts';
import { type NewsTable, READ_KEY } from '../snapshot/news-table.ts';
import { assemble, digitsOf } from './body.ts';

const COUNT = Buffer.from(READ_KEY);
const TYPE = Buffer.from('"type_id":');
const COMMA = Buffer.from(',');

/** Makes the JSON of rows of the news, given their read counts, with commas between them. */
type NewsPieces = (news: NewsTable, rows: readonly number[], reads: readonly number[]) => Uint8Array[];

/** The JSON of rows of the news. Neighbouring rows share a piece, but for their counts. */
export function listPieces(
  { json, itemOffsets, readOffsets }: NewsTable,
  rows: readonly number[],
  reads: readonly number[],
): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const last = rows.length - 1;
  let start = itemOffsets[rows[0] ?? 0] ?? 0;
  for (const [index, row] of rows.entries()) {
    const count = readOffsets[row] ?? 0;
    pieces.push(json.subarray(start, count), digitsOf(reads[index] ?? 0));
    start = count;
    const end = itemOffsets[row + 1] ?? 0;
    if (index === last) {
      pieces.push(json.subarray(start, end - 1)); // Without its comma.
    } else if (rows[index + 1] !== row + 1) {
      pieces.push(json.subarray(start, end));
      start = itemOffsets[rows[index + 1] ?? 0] ?? 0;
    }
  }
  return pieces;
}

/**
 * The same with more in each row, just before its read count, in the order of `newsIncludes`. A row without a category
 * has no `type_id`.
 */
export function including(include: readonly NewsInclude[]): NewsPieces {
  const [hasImage, hasType] = newsIncludes.map(name => include.includes(name));
  return (news, rows, reads) =>
    rows.flatMap((row, index) => {
      const { json, itemOffsets, readOffsets, detailOffsets, type_id } = news;
      const count = readOffsets[row] ?? 0;
      const end = (itemOffsets[row + 1] ?? 0) - (index === rows.length - 1 ? COMMA.length : 0);
      const image = json.subarray(detailOffsets[2 * row], (detailOffsets[2 * row + 1] ?? 0) - COUNT.length);
      const type = type_id[row];
      return [
        json.subarray(itemOffsets[row], count - COUNT.length),
        ...(hasImage ? [image] : []),
        ...(hasType && type ? [TYPE, digitsOf(type), COMMA] : []),
        COUNT,
        digitsOf(reads[index] ?? 0),
        json.subarray(count, end),
      ];
    });
}

/** Rows of the news as objects, in which `read` is 0. */
export function listItems(news: NewsTable, rows: readonly number[]): NewsListItem[] {
  const pieces = listPieces(
    news,
    rows,
    rows.map(() => 0),
  );
  return JSON.parse(`[${assemble(pieces).toString()}]`);
}
