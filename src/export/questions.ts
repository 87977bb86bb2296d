import { ListQuery, newsIncludes } from '../contract/queries.ts';
import { feedPaths } from '../http/feeds/feeds.ts';
import { publishedNews } from '../query/news.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { exportedFile } from './exported-file.ts';

/** A question of which the export has the answer. Paths are relative to the mount point. */
export interface Question {
  /** The address at which the service answers it. */
  address: string;
  /** The path of the file. */
  file: string;
  /**
   * The pattern in `_headers` for this file and those with the same headers. Undefined for a news item, whose live answer
   * must not be stored, since a request for it counts; its file matches the pattern of the lists.
   */
  pattern: string | undefined;
}

const { default: USUAL, maximum: MOST } = ListQuery.properties.limit;
/** How many items the pages of exported lists have. */
export const pageSizes: readonly number[] = [Number(USUAL), Number(MOST)];

const API = '/api/*';
const IMAGES = '/images/*';

type Parameters = Record<string, string | number | undefined>;

/**
 * All questions of which the export has the answer, as at the instant of the snapshot or else `now` (Unix seconds), with or
 * without those of the feeds and of each price.
 */
export function* questions(
  snapshot: Snapshot,
  now: number,
  hasFeeds: boolean,
  singlePrices: boolean,
): Generator<Question> {
  const { products, configurationsOf, newsTypes, prices, news } = snapshot;
  const published = publishedNews(snapshot, now);
  const types = new Set([...newsTypes.keys(), ...published.byType.keys()]);
  yield* pages('products', {}, products.size);
  for (const product_id of products.keys()) {
    const configurations = configurationsOf.get(product_id) ?? [];
    for (const include_durations of ['false', 'true'])
      yield* pages('recommend-config', { product_id, include_durations }, configurations.length);
    for (const { id: recommend_config_id } of singlePrices ? configurations : [])
      for (const row of prices.rowsOf(recommend_config_id)) {
        const duration_id = prices.duration_id[row];
        yield question('recommend-config/price', { product_id, recommend_config_id, duration_id });
      }
  }
  yield* pages('news-types', {}, newsTypes.size);
  for (const type_id of [undefined, ...types]) {
    const { length } = type_id === undefined ? published.all : (published.byType.get(type_id) ?? []);
    for (const include of [undefined, newsIncludes.join()])
      yield* pages('news', { type_id, include }, length);
  }
  for (const row of published.all) yield { ...question(`news/${news.id[row]}`, {}), pattern: undefined };
  if (hasFeeds) yield* feeds(types);
  for (const name of published.images)
    yield { address: `/images/${encodeURIComponent(name)}`, file: `/images/${name}`, pattern: IMAGES };
}

function* pages(path: string, parameters: Parameters, total: number): Generator<Question> {
  for (const limit of pageSizes)
    for (let page = 1; page <= Math.max(1, Math.ceil(total / limit)); page += 1)
      yield question(path, { ...parameters, limit, page });
}

function question(path: string, parameters: Parameters): Question {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = given.map(([name, value]) => `${name}=${value}`).join('&');
  const address = `/api/${path}${query && '?'}${query}`;
  return { address, file: exportedFile(address), pattern: API };
}

/** The feeds of all news items, and of each type in a folder of its own. */
function* feeds(types: Iterable<number>): Generator<Question> {
  for (const path of feedPaths) {
    const at = path.lastIndexOf('/');
    const inFolder = (folder: string) => `/${path.slice(0, at)}/${folder}${path.slice(at)}`;
    yield { address: `/${path}`, file: `/${path}`, pattern: `/${path}` };
    for (const type of types) {
      const file = inFolder(`type_id=${type}`);
      yield { address: `/${path}?type_id=${type}`, file, pattern: inFolder(':type') };
    }
  }
}
