import type { News } from '../contract/columns.ts';
import type { TimeZone } from '../time-zone.ts';
import { searchText } from './fold.ts';
import { newsDetailRecord, newsListItem } from './records.ts';
import { type Signatures, signaturesOf } from './search-index.ts';

/**
 * The news items, in the order of lists: their JSON as UTF-8 in one array, and a column for each value that filters, sorts or
 * searches. A row is a number from 0. Without an object per row, sets of any size move between processes in large blocks and
 * cost the garbage collector nothing.
 */
export interface NewsTable {
  id: Float64Array;
  /** 0 for none. */
  type_id: Float64Array;
  publish_time: Float64Array;
  /** Infinity for never. */
  unpublish_time: Float64Array;
  create_time: Float64Array;
  /** 0 for never. */
  update_time: Float64Array;
  read: Float64Array;
  img: readonly string[];
  /**
   * First the list items, each followed by a comma, without their read counts. Then, for each row, the parts of its detail that
   * differ: the `img` before the read count, and what follows the count.
   */
  json: Uint8Array;
  /** Where each list item begins in `json`, in bytes; then where the last one ends. */
  itemOffsets: Uint32Array;
  /** Where the read count of each list item belongs in `json`. */
  readOffsets: Uint32Array;
  /** Where the two parts of each detail begin in `json`; then the end. */
  detailOffsets: Uint32Array;
  signatures: Signatures;
  /** The text of each row to search; see {@link searchText}. */
  texts: readonly string[];
}

/** What precedes the read count. Up to here, list item and detail are equal, except for the `img` of a detail. */
export const READ_KEY = '"read":';

const IMG_KEY = '"img":';
const NO_TEXTS = { title: '', content: '', keywords: '' };

export function tabulateNews(news: readonly News[], zone: TimeZone): NewsTable {
  const columns = {
    id: Float64Array.from(news, ({ id }) => id),
    type_id: Float64Array.from(news, ({ type_id }) => type_id ?? 0),
    publish_time: Float64Array.from(news, ({ publish_time }) => publish_time),
    unpublish_time: Float64Array.from(news, ({ unpublish_time = Infinity }) => unpublish_time),
    create_time: Float64Array.from(news, ({ create_time }) => create_time),
    update_time: Float64Array.from(news, ({ update_time }) => update_time),
    read: Float64Array.from(news, ({ read }) => read),
    img: news.map(({ img }) => img),
    ...encode(news, zone),
  };
  // Texts come after the encoding, which takes the most memory.
  const texts = news.map(searchText);
  return { ...columns, texts, signatures: signaturesOf(texts) };
}

function encode(news: readonly News[], zone: TimeZone) {
  const json = openBytes();
  const itemOffsets = new Uint32Array(news.length + 1);
  const readOffsets = new Uint32Array(news.length);
  const detailOffsets = new Uint32Array(2 * news.length + 1);
  for (const [row, item] of news.entries()) {
    const [before, after] = aroundCount(newsListItem(item, zone));
    readOffsets[row] = json.add(before);
    itemOffsets[row + 1] = json.add(`${after},`);
  }
  detailOffsets[0] = json.length();
  for (const [row, item] of news.entries()) {
    // Texts that both contain are written once, since they take most of the time.
    const [before, after] = aroundCount(newsDetailRecord({ ...item, ...NO_TEXTS }, zone));
    detailOffsets[2 * row + 1] = json.add(before.slice(before.indexOf(IMG_KEY)));
    detailOffsets[2 * row + 2] = json.add(after);
  }
  return { json: json.bytes(), itemOffsets, readOffsets, detailOffsets };
}

/** Collects texts as UTF-8, in a buffer that doubles. */
function openBytes() {
  let bytes = Buffer.allocUnsafeSlow(2 ** 16);
  let length = 0;
  return {
    /** Returns where the text ends. */
    add(text: string): number {
      // A UTF-16 unit takes at most three bytes.
      const most = length + 3 * text.length;
      if (most > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(most, 2 * bytes.length));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      length += bytes.write(text, length);
      return length;
    },
    length: () => length,
    bytes: () => bytes.subarray(0, length),
  };
}

/** Splits the JSON of a record around its `read` of 0. No value after that can contain an unescaped quote. */
function aroundCount(record: object): [string, string] {
  const json = JSON.stringify(record);
  const at = json.lastIndexOf(`${READ_KEY}0,`) + READ_KEY.length;
  return [json.slice(0, at), json.slice(at + 1)];
}

/** Returns the JSON of a detail, before and after its read count. */
export function detailPieces({ json, itemOffsets, readOffsets, detailOffsets }: NewsTable, row: number) {
  const shared = json.subarray(itemOffsets[row], (readOffsets[row] ?? 0) - READ_KEY.length);
  const before = json.subarray(detailOffsets[2 * row], detailOffsets[2 * row + 1]);
  return {
    before: [shared, before],
    after: json.subarray(detailOffsets[2 * row + 1], detailOffsets[2 * row + 2]),
  };
}
