import type { TObject } from '@sinclair/typebox';
import type { Page } from '../../contract/envelope.ts';
import type { NewsArticle, NewsCard, Overview } from '../../contract/page.ts';
import {
  ConfigurationsQuery,
  NewsCardsQuery,
  NewsDetailQuery,
  OverviewQuery,
  PriceMatrixQuery,
  RowsQuery,
} from '../../contract/queries.ts';
import { parameterReader } from '../../http/plugins/parameters.ts';
import { listConfigurations } from '../../query/configurations.ts';
import { findNews, listNews, publishedNews, searchNews } from '../../query/news.ts';
import { newsArticleAt, newsCard, newsDetailAt, overviewOf } from '../../query/overview.ts';
import { pageOf } from '../../query/paging.ts';
import { priceMatrix } from '../../query/price-matrix.ts';
import { catalogRows } from '../../query/rows.ts';
import { type Snapshot, snapshotAt } from '../../snapshot/snapshot.ts';
import type { Query } from './protocol.ts';

/** The version in package.json, which the build puts here. */
declare const PACKAGE_VERSION: string;

/** A path, the schema of its query, and its `data` for a snapshot at `now` (Unix seconds). */
interface Answer<Parameters extends TObject = TObject> {
  query: Parameters;
  data(snapshot: Snapshot, query: Parameters['static'], now: number): unknown;
}

/** What the page can ask about a set that was checked: the paths of the service, answered by the same code. No item was read yet. */
const answers: Record<string, Answer> = {
  overview: answer(OverviewQuery, (snapshot, _query, now) => overview(snapshot, now)),
  'overview/news': answer(NewsCardsQuery, newsCards),
  'overview/news/{id}': answer(NewsDetailQuery, newsArticle),
  'overview/prices': answer(PriceMatrixQuery, (snapshot, query) => resultOf(priceMatrix(snapshot, query))),
  'overview/rows': answer(RowsQuery, (snapshot, query, now) =>
    // The editor's own files: all of their rows, as in a preview.
    resultOf(catalogRows(snapshotAt(snapshot, now), query, new Map(), now)),
  ),
  'api/recommend-config': answer(ConfigurationsQuery, listConfigurations),
};

/** The `data` of a path. @throws Error if there is no such path, or a parameter is wrong. */
export function answerTo(path: string, query: Query, snapshot: Snapshot): unknown {
  const [, id] = /^overview\/news\/(.+)$/.exec(path) ?? [];
  const answer = answers[id === undefined ? path : 'overview/news/{id}'];
  if (!answer) throw new Error(`${path} is nothing that can be asked about files`);
  const given = Object.entries({ ...query, id }).filter(([, value]) => value !== undefined);
  const texts = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  const parsed = parameterReader(answer.query, snapshot.timeZone)(texts);
  if ('error' in parsed) throw parsed.error;
  return answer.data(snapshot, parsed.value, Date.now() / 1000);
}

function answer<Parameters extends TObject>(query: Parameters, data: Answer<Parameters>['data']): Answer {
  return { query, data: (snapshot, parsed, now) => data(snapshot, parsed, now) };
}

function overview(snapshot: Snapshot, now: number): Overview {
  const site = { version: PACKAGE_VERSION, feeds: [] };
  return overviewOf(snapshot, publishedNews(snapshot, now), floorOf, site);
}

function newsCards(
  snapshot: Snapshot,
  query: (typeof NewsCardsQuery)['static'],
  now: number,
): Page<NewsCard> {
  const { news } = snapshot;
  const { keyword } = query;
  const published = publishedNews(snapshot, now);
  const rows =
    keyword === undefined
      ? listNews(news, published, query)
      : resultOf(searchNews(news, published, query, keyword));
  const { list, pagination } = pageOf(rows, query);
  const cards = list.map(row =>
    newsCard(newsDetailAt(news, row), news.type_id[row] ?? 0, news.read[row] ?? 0),
  );
  return { list: cards, pagination };
}

function newsArticle(
  snapshot: Snapshot,
  { id }: (typeof NewsDetailQuery)['static'],
  now: number,
): NewsArticle {
  const { news } = snapshot;
  const row = findNews(snapshot, id, now);
  if (row === undefined) throw new Error(`there is no news item ${id}`);
  return newsArticleAt(news, row, news.read[row] ?? 0);
}

/** Nobody else waits, so that all steps are taken at once. */
function resultOf<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function floorOf(_id: number, floor: number): number {
  return floor;
}
