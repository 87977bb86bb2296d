import { type GramIndex, indexGrams } from './gram-index.ts';
import { newsDetail, newsListItem } from './records.ts';
import type { News } from './schemas.ts';
import { searchText } from './search-text.ts';
import type { TimeZone } from './time-zone.ts';

/**
 * The news as they are served, in the order of lists: their JSON as UTF-8 in one piece of memory, what they are filtered
 * by, and what they are searched by. A row is a number from 0; there is no object a row, so that a set of any size comes
 * over from the worker at once and costs the garbage collector nothing.
 */
export interface NewsTable {
  id: Float64Array;
  /** 0 where there is none. */
  type_id: Float64Array;
  publish_time: Float64Array;
  /** When it was changed last: `create_time` where it never was. */
  update_time: Float64Array;
  /** The floor of the read count. */
  read: Float64Array;
  /** Empty where there is none. */
  img: readonly string[];
  /**
   * First the rows as they are in lists, with commas between them and without their read counts, then what the details
   * have besides.
   */
  json: Uint8Array;
  /** Where each row begins in `json`, in a list; and where one more would begin. */
  starts: Uint32Array;
  /** Where the read count of each row belongs, in a list. */
  counts: Uint32Array;
  /** Where the parts of each detail begin that are before and after its read count, two a row; and the end. */
  details: Uint32Array;
  grams: GramIndex;
  /** What is searched of each row; see {@link searchText}. */
  texts: readonly string[];
}

/** What stands before the read count. A detail has the same before it as an item of a list, but for this and its image. */
export const BEFORE_COUNT = '"read":';

/** `news` are in the order of lists. */
export function tabulateNews(news: readonly News[], zone: TimeZone): NewsTable {
  const texts = news.map(searchText);
  return {
    id: Float64Array.from(news, ({ id }) => id),
    type_id: Float64Array.from(news, ({ type_id }) => type_id ?? 0),
    publish_time: Float64Array.from(news, ({ publish_time }) => publish_time),
    update_time: Float64Array.from(news, ({ create_time, update_time }) => update_time || create_time),
    read: Float64Array.from(news, ({ read }) => read),
    img: news.map(({ img }) => img),
    ...encode(news, zone),
    grams: indexGrams(texts),
    texts,
  };
}

function encode(
  news: readonly News[],
  zone: TimeZone,
): Pick<NewsTable, 'json' | 'starts' | 'counts' | 'details'> {
  const items = news.map(item => aroundCount(newsListItem(item, 0, zone)));
  const details = news.map((item, row) => {
    const [before, after] = aroundCount(newsDetail(item, 0, zone));
    const shared = (items[row]?.[0].length ?? 0) - BEFORE_COUNT.length;
    return [before.slice(shared), after];
  });
  const parts = [...items.flatMap(([before, after]) => [before, `${after},`]), ...details.flat()];
  const starts = new Uint32Array(parts.length + 1);
  for (const [index, part] of parts.entries()) {
    starts[index + 1] = (starts[index] ?? 0) + Buffer.byteLength(part);
  }
  const json = Buffer.alloc(starts[parts.length] ?? 0);
  for (const [index, part] of parts.entries()) json.write(part, starts[index] ?? 0);
  const startOf = (part: number) => starts[part] ?? 0;
  return {
    json,
    starts: Uint32Array.from({ length: news.length + 1 }, (_, row) => startOf(2 * row)),
    counts: Uint32Array.from(news, (_, row) => startOf(2 * row + 1)),
    details: starts.slice(2 * news.length),
  };
}

/** The JSON of a record whose `read` is 0, before and after that; nothing that comes after it can look like it. */
function aroundCount(record: object): [string, string] {
  const json = JSON.stringify(record);
  const at = json.lastIndexOf(`${BEFORE_COUNT}0,`) + BEFORE_COUNT.length;
  return [json.slice(0, at), json.slice(at + 1)];
}
