import type { News } from '../contract/columns.ts';
import type { TimeZone } from '../time-zone.ts';
import { searchText } from './fold.ts';
import { newsDetailRecord, newsListItem } from './records.ts';
import { type Signatures, signaturesOf } from './search-index.ts';

/**
 * The news items, in the order of lists: their JSON as UTF-8 in one array, and a column for everything that they are
 * filtered and searched by. A row is a number from 0. Without an object a row, a set of any size moves between processes
 * in large blocks and costs the garbage collector nothing.
 */
export interface NewsTable {
  id: Float64Array;
  /** 0 for none. */
  type_id: Float64Array;
  publish_time: Float64Array;
  /** Infinity for never. */
  unpublish_time: Float64Array;
  create_time: Float64Array;
  /** When the item last changed; 0 for never. */
  update_time: Float64Array;
  /** The floor of the read count. */
  read: Float64Array;
  img: readonly string[];
  /**
   * First the list items, each with a comma after it and without its read count; then, for each row, what its detail has
   * instead: the `img` before the read count, and what follows the count.
   */
  json: Uint8Array;
  /** Byte offset in `json` where each list item begins; and, as one more, where the last one ends. */
  itemOffsets: Uint32Array;
  /** Byte offset in `json` where the read count of each list item belongs. */
  readOffsets: Uint32Array;
  /** Byte offsets in `json` where the two parts of each detail begin, before and after its read count; and the end. */
  detailOffsets: Uint32Array;
  signatures: Signatures;
  /** The text of each row that searches look into; see {@link searchText}. */
  texts: readonly string[];
}

/** What precedes the read count. Up to here, list item and detail are equal, except that a detail has an `img` before it. */
export const READ_KEY = '"read":';

const IMG_KEY = '"img":';
const NO_TEXTS = { title: '', content: '', keywords: '' };

/** Makes the table of items in the order of lists. */
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
  // Encoding takes the most memory, so the texts come after it.
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
    // The texts that both have are written once, which takes most of the time.
    const [before, after] = aroundCount(newsDetailRecord({ ...item, ...NO_TEXTS }, zone));
    detailOffsets[2 * row + 1] = json.add(before.slice(before.indexOf(IMG_KEY)));
    detailOffsets[2 * row + 2] = json.add(after);
  }
  return { json: json.bytes(), itemOffsets, readOffsets, detailOffsets };
}

/** Collects texts as UTF-8 in a buffer that doubles. */
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

/** The JSON of a record, before and after its `read` of 0. No value after that one can contain an unescaped quote. */
function aroundCount(record: object): [string, string] {
  const json = JSON.stringify(record);
  const at = json.lastIndexOf(`${READ_KEY}0,`) + READ_KEY.length;
  return [json.slice(0, at), json.slice(at + 1)];
}

/** The JSON of the detail of a row, before and after its read count. */
export function detailPieces({ json, itemOffsets, readOffsets, detailOffsets }: NewsTable, row: number) {
  const shared = json.subarray(itemOffsets[row], (readOffsets[row] ?? 0) - READ_KEY.length);
  const before = json.subarray(detailOffsets[2 * row], detailOffsets[2 * row + 1]);
  return {
    before: [shared, before],
    after: json.subarray(detailOffsets[2 * row + 1], detailOffsets[2 * row + 2]),
  };
}
