import { type NewsInclude, newsIncludes } from '../contract/queries.ts';
import type { NewsListItem } from '../contract/records.ts';
import { type NewsTable, READ_KEY } from '../snapshot/news-table.ts';
import { assemble, digitsOf } from './body.ts';

const TYPE = Buffer.from('"type_id":');
const COMMA = Buffer.from(',');

/**
 * The JSON of rows of the news, given their read counts, with commas between them. `include` adds fields before the read
 * count, in the order of `newsIncludes`; a row without a category has no `type_id`.
 */
export function listPieces(
  { json, itemOffsets, readOffsets, detailOffsets, type_id }: NewsTable,
  rows: readonly number[],
  reads: readonly number[],
  include: readonly NewsInclude[] = [],
): Uint8Array[] {
  const [hasImage, hasType] = newsIncludes.map(name => include.includes(name));
  return rows.flatMap((row, index) => {
    const count = readOffsets[row] ?? 0;
    const key = count - READ_KEY.length;
    const end = (itemOffsets[row + 1] ?? 0) - (index === rows.length - 1 ? COMMA.length : 0);
    const image = json.subarray(detailOffsets[2 * row], (detailOffsets[2 * row + 1] ?? 0) - READ_KEY.length);
    const type = type_id[row];
    return [
      json.subarray(itemOffsets[row], key),
      ...(hasImage ? [image] : []),
      ...(hasType && type ? [TYPE, digitsOf(type), COMMA] : []),
      json.subarray(key, count),
      digitsOf(reads[index] ?? 0),
      json.subarray(count, end),
    ];
  });
}

/** Rows of the news as objects, in which `read` is 0. */
export function listItems(news: NewsTable, rows: readonly number[]): NewsListItem[] {
  return JSON.parse(`[${assemble(listPieces(news, rows, []))}]`);
}
